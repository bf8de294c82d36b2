#include "vectors/baseline.hpp"

#include "tree_kernels.hpp"

namespace centroid_lab {

const TreeKernels baseline_tree{visit_subtree, revisit_leaf};

}  // namespace centroid_lab

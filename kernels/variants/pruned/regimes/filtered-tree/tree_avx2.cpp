#include "vectors/avx2.hpp"

#include "tree_kernels.hpp"

namespace centroid_lab {

const TreeKernels avx2_tree{visit_subtree, revisit_leaf};

}  // namespace centroid_lab

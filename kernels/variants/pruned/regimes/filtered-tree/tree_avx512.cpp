#include "vectors/avx512.hpp"

#include "tree_kernels.hpp"

namespace centroid_lab {

const TreeKernels avx512_tree{visit_subtree, revisit_leaf};

}  // namespace centroid_lab

#include "vectors/avx512.hpp"

#include "ball_kernels.hpp"
#include "box_kernels.hpp"
#include "tree_kernels.hpp"

namespace centroid_lab {

const TreeKernels avx512_tree{visit_subtree, revisit_leaf};
const BallKernels avx512_balls{settle_group, measure_ball, find_candidates};
const BoxKernels avx512_boxes{visit_boxes, measure_boxes};

}  // namespace centroid_lab

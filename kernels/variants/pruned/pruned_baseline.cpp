#include "vectors/baseline.hpp"

#include "ball_kernels.hpp"
#include "box_kernels.hpp"
#include "tree_kernels.hpp"

namespace centroid_lab {

const TreeKernels baseline_tree{visit_subtree, revisit_leaf};
const BallKernels baseline_balls{settle_group, measure_ball, find_candidates};
const BoxKernels baseline_boxes{visit_boxes, measure_boxes};

}  // namespace centroid_lab

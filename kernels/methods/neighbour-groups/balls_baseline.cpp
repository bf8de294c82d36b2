#include "vectors/baseline.hpp"

#include "methods/neighbour-groups/ball_kernels.hpp"

namespace centroid_lab {

const BallKernels baseline_balls{accumulate_group, measure_ball, find_candidates};

}  // namespace centroid_lab

#include "vectors/avx2.hpp"

#include "methods/neighbour-groups/ball_kernels.hpp"

namespace centroid_lab {

const BallKernels avx2_balls{accumulate_group, measure_ball, find_candidates};

}  // namespace centroid_lab

// The assignment kernel of Goldsborough's CUDA 1, which his Thrust version launches too: one thread per point,
// centroids in global memory, d + 1 atomic additions a point.
#pragma once

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Labels the points of a pass, counts the changes, and adds members to the pass's real sums and counts.
/// @param x device, (n, d).
void enqueue_assign_and_add(const float* x, int d, const Pass& pass);

}  // namespace centroid_lab::cuda

// The assignment of CudaModule and CudaModule3: one thread per point, the point's coordinates in shared memory.
#pragma once

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Labels the points of a pass and counts the changes.
/// @param x device, (n, d).
void enqueue_assign_staged(const float* x, int d, const Pass& pass);

}  // namespace centroid_lab::cuda

// The regimes of `fused` on CUDA; fused.cu chooses among them by shape and device.
#pragma once

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Any n, d and k: tiles of points by centroids in registers, sums by atomics in global memory.
std::unique_ptr<DeviceVariant> make_fused_general(const Problem& problem);

}  // namespace centroid_lab::cuda

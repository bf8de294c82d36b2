// Points on a device that many share; for code that is compiled without CUDA too.
#pragma once

#include <cstddef>
#include <memory>

namespace centroid_lab::cuda {

struct DevicePoints;

/// Uploads points that others share from now on: as long as the answer lives, `device_points` of the same `x` gives them.
/// The caller keeps `x` alive and unchanged as long.
/// @throws std::bad_alloc for want of device memory, std::invalid_argument for points that are not in engine units.
std::shared_ptr<const DevicePoints> hold_points(const float* x, std::size_t n, std::size_t d, int device);

}  // namespace centroid_lab::cuda

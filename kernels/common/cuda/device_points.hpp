// Points on a device: those of one session or seeding, or those that many share.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "held_points.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {

/// Points (n, d), row-major, checked.
struct DevicePoints {
  Buffer<float> x;
  /// (d) largest magnitude of each feature.
  std::vector<float> max_abs;
};

/// Those that are held, or null.
std::shared_ptr<const DevicePoints> held_points(const float* x, std::size_t n, std::size_t d, int device);

/// The points on the device, which is current: those that are held, else a new upload.
/// @param max_abs (d) of points that are checked; empty: they are checked on the device.
/// @throws as `hold_points`
std::shared_ptr<const DevicePoints> device_points(const float* x, std::size_t n, std::size_t d, int device,
                                                  const std::vector<float>& max_abs);

}  // namespace centroid_lab::cuda

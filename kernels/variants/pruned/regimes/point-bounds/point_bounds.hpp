// `pruned` for many features: two bounds a point, which the passes of methods/matrix-filter leave behind.
#pragma once

#include <memory>
#include <string>

#include "device_variant.hpp"

namespace centroid_lab::cuda::point_bounds {

/// Why the shape or the device does not suit, in one sentence; empty where it can run.
std::string refusal(const Problem& problem);

/// @param always visit open points whatever it costs.
/// @throws RegimeRefused where points are all alike, std::bad_alloc for want of device memory.
std::unique_ptr<DeviceVariant> make(const Problem& problem, bool always);

}  // namespace centroid_lab::cuda::point_bounds

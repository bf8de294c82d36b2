// `pruned` for many features, where `fused` has its filter.
#pragma once

#include <memory>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Null for shapes that it is not made for, and where there is too little memory or no filter. `small`: however small;
/// `always`: visits whatever they cost.
std::unique_ptr<DeviceVariant> make_pruned_high(const Problem& problem, bool small, bool always);

}  // namespace centroid_lab::cuda

// What a session has to know of its points before the first iteration, by the device that holds them.
#pragma once

#include <cstddef>
#include <vector>

#include "../moments.hpp"

namespace centroid_lab::cuda {

/// As `checked_magnitudes` of check_points.hpp, for points `x` (n, d) on the current device. Waits.
std::vector<float> checked_device_magnitudes(const float* x, std::size_t n, std::size_t d);

/// As `moments_of` of moments.hpp, with the additions in its order. Waits.
Moments device_moments(const float* x, std::size_t n, std::size_t d);

}  // namespace centroid_lab::cuda

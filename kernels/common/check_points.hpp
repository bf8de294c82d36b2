#pragma once

#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// (d) largest magnitude of each feature.
/// @throws std::invalid_argument for a value that is not finite or lies above 1 (points are in engine units).
std::vector<float> checked_magnitudes(const float* x, std::size_t n, std::size_t d);

}  // namespace centroid_lab

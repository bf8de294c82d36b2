#pragma once

#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// (d) largest magnitude of each feature. Many points are looked at by all threads (machine.hpp).
/// @throws std::invalid_argument for a value that is not finite or lies above 1 (points are in engine units).
std::vector<float> checked_magnitudes(const float* x, std::size_t n, std::size_t d);

/// @param largest (d) largest magnitudes; infinity or NaN where some value is not finite.
/// @throws as `checked_magnitudes`.
void require_engine_units(const std::vector<float>& largest);

}  // namespace centroid_lab

#pragma once

#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// (d) largest magnitude of each feature. Many points are looked at by all threads (machine.hpp).
/// @throws std::invalid_argument for a value that is not finite or lies above 1 (points are in engine units).
template <class Real>
std::vector<Real> checked_magnitudes(const Real* x, std::size_t n, std::size_t d);

/// @param largest (d) largest magnitudes; infinity or NaN where some value is not finite.
/// @throws as `checked_magnitudes`.
template <class Real>
void require_engine_units(const std::vector<Real>& largest);

}  // namespace centroid_lab

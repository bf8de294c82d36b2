// Points along a Hilbert curve, so that neighbours in the list are neighbours in space.
#pragma once

#include "device_variant.hpp"

namespace centroid_lab::cuda::ordering {

/// No point.
constexpr unsigned nobody = 0xffffffffU;

/// Warps that `arrange_points` may need: `gaps` of them are cut short.
inline std::size_t warps_for(std::size_t n, std::size_t gaps) {
  return (n + 31) / 32 + gaps;
}

/// Gives points to warps, along a Hilbert curve through their box, so that those of a warp lie close together; at the `gaps`
/// widest gaps of the curve a new warp begins. `slots (warps_for, 32)`, device memory: numbers of points, or `nobody`.
/// d up to 4. Waits until it is done.
void arrange_points(const Problem& problem, std::size_t gaps, unsigned* slots);

/// `order (n)`, device memory: rows along a Hilbert curve through the points' box; d up to 4, n below 2^31. Waits.
void order_on_curve(const Problem& problem, unsigned* order);

}  // namespace centroid_lab::cuda::ordering

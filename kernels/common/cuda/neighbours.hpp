// An order of the points in which neighbours in the list are neighbours in space.
#pragma once

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Fewer points have no such order.
constexpr std::size_t fewest_ordered = 2049;

/// (n) on the device: rows in an order in which neighbours in space follow each other; n at least `fewest_ordered` and below 2^31.
/// Waits. @throws std::bad_alloc for want of device memory.
void order_neighbours(const Problem& problem, unsigned* order);

}  // namespace centroid_lab::cuda

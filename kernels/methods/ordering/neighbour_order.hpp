// An order of the points in which neighbours in the list are neighbours in space.
#pragma once

#include <memory>

#include "device_variant.hpp"

namespace centroid_lab::cuda::ordering {

/// Fewer points have no such order.
constexpr std::size_t min_ordered = 2049;

/// Makes a variant that labels the points of a problem.
using MakeLabeller = std::unique_ptr<DeviceVariant> (*)(const Problem& problem);

/// (n) on the device: rows in an order in which neighbours in space follow each other; n at least `min_ordered` and below 2^31.
/// Waits. @param make_labeller for the anchors, of which there are more than clusters.
/// @throws std::bad_alloc for want of device memory.
void order_neighbours(const Problem& problem, MakeLabeller make_labeller, unsigned* order);

}  // namespace centroid_lab::cuda::ordering

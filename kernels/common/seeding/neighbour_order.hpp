// Rows put in an order in which neighbours in the list are neighbours in space.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aligned.hpp"
#include "seeding/groups.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Features up to which cells are boxes, cut across their widest feature; with more, across the line between two points
/// that are far apart.
constexpr std::size_t most_box_features = 12;

/// A tree of cuts, whose leaves are 32 rows each and 1024 before that, the last one what is left. O(n (d + log n)) for
/// boxes, O(n d log n) else; parallel. The order does not depend on the threads; after a cancel it is any.
/// @param x (n, d) row-major
/// @param columns [32 places][feature][32], filled but for the places after the last row
Aligned<std::uint32_t> neighbour_order(const float* x, std::size_t n, std::size_t d, float* columns, ThreadPool& pool,
                                       const CancelFlag& cancel);

}  // namespace centroid_lab

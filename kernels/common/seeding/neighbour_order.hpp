// Rows put in an order in which neighbours in the list are neighbours in space.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aligned.hpp"
#include "seeding/groups.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// A place without a row.
constexpr std::uint32_t no_row = 0xffffffff;

/// Rows in the order of a tree of cuts.
struct NeighbourOrder {
  /// Row of each place, or `no_row`; whole branches. Every group of 32 begins with a row, or has none.
  Aligned<std::uint32_t> rows;
  /// [32 places][feature][32] coordinates; places without a row repeat another of their group, or are not filled.
  Aligned<float> columns;
};

/// O(n (d + log n)) with few features, O(n d log n) with more; parallel. The order does not depend on the threads; after a
/// cancel it is any.
/// @param x (n, d) row-major
NeighbourOrder neighbour_order(const float* x, std::size_t n, std::size_t d, ThreadPool& pool, const CancelFlag& cancel);

}  // namespace centroid_lab

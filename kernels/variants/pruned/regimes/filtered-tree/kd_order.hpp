// Points put in an order in which neighbours in the list are neighbours in space.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aligned.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Points in the order of a kd-tree whose leaves hold `leaf_points` (leaves.hpp) each, the last one what is left.
struct OrderedPoints {
  /// [tile][feature][64], padded with zeros.
  Aligned<float> tiles;
  /// (n) index of each point before.
  Aligned<std::uint32_t> order;
};

/// Median splits across the widest feature, O(n d + n log n), parallel. d at most `max_tree_features`.
OrderedPoints kd_order(const Points& points, ThreadPool& pool);

}  // namespace centroid_lab

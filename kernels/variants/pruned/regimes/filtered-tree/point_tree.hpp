// The tree of `pruned` over ordered points: boxes and exact sums of every node. Shape: leaves.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fixed_point.hpp"
#include "kd_order.hpp"
#include "leaves.hpp"

namespace centroid_lab {

struct PointTree {
  OrderedPoints points;
  std::size_t leaves = 0;
  /// (2 leaves - 1, 2, d)
  std::vector<float> boxes;
  /// (2 leaves - 1, d)
  std::vector<std::int64_t> sums;

  PointTree(const Points& points, const FixedPoint& fixed, ThreadPool& pool);

  Subtree root() const { return {0, 0, leaves}; }
  std::size_t nodes() const { return 2 * leaves - 1; }
  /// Levels below the root.
  std::size_t depth() const;
};

}  // namespace centroid_lab

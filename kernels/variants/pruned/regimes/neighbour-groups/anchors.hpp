// Places that points gather around: what an order of the points is made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// The centroids in play; where they are few, points far from all of them as well, so that no cluster of the data that
/// shares a centroid with another one is overlooked.
struct Anchors {
  /// (count, d)
  std::vector<float> rows;
  std::size_t count = 0;
  /// More than the centroids.
  bool extended = false;

  /// O(k d + samples * anchors * d).
  Anchors(const Points& points, const float* centroids, std::size_t k);

  /// Rank of each anchor in a chain in which each is followed by the one nearest to it of those left, O(count^2 d).
  std::vector<std::uint32_t> chain(std::size_t d) const;
};

/// Share of all distances that groups of points around the anchors would leave, estimated from some points.
/// @param labels null, or (n) positions of the anchors nearest to the points.
double expected_share(const Points& points, const Anchors& anchors, const std::int32_t* labels,
                      const float* centroids, std::size_t k);

/// Positions of the points (n) in the order of the ranks of their labels; those of one label stay in order.
std::vector<std::uint32_t> order_by(const std::vector<std::int32_t>& labels, const std::vector<std::uint32_t>& ranks);

}  // namespace centroid_lab

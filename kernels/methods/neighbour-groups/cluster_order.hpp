// An order of the points in which neighbours lie together, and what groups of it would leave to compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// Indices of the points (n), cluster by cluster, each cluster followed by the one nearest to it of those left; the points of
/// a cluster stay in order. O(n + k^2 d).
/// @param labels (n) clusters of the points
std::vector<std::uint32_t> order_by_clusters(const Points& points, const std::int32_t* labels, const float* centroids,
                                             std::size_t k);

/// Share of all distances that groups of neighbours in `order` leave, from some of them. O((points of these + k) d).
double expected_share(const Points& points, const std::vector<std::uint32_t>& order, const float* centroids,
                      std::size_t k);

}  // namespace centroid_lab

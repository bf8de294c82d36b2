// Policy `farthest` of kernels/contract.md, step 3.
#pragma once

#include <cstdint>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// Gives each empty cluster, in index order, the point farthest (exactly) from its own centroid whose donor
/// keeps a member; the point leaves its donor's sum and count and becomes the sum of its new cluster.
/// @param labels (n) of the assignment; @param centroids (k, d) it was made against.
/// Cost O(n d + n log n), only in iterations that have an empty cluster.
template <class Real>
void fill_with_farthest(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, const Real* centroids,
                        PassResult& pass);

}  // namespace centroid_lab

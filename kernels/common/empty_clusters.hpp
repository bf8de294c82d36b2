// Policy `farthest` of kernels/contract.md, step 3.
#pragma once

#include <cstdint>
#include <vector>

#include "parts/process_group.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Gives each empty cluster, in index order, the point farthest (exactly) from its own centroid whose donor
/// keeps a member; the point leaves its donor's sum and count and becomes the sum of its new cluster.
/// @param labels (n) of the assignment; @param centroids (k, d) it was made against.
/// Cost O(n d + n log n), only in iterations that have an empty cluster.
template <class Real>
void fill_with_farthest(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, const Real* centroids,
                        PassResult& pass);

/// The same where `points` and `labels` are this process's part of a whole, and `pass` is of all rows. Every process offers its
/// farthest point for each empty cluster, and all choose the same one.
/// @param first row of the whole that the part begins with @returns false when cancelled
bool fill_with_farthest_of_all(const Points& points, std::size_t first, const std::vector<std::int32_t>& labels,
                               const float* centroids, ProcessGroup& group, const CancelFlag& cancel, PassResult& pass);

}  // namespace centroid_lab

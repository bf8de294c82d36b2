// What labels come to against centroids: members and inertia of each cluster, in float64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parts/process_group.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Points (n, d), their clusters (n) and the centroids (k, d) that they are measured against. Not owned.
template <class Real>
struct LabelledPoints {
  const Real* x;
  std::size_t n;
  std::size_t d;
  const std::int32_t* labels;
  const double* centroids;
  std::size_t k;
};

struct ClusterTotals {
  /// (k) members.
  std::vector<double> sizes;
  /// (k) sum of the squared distances of the members.
  std::vector<double> inertias;
  /// (k) sum of the distances of the members; empty unless asked for.
  std::vector<double> distances;

  /// Of all clusters, in their order.
  double inertia() const;
};

/// Sums within blocks of 2^14 points, point after point, then over the blocks in their order: the same bits on any number
/// of threads, and in JavaScript (src/engine/cluster-totals.ts). O(n d).
/// @param with_distances a root a point more
/// @param group that holds the whole, of which these points are this process's part, from the beginning of a block on
/// @returns false when cancelled, or where a label is none of 0..k-1.
template <class Real>
bool cluster_totals(const LabelledPoints<Real>& labelled, std::size_t threads, const CancelFlag& cancel, ClusterTotals& to,
                    bool with_distances = false, ProcessGroup* group = nullptr);

/// Sum over all points of the squared distance to the centroid (k, d) of their label.
/// @returns a negative number when cancelled.
template <class Real>
double inertia_of_labels(const PointsOf<Real>& points, const Real* centroids, std::size_t k,
                         const std::int32_t* labels, const CancelFlag& cancel);

}  // namespace centroid_lab

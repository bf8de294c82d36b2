// The studies' loop over all points that adds each to its cluster, on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "known_features.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Sums (k, d), float64, and counts (k) of the members of each cluster, point after point. O(n d).
/// @param labels (n) 0..k-1
template <class Real>
void sum_rows(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, std::size_t k, PassResult& result) {
  result.sums.assign(k * points.d, 0.0);
  result.counts.assign(k, 0);
  with_known_features(points.d, [&](auto known) {
    const Features<known> features(points.d);
    const std::size_t d = features.count();
    for (std::size_t i = 0; i < points.n; i++) {
      const std::size_t label = static_cast<std::size_t>(labels[i]);
      const Real* row = points.x + i * d;
      double* sums = result.sums.data() + label * d;
      result.counts[label]++;
      for (std::size_t j = 0; j < d; j++) sums[j] += row[j];
    }
  });
}

}  // namespace centroid_lab

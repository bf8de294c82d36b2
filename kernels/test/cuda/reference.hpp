// What a variant is held to: kernels/contract.md, in float64 on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../native/check.hpp"
#include "clustering.hpp"
#include "moments.hpp"

namespace centroid_lab::cuda_test {

/// Labels of every `step`-th point whose float64 distance exceeds the smallest by more than the contract allows.
inline std::size_t inexact_labels(const Points& points, const float* centroids, std::size_t k,
                                  const std::vector<std::int32_t>& labels, std::size_t step) {
  const double allowed = (static_cast<double>(points.d) + 4) * std::ldexp(1.0, -23);
  const double floor = static_cast<double>(points.d) * std::ldexp(1.0, -120);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < points.n; i += step) {
    double smallest = INFINITY;
    for (std::size_t c = 0; c < k; c++) {
      const float* centroid = centroids + c * points.d;
      if (!std::isnan(centroid[0])) smallest = std::min(smallest, squared_distance(points.row(i), centroid, points.d));
    }
    const std::int32_t label = labels[i];
    if (label < 0 || static_cast<std::size_t>(label) >= k) {
      wrong++;
      continue;
    }
    const float* own = centroids + static_cast<std::size_t>(label) * points.d;
    if (!(squared_distance(points.row(i), own, points.d) <= smallest * (1 + allowed) + floor)) wrong++;
  }
  return wrong;
}

/// Float64 means of the members; an empty cluster keeps its centroid.
inline std::vector<double> means_of(const Points& points, const float* centroids, std::size_t k,
                                    const std::vector<std::int32_t>& labels, std::vector<std::int64_t>& counts) {
  std::vector<double> means(k * points.d, 0.0);
  counts.assign(k, 0);
  for (std::size_t i = 0; i < points.n; i++) {
    const std::size_t label = static_cast<std::size_t>(labels[i]);
    counts[label]++;
    for (std::size_t j = 0; j < points.d; j++) means[label * points.d + j] += points.row(i)[j];
  }
  for (std::size_t at = 0; at < means.size(); at++) {
    const std::int64_t members = counts[at / points.d];
    means[at] = members == 0 ? centroids[at] : means[at] / static_cast<double>(members);
  }
  return means;
}

}  // namespace centroid_lab::cuda_test

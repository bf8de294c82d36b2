// What a variant is held to: kernels/contract.md, in float64 on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../native/check.hpp"
#include "clustering.hpp"
#include "exact_order.hpp"
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

/// Whether centroid a is truly nearer to the point than b, or as near and of lower index.
inline bool comes_before(const Points& points, const float* centroids, std::size_t i, std::size_t a, std::size_t b) {
  const int order = exact_order(points.row(i), centroids + a * points.d, centroids + b * points.d, points.d);
  return order < 0 || (order == 0 && a < b);
}

/// Labels of every `step`-th point that are not those of the truly nearest centroid, the lowest index on ties.
inline std::size_t uncanonical_labels(const Points& points, const float* centroids, std::size_t k,
                                      const std::vector<std::int32_t>& labels, std::size_t step) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < points.n; i += step) {
    const auto own = static_cast<std::size_t>(labels[i]);
    const double squared = squared_distance(points.row(i), centroids + own * points.d, points.d);
    for (std::size_t c = 0; c < k; c++) {
      const float* centroid = centroids + c * points.d;
      // What float64 tells apart need not be compared exactly.
      if (c == own || std::isnan(centroid[0]) || squared_distance(points.row(i), centroid, points.d) > squared * (1 + 1e-9)) continue;
      if (!comes_before(points, centroids, i, c, own)) continue;
      wrong++;
      break;
    }
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

// Inertia from cluster sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parts/process_group.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Mean of each feature and the sum of squares about it, float64.
struct Moments {
  std::vector<double> mean;
  double squares = 0;
};

/// Two passes over the points, O(n d). Blocks of fixed size are summed on their own, so the error stays that of
/// a block and the result does not depend on who computes it.
/// @param group that holds the whole, of which `points` are this process's part; null where they are all
template <class Real>
Moments moments_of(const PointsOf<Real>& points, ProcessGroup* group = nullptr);

/// J = sum|x-m|^2 - 2 sum (c-m).(S-n_c m) + sum n_c|c-m|^2, about the mean m so that little cancels. O(k d).
template <class Real>
double inertia_from_sums(const Moments& moments, const Real* centroids, const PassResult& pass);

/// Float64 squared distance of a point to a centroid.
template <class Real>
double squared_distance(const Real* point, const Real* centroid, std::size_t d);

}  // namespace centroid_lab

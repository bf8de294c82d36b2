// Inertia from cluster sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// Mean of each feature and the sum of squares about it, float64.
struct Moments {
  std::vector<double> mean;
  double squares = 0;
};

/// Two passes over the points, O(n d). Blocks of fixed size are summed on their own, so the error stays that of
/// a block and the result does not depend on who computes it.
Moments moments_of(const Points& points);

/// J = sum|x-m|^2 - 2 sum (c-m).(S-n_c m) + sum n_c|c-m|^2, about the mean m so that little cancels. O(k d).
double inertia_from_sums(const Moments& moments, const float* centroids, const PassResult& pass);

/// Float64 squared distance of a float32 point to a float32 centroid.
double squared_distance(const float* point, const float* centroid, std::size_t d);

}  // namespace centroid_lab

// The textbook search for the nearest centroid, shared by the variants that keep the studies' loops.
#pragma once

#include <cstddef>
#include <cstdint>

#include "types.hpp"

namespace centroid_lab {

/// Writes into `labels (n)` the index of the nearest of `centroids (k, d)` for the points from `first` to before
/// `last`: direct difference form in `Real`, features in order. Ties go to the lowest index; a NaN row (a dropped
/// cluster) is never nearest. The first centroid in play is the first candidate: no sentinel.
/// @returns how many of these labels were others before.
template <class Real>
std::int64_t label_nearest(const PointsOf<Real>& points, std::size_t first, std::size_t last, const Real* centroids,
                           std::size_t k, std::int32_t* labels);

/// Points between two looks at the cancel flag: about a million multiply-adds.
inline std::size_t points_per_look(std::size_t k, std::size_t d) {
  constexpr std::size_t work = std::size_t{1} << 20;
  return work / (k * d) + 1;
}

}  // namespace centroid_lab

#include "nearest.hpp"

#include <cmath>

#include "known_features.hpp"

namespace centroid_lab {
namespace {

/// From the first square on: an addition to 0 would be one more, which the compiler may not leave out.
template <class Real, std::size_t D>
Real squared_distance(const Real* point, const Real* centroid, Features<D> features) {
  const Real first = point[0] - centroid[0];
  Real distance = first * first;
  for (std::size_t j = 1; j < features.count(); j++) {
    const Real difference = point[j] - centroid[j];
    distance += difference * difference;
  }
  return distance;
}

template <std::size_t D, class Real>
std::int64_t label_rows(const PointsOf<Real>& points, std::size_t first, std::size_t last, const Real* centroids,
                        std::size_t k, std::int32_t* labels) {
  const Features<D> features(points.d);
  const std::size_t d = features.count();
  std::size_t first_in_play = 0;
  while (first_in_play + 1 < k && std::isnan(centroids[first_in_play * d])) first_in_play++;
  std::int64_t changed = 0;
  for (std::size_t i = first; i < last; i++) {
    const Real* point = points.x + i * d;
    // As narrow as a label: with 64 bits g++ 12 makes a loop that takes half as long again at d = 2.
    std::int32_t nearest = static_cast<std::int32_t>(first_in_play);
    Real smallest = squared_distance(point, centroids + first_in_play * d, features);
    // A few at a time: rolled up, the loop is up to 1.15 times slower where it lies badly.
#pragma GCC unroll 4
    for (std::size_t cluster = first_in_play + 1; cluster < k; cluster++) {
      // False where the centroid is NaN.
      const Real distance = squared_distance(point, centroids + cluster * d, features);
      if (distance < smallest) {
        smallest = distance;
        nearest = static_cast<std::int32_t>(cluster);
      }
    }
    changed += nearest != labels[i];
    labels[i] = nearest;
  }
  return changed;
}

}  // namespace

template <class Real>
std::int64_t label_nearest(const PointsOf<Real>& points, std::size_t first, std::size_t last, const Real* centroids,
                           std::size_t k, std::int32_t* labels) {
  return with_known_features(points.d, [&](auto d) {
    return label_rows<d>(points, first, last, centroids, k, labels);
  });
}

template std::int64_t label_nearest(const PointsOf<float>&, std::size_t, std::size_t, const float*, std::size_t,
                                    std::int32_t*);
template std::int64_t label_nearest(const PointsOf<double>&, std::size_t, std::size_t, const double*, std::size_t,
                                    std::int32_t*);

}  // namespace centroid_lab

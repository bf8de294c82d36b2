#include "nearest.hpp"

#include <cmath>
#include <type_traits>

namespace centroid_lab {
namespace {

/// Number of features, known to the compiler, or only when the program runs. The loops are the same; with a few
/// features that are known, a distance costs its arithmetic and nothing else, as in a program written for them.
template <std::size_t D>
struct Features {
  explicit Features(std::size_t) {}
  static constexpr std::size_t count() { return D; }
};

template <>
struct Features<0> {
  explicit Features(std::size_t d) : d_(d) {}
  std::size_t count() const { return d_; }

 private:
  std::size_t d_;
};

template <std::size_t D>
float squared_distance(const float* point, const float* centroid, Features<D> features) {
  float distance = 0;
  for (std::size_t j = 0; j < features.count(); j++) {
    const float difference = point[j] - centroid[j];
    distance += difference * difference;
  }
  return distance;
}

template <std::size_t D>
std::int64_t label_rows(const Points& points, std::size_t first, std::size_t last, const float* centroids, std::size_t k,
                        std::int32_t* labels) {
  const Features<D> features(points.d);
  const std::size_t d = features.count();
  std::size_t first_in_play = 0;
  while (first_in_play + 1 < k && std::isnan(centroids[first_in_play * d])) first_in_play++;
  std::int64_t changed = 0;
  for (std::size_t i = first; i < last; i++) {
    const float* point = points.x + i * d;
    std::size_t nearest = first_in_play;
    float smallest = squared_distance(point, centroids + first_in_play * d, features);
    for (std::size_t cluster = first_in_play + 1; cluster < k; cluster++) {
      // False where the centroid is NaN.
      const float distance = squared_distance(point, centroids + cluster * d, features);
      if (distance < smallest) {
        smallest = distance;
        nearest = cluster;
      }
    }
    const std::int32_t label = static_cast<std::int32_t>(nearest);
    changed += label != labels[i];
    labels[i] = label;
  }
  return changed;
}

}  // namespace

std::int64_t label_nearest(const Points& points, std::size_t first, std::size_t last, const float* centroids,
                           std::size_t k, std::int32_t* labels) {
  const auto with = [&](auto features) {
    return label_rows<decltype(features)::value>(points, first, last, centroids, k, labels);
  };
  switch (points.d) {
    case 1: return with(std::integral_constant<std::size_t, 1>{});
    case 2: return with(std::integral_constant<std::size_t, 2>{});
    case 3: return with(std::integral_constant<std::size_t, 3>{});
    case 4: return with(std::integral_constant<std::size_t, 4>{});
    case 5: return with(std::integral_constant<std::size_t, 5>{});
    case 6: return with(std::integral_constant<std::size_t, 6>{});
    case 7: return with(std::integral_constant<std::size_t, 7>{});
    case 8: return with(std::integral_constant<std::size_t, 8>{});
    default: return with(std::integral_constant<std::size_t, 0>{});
  }
}

}  // namespace centroid_lab

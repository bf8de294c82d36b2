// The textbook search for the nearest centroid, shared by the variants that keep the studies' loops.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace centroid_lab {

/// Index of the nearest of `centroids (k, d)` to `point (d)`, direct difference form in float32. Ties go to the
/// lowest index; a NaN row is never nearest. The first centroid in play is the first candidate: no sentinel.
inline std::int32_t nearest_centroid(const float* point, const float* centroids, std::size_t k, std::size_t d) {
  float smallest = 0;
  std::int32_t nearest = -1;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    const float* centroid = centroids + cluster * d;
    if (std::isnan(centroid[0])) continue;
    float distance = 0;
    for (std::size_t j = 0; j < d; j++) {
      const float difference = point[j] - centroid[j];
      distance += difference * difference;
    }
    if (nearest < 0 || distance < smallest) {
      smallest = distance;
      nearest = static_cast<std::int32_t>(cluster);
    }
  }
  return nearest;
}

/// Points between two looks at the cancel flag: about a million multiply-adds.
inline std::size_t points_per_look(std::size_t k, std::size_t d) {
  constexpr std::size_t work = std::size_t{1} << 20;
  return work / (k * d) + 1;
}

}  // namespace centroid_lab

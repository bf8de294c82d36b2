#include "methods/estimates/ball_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace centroid_lab {

float estimated_distance(const float* a, const float* b, std::size_t d) {
  float sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= d; j += 8) {
    for (std::size_t lane = 0; lane < 8; lane++) {
      const float difference = a[j + lane] - b[j + lane];
      sums[lane] += difference * difference;
    }
  }
  for (; j < d; j++) sums[0] += (a[j] - b[j]) * (a[j] - b[j]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

std::size_t candidates_of(const float* middle, float radius, const float* centroids, std::size_t k, std::size_t d) {
  std::vector<float> ways;
  for (std::size_t c = 0; c < k; c++) {
    const float* row = centroids + c * d;
    if (!std::isnan(row[0])) ways.push_back(std::sqrt(estimated_distance(middle, row, d)));
  }
  const float reach = *std::min_element(ways.begin(), ways.end()) + 2 * radius;
  return static_cast<std::size_t>(std::count_if(ways.begin(), ways.end(), [&](float way) { return way <= reach; }));
}

}  // namespace centroid_lab

#include "motion.hpp"

#include <algorithm>
#include <cmath>

namespace centroid_lab {

bool Motion::follow(const float* centroids, std::size_t k, std::size_t d) {
  const bool known = !before_.empty();
  if (!known) {
    before_.assign(centroids, centroids + k * d);
    moved_.assign(k, 1);
    return false;
  }
  bool comparable = true;
  double largest = 0;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    const float* from = before_.data() + cluster * d;
    const float* to = centroids + cluster * d;
    comparable = comparable && std::isnan(from[0]) == std::isnan(to[0]);
    double squares = 0;
    for (std::size_t j = 0; j < d; j++) {
      const double step = static_cast<double>(to[j]) - static_cast<double>(from[j]);
      squares += step * step;
    }
    moved_[cluster] = squares == 0 ? 0 : 1;
    if (squares > largest) largest = squares;
  }
  std::copy_n(centroids, k * d, before_.begin());
  largest_ = std::sqrt(largest) * (1 + 1e-9);
  return comparable;
}

}  // namespace centroid_lab

#include "methods/neighbour-groups/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace centroid_lab {
namespace {

double squared_step(const float* from, const float* to, std::size_t d) {
  double squares = 0;
  for (std::size_t j = 0; j < d; j++) {
    const double step = static_cast<double>(to[j]) - static_cast<double>(from[j]);
    squares += step * step;
  }
  return squares;
}

/// Root of a sum of squares, rounded up: covers the sum of up to 10^5 terms as well.
double root_above(double squares) { return std::sqrt(squares) * (1 + 1e-9); }

}  // namespace

bool Motion::follow(const float* centroids, std::size_t k, std::size_t d) {
  if (before_.empty()) {
    before_.assign(centroids, centroids + k * d);
    moved_.assign(k, 1);
    largest_ = 0;
    return false;
  }
  bool comparable = true;
  double largest = 0;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    const float* from = before_.data() + cluster * d;
    const float* to = centroids + cluster * d;
    comparable = comparable && std::isnan(from[0]) == std::isnan(to[0]);
    const double squares = squared_step(from, to, d);
    moved_[cluster] = squares == 0 ? 0 : 1;
    if (squares > largest) largest = squares;
  }
  std::copy_n(centroids, k * d, before_.begin());
  largest_ = root_above(largest);
  return comparable;
}

double Motion::way_to(const float* centroids, std::size_t k, std::size_t d) const {
  double largest = 0;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    const float* to = centroids + cluster * d;
    const bool in_play = !std::isnan(to[0]);
    if (before_.empty() || in_play == std::isnan(before_[cluster * d])) return std::numeric_limits<double>::infinity();
    if (in_play) largest = std::max(largest, squared_step(before_.data() + cluster * d, to, d));
  }
  return root_above(largest);
}

}  // namespace centroid_lab

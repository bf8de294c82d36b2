#include "methods/tiles/centroids_in_play.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace centroid_lab {
namespace {

double squared_norm(const float* centroid, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) sum += static_cast<double>(centroid[j]) * static_cast<double>(centroid[j]);
  return sum;
}

}  // namespace

void CentroidsInPlay::choose(const float* centroids, std::size_t k, std::size_t d) {
  clusters_.clear();
  squares_.clear();
  if (may_have_copies_) positions_.assign(std::bit_ceil(2 * k), -1);
  bool any_copy = false;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    const float* const centroid = centroids + cluster * d;
    if (std::isnan(centroid[0])) continue;
    const double square = squared_norm(centroid, d);
    if (may_have_copies_ && is_copy(centroids, cluster, square, d)) {
      any_copy = true;
      continue;
    }
    clusters_.push_back(static_cast<std::int32_t>(cluster));
    squares_.push_back(square);
  }
  may_have_copies_ = any_copy;
}

/// Notes the position of a centroid that is none, which is the next one.
bool CentroidsInPlay::is_copy(const float* centroids, std::size_t cluster, double square, std::size_t d) {
  const std::uint64_t spread = std::bit_cast<std::uint64_t>(square) * 0x9E3779B97F4A7C15ULL;
  std::size_t slot = static_cast<std::size_t>(spread >> 32) % positions_.size();
  for (; positions_[slot] >= 0; slot = (slot + 1) % positions_.size()) {
    const std::size_t position = static_cast<std::size_t>(positions_[slot]);
    if (squares_[position] != square) continue;
    const float* const other = centroids + static_cast<std::size_t>(clusters_[position]) * d;
    if (std::memcmp(other, centroids + cluster * d, d * sizeof(float)) == 0) return true;
  }
  positions_[slot] = static_cast<std::int32_t>(count());
  return false;
}

}  // namespace centroid_lab

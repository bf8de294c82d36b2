#include "methods/tiles/centroids_in_play.hpp"

#include <bit>
#include <cmath>

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
  if (may_have_copies_) copies_.begin(k);
  bool any_copy = false;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    const float* const centroid = centroids + cluster * d;
    if (std::isnan(centroid[0])) continue;
    const double square = squared_norm(centroid, d);
    if (may_have_copies_ && copies_.is_copy(centroid, d, std::bit_cast<std::uint64_t>(square))) {
      any_copy = true;
      continue;
    }
    clusters_.push_back(static_cast<std::int32_t>(cluster));
    squares_.push_back(square);
  }
  may_have_copies_ = any_copy;
}

}  // namespace centroid_lab

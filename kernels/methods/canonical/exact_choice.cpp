#include "methods/canonical/exact_choice.hpp"

#include <algorithm>

#include "exact_order.hpp"
#include "methods/canonical/near_tie.hpp"

namespace centroid_lab {
namespace {

/// Centroids whose float64 distances are computed side by side, so that their chains of additions overlap.
constexpr std::size_t side_by_side = 4;

/// Squared distances of a point to `count` of the centroids, each off by at most (d + 3) 2^-53 of itself.
void wide_distances(const Strided& point, const Strided* centroids, std::size_t count, std::size_t d, double* distances) {
  for (std::size_t first = 0; first < count; first += side_by_side) {
    Strided of[side_by_side];
    for (std::size_t i = 0; i < side_by_side; i++) of[i] = centroids[std::min(first + i, count - 1)];
    double sums[side_by_side] = {};
    for (std::size_t j = 0; j < d; j++) {
      const double coordinate = static_cast<double>(point[j]);
      for (std::size_t i = 0; i < side_by_side; i++) {
        const double difference = coordinate - static_cast<double>(of[i][j]);
        sums[i] += difference * difference;
      }
    }
    for (std::size_t i = 0; i < side_by_side && first + i < count; i++) distances[first + i] = sums[i];
  }
}

}  // namespace

NearTie near_tie(std::size_t d) {
  // A number in b bits moves a distance by less than 2^b units in its last place, each of which is at most 2 * 2^-24 of it.
  const double tags = 2 << NearTie::tag_bits;
  return {near_tie_factor(units_of_distance(d)), near_tie_rest(d), near_tie_factor(units_of_distance(d) + tags)};
}

ExactChoice::ExactChoice(const float* point, std::size_t apart, std::size_t centroid_apart, std::size_t d)
    : point_(point), apart_(apart), centroid_apart_(centroid_apart), d_(d) {}

void ExactChoice::offer(const float* centroid, std::int32_t index) {
  if (count_ == room) reduce();
  centroids_[count_] = centroid;
  indices_[count_++] = index;
}

std::int32_t ExactChoice::nearest() {
  if (count_ > 0) reduce();
  return indices_[0];
}

void ExactChoice::reduce() {
  const Strided point{point_, apart_};
  Strided centroids[room];
  for (std::size_t at = 0; at < count_; at++) centroids[at] = {centroids_[at], centroid_apart_};
  std::size_t left = count_;
  if (count_ > 1) {
    double distances[room];
    wide_distances(point, centroids, count_, d_, distances);
    const double least = *std::min_element(distances, distances + count_);
    const double bound = least * (1 + 4 * (static_cast<double>(d_) + 4) * 0x1p-53);
    left = 0;
    for (std::size_t at = 0; at < count_; at++) {
      if (distances[at] > bound) continue;
      centroids_[left] = centroids_[at];
      centroids[left] = centroids[at];
      indices_[left++] = indices_[at];
    }
  }
  const std::size_t best = exact_nearest(point, left, d_, [&](std::size_t at) { return centroids[at]; });
  centroids_[0] = centroids_[best];
  indices_[0] = indices_[best];
  count_ = 1;
}

}  // namespace centroid_lab

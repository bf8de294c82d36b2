#include "methods/canonical/exact_choice.hpp"

#include <algorithm>

#include "exact_order.hpp"
#include "methods/canonical/near_tie.hpp"

namespace centroid_lab {
namespace {

/// Candidates from which float64 distances are computed first.
constexpr std::size_t many = 3;

double wide_distance(const Strided& point, const Strided& centroid, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) {
    const double difference = static_cast<double>(point[j]) - static_cast<double>(centroid[j]);
    sum += difference * difference;
  }
  return sum;
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
  const auto centroid = [&](std::size_t at) { return Strided{centroids_[at], centroid_apart_}; };
  std::size_t left = count_;
  if (count_ >= many) {
    double distances[room];
    for (std::size_t at = 0; at < count_; at++) distances[at] = wide_distance(point, centroid(at), d_);
    // float64 distances are off by (d + 3) 2^-53 of themselves.
    const double least = *std::min_element(distances, distances + count_);
    const double bound = least * (1 + 4 * (static_cast<double>(d_) + 4) * 0x1p-53);
    left = 0;
    for (std::size_t at = 0; at < count_; at++) {
      if (distances[at] > bound) continue;
      centroids_[left] = centroids_[at];
      indices_[left++] = indices_[at];
    }
  }
  const std::size_t best = exact_nearest(point, left, d_, centroid);
  centroids_[0] = centroids_[best];
  indices_[0] = indices_[best];
  count_ = 1;
}

}  // namespace centroid_lab

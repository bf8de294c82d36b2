#include "methods/neighbour-groups/cluster_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/estimates/ball_candidates.hpp"
#include "methods/neighbour-groups/balls.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Groups that stand for all.
constexpr std::size_t samples = 32;

/// Rank of each cluster in a chain in which each is followed by the one nearest to it of those left. Clusters out of play, whose
/// rows are NaN, have no points and may come anywhere.
std::vector<std::uint32_t> chain_of(const float* centroids, std::size_t k, std::size_t d) {
  std::vector<std::size_t> left(k);
  for (std::size_t c = 0; c < k; c++) left[c] = c;
  std::vector<std::uint32_t> ranks(k);
  std::size_t here = 0;
  for (std::uint32_t rank = 0; rank < k; rank++) {
    std::size_t next = 0;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < left.size(); i++) {
      const float squares = estimated_distance(centroids + here * d, centroids + left[i] * d, d);
      if (squares < least) next = i;
      least = squares < least ? squares : least;
    }
    here = left[next];
    ranks[here] = rank;
    left[next] = left.back();
    left.pop_back();
  }
  return ranks;
}

/// Centroids that cannot be ruled out in the ball of points first..last-1 of the order.
std::size_t candidates_of_group(const Points& points, const std::uint32_t* first, const std::uint32_t* last,
                                const float* centroids, std::size_t k) {
  std::vector<float> middle(points.d, 0);
  const float part = 1 / static_cast<float>(last - first);
  for (const std::uint32_t* at = first; at != last; at++) {
    const float* row = points.row(*at);
    for (std::size_t j = 0; j < points.d; j++) middle[j] += part * row[j];
  }
  float largest = 0;
  for (const std::uint32_t* at = first; at != last; at++) {
    largest = std::max(largest, estimated_distance(points.row(*at), middle.data(), points.d));
  }
  return candidates_of(middle.data(), std::sqrt(largest), centroids, k, points.d);
}

}  // namespace

std::vector<std::uint32_t> order_by_clusters(const Points& points, const std::int32_t* labels, const float* centroids,
                                             std::size_t k) {
  const std::vector<std::uint32_t> ranks = chain_of(centroids, k, points.d);
  std::vector<std::uint32_t> next(k + 1, 0);
  const auto rank_of = [&](std::size_t i) { return ranks[static_cast<std::size_t>(labels[i])]; };
  for (std::size_t i = 0; i < points.n; i++) next[rank_of(i) + 1]++;
  for (std::size_t rank = 1; rank < next.size(); rank++) next[rank] += next[rank - 1];
  std::vector<std::uint32_t> order(points.n);
  for (std::size_t i = 0; i < points.n; i++) order[next[rank_of(i)]++] = static_cast<std::uint32_t>(i);
  return order;
}

double expected_share(const Points& points, const std::vector<std::uint32_t>& order, const float* centroids,
                      std::size_t k) {
  constexpr std::size_t size = tiles_of_group * tile_points;
  const std::size_t groups = (points.n + size - 1) / size;
  const std::size_t count = std::min(samples, groups);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t first = (2 * i + 1) * groups / (2 * count) * size;
    const std::size_t last = std::min(first + size, points.n);
    left += candidates_of_group(points, order.data() + first, order.data() + last, centroids, k);
  }
  return static_cast<double>(left) / static_cast<double>(count * k);
}

}  // namespace centroid_lab

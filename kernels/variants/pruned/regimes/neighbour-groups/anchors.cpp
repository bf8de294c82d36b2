#include "anchors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/estimates/ball_candidates.hpp"

namespace centroid_lab {
namespace {

/// Anchors there should be at least.
constexpr std::size_t min_anchors = 64;
/// Points that stand for all.
constexpr std::size_t samples = 1024;
/// Anchors around which candidates are counted.
constexpr std::size_t counted_anchors = 64;
std::size_t sample_count(const Points& points) { return std::min(samples, points.n); }

std::size_t sample_at(const Points& points, std::size_t i) { return i * points.n / sample_count(points); }

/// Farthest point of the sample from all anchors, again and again, until there are enough.
void extend(const Points& points, std::vector<float>& rows, std::size_t count) {
  std::vector<float> nearest(sample_count(points), std::numeric_limits<float>::infinity());
  const auto come_nearer = [&](const float* row) {
    for (std::size_t i = 0; i < nearest.size(); i++) {
      nearest[i] = std::min(nearest[i], estimated_distance(points.row(sample_at(points, i)), row, points.d));
    }
  };
  for (std::size_t c = 0; c < count; c++) come_nearer(rows.data() + c * points.d);
  for (; count < min_anchors; count++) {
    const auto farthest = std::max_element(nearest.begin(), nearest.end());
    if (!(*farthest > 0)) return;
    const float* row = points.row(sample_at(points, static_cast<std::size_t>(farthest - nearest.begin())));
    rows.insert(rows.end(), row, row + points.d);
    come_nearer(row);
  }
}

std::int32_t nearest_anchor(const float* point, const Anchors& anchors, std::size_t d) {
  std::size_t nearest = 0;
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t c = 0; c < anchors.count; c++) {
    const float squares = estimated_distance(point, anchors.rows.data() + c * d, d);
    if (squares < least) nearest = c;
    least = std::min(least, squares);
  }
  return static_cast<std::int32_t>(nearest);
}

}  // namespace

Anchors::Anchors(const Points& points, const float* centroids, std::size_t k) {
  for (std::size_t c = 0; c < k; c++) {
    const float* row = centroids + c * points.d;
    if (!std::isnan(row[0])) rows.insert(rows.end(), row, row + points.d);
  }
  count = rows.size() / points.d;
  extended = count < min_anchors;
  if (extended) extend(points, rows, count);
  count = rows.size() / points.d;
}

std::vector<std::uint32_t> Anchors::chain(std::size_t d) const {
  std::vector<std::uint32_t> left(count);
  for (std::uint32_t c = 0; c < count; c++) left[c] = c;
  std::vector<std::uint32_t> ranks(count);
  std::uint32_t here = 0;
  for (std::uint32_t rank = 0; rank < count; rank++) {
    std::size_t next = 0;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < left.size(); i++) {
      const float squares = estimated_distance(rows.data() + here * d, rows.data() + left[i] * d, d);
      if (squares < least) next = i;
      least = std::min(least, squares);
    }
    here = left[next];
    ranks[here] = rank;
    left[next] = left.back();
    left.pop_back();
  }
  return ranks;
}

double expected_share(const Points& points, const Anchors& anchors, const std::int32_t* labels,
                      const float* centroids, std::size_t k) {
  const std::size_t d = points.d;
  std::vector<float> radii(anchors.count, -1);
  std::vector<std::size_t> members(anchors.count, 0);
  for (std::size_t i = 0; i < sample_count(points); i++) {
    const std::size_t at = sample_at(points, i);
    const std::int32_t label = labels != nullptr ? labels[at] : nearest_anchor(points.row(at), anchors, d);
    const std::size_t anchor = static_cast<std::size_t>(label);
    const float radius = std::sqrt(estimated_distance(points.row(at), anchors.rows.data() + anchor * d, d));
    radii[anchor] = std::max(radii[anchor], radius);
    members[anchor]++;
  }
  double left = 0, all = 0;
  const std::size_t step = anchors.count / counted_anchors + 1;
  for (std::size_t anchor = 0; anchor < anchors.count; anchor += step) {
    if (members[anchor] == 0) continue;
    const float* middle = anchors.rows.data() + anchor * d;
    left += static_cast<double>(members[anchor] * candidates_of(middle, radii[anchor], centroids, k, d));
    all += static_cast<double>(members[anchor] * k);
  }
  return all > 0 ? left / all : 1;
}

std::vector<std::uint32_t> order_by(const std::vector<std::int32_t>& labels, const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> next(ranks.size() + 1, 0);
  const auto rank_of = [&](std::size_t i) { return ranks[static_cast<std::size_t>(labels[i])]; };
  for (std::size_t i = 0; i < labels.size(); i++) next[rank_of(i) + 1]++;
  for (std::size_t rank = 1; rank < next.size(); rank++) next[rank] += next[rank - 1];
  std::vector<std::uint32_t> order(labels.size());
  for (std::size_t i = 0; i < labels.size(); i++) order[next[rank_of(i)]++] = static_cast<std::uint32_t>(i);
  return order;
}

}  // namespace centroid_lab

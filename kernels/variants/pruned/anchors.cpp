#include "anchors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "leaves.hpp"

namespace centroid_lab {
namespace {

/// Anchors there should be at least.
constexpr std::size_t fewest_anchors = 64;
/// Points that stand for all.
constexpr std::size_t samples = 1024;
/// Anchors around which candidates are counted.
constexpr std::size_t counted_anchors = 64;
/// Leaves that stand for all, points among which their neighbours are looked for, and points that stand for centroids.
constexpr std::size_t probes = 24;
constexpr std::size_t probe_points = 8192;
constexpr std::size_t most_stand_ins = 1024;

/// Squared distance for estimates: side by side sums, no exact order.
float distance(const float* a, const float* b, std::size_t d) {
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

std::size_t sample_count(const Points& points) { return std::min(samples, points.n); }

std::size_t sample_at(const Points& points, std::size_t i) { return i * points.n / sample_count(points); }

/// Farthest point of the sample from all anchors, again and again, until there are enough.
void extend(const Points& points, std::vector<float>& rows, std::size_t count) {
  std::vector<float> nearest(sample_count(points), std::numeric_limits<float>::infinity());
  const auto come_nearer = [&](const float* row) {
    for (std::size_t i = 0; i < nearest.size(); i++) {
      nearest[i] = std::min(nearest[i], distance(points.row(sample_at(points, i)), row, points.d));
    }
  };
  for (std::size_t c = 0; c < count; c++) come_nearer(rows.data() + c * points.d);
  for (; count < fewest_anchors; count++) {
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
    const float squares = distance(point, anchors.rows.data() + c * d, d);
    if (squares < least) nearest = c;
    least = std::min(least, squares);
  }
  return static_cast<std::int32_t>(nearest);
}

/// Centroids that cannot be ruled out for a ball around `middle`.
std::size_t candidates_of(const float* middle, float radius, const float* centroids, std::size_t k, std::size_t d) {
  std::vector<float> ways;
  for (std::size_t c = 0; c < k; c++) {
    const float* row = centroids + c * d;
    if (!std::isnan(row[0])) ways.push_back(std::sqrt(distance(middle, row, d)));
  }
  const float reach = *std::min_element(ways.begin(), ways.end()) + 2 * radius;
  return static_cast<std::size_t>(std::count_if(ways.begin(), ways.end(), [&](float way) { return way <= reach; }));
}

}  // namespace

Anchors::Anchors(const Points& points, const float* centroids, std::size_t k) {
  for (std::size_t c = 0; c < k; c++) {
    const float* row = centroids + c * points.d;
    if (!std::isnan(row[0])) rows.insert(rows.end(), row, row + points.d);
  }
  count = rows.size() / points.d;
  extended = count < fewest_anchors;
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
      const float squares = distance(rows.data() + here * d, rows.data() + left[i] * d, d);
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
    const float radius = std::sqrt(distance(points.row(at), anchors.rows.data() + anchor * d, d));
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

double expected_leaf_share(const Points& points, std::size_t k) {
  const std::size_t d = points.d;
  const std::size_t probed = std::min(probe_points, points.n);
  const std::size_t count = std::min(k, most_stand_ins);
  std::vector<float> centroids;
  for (std::size_t c = 0; c < count; c++) {
    const float* row = points.row(c * points.n / count);
    centroids.insert(centroids.end(), row, row + d);
  }
  // A leaf reaches as far among all points as it does among some, but for their density.
  const double density = static_cast<double>(probed) / static_cast<double>(points.n);
  const float scale = static_cast<float>(std::pow(density, 1 / static_cast<double>(d)));
  std::vector<float> squares(probed);
  double left = 0;
  for (std::size_t probe = 0; probe < probes; probe++) {
    const float* middle = points.row((2 * probe + 1) * points.n / (2 * probes));
    for (std::size_t i = 0; i < probed; i++) squares[i] = distance(middle, points.row(i * points.n / probed), d);
    const auto last = squares.begin() + static_cast<std::ptrdiff_t>(std::min(leaf_points, probed) - 1);
    std::nth_element(squares.begin(), last, squares.end());
    left += static_cast<double>(candidates_of(middle, scale * std::sqrt(*last), centroids.data(), count, d));
  }
  return left / static_cast<double>(probes * count);
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

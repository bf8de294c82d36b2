#include "kd_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "leaves.hpp"
#include "tiles.hpp"

namespace centroid_lab {
namespace {

/// Below this many, the library's selection; above, a pivot from as many samples.
constexpr std::size_t few = 64;

template <int D>
struct Record {
  float x[D];
  std::uint32_t index;
};

template <int D>
struct Range {
  Record<D>* first;
  std::size_t points;
  std::size_t leaves;
};

template <int D>
int widest_feature(const Range<D>& range) {
  float low[D], high[D];
  for (int j = 0; j < D; j++) low[j] = high[j] = range.first->x[j];
  for (std::size_t i = 1; i < range.points; i++) {
    for (int j = 0; j < D; j++) {
      const float value = range.first[i].x[j];
      low[j] = value < low[j] ? value : low[j];
      high[j] = value > high[j] ? value : high[j];
    }
  }
  int widest = 0;
  for (int j = 1; j < D; j++) widest = high[j] - low[j] > high[widest] - low[widest] ? j : widest;
  return widest;
}

/// Brings records for which `goes_left` holds to the front, without a branch that could be mispredicted.
template <int D, class GoesLeft>
std::size_t partition(Record<D>* records, std::size_t count, GoesLeft goes_left) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; i++) {
    const Record<D> record = records[i];
    records[i] = records[left];
    records[left] = record;
    left += goes_left(record) ? 1 : 0;
  }
  return left;
}

/// The sample whose share of smaller ones is that of `rank`.
template <int D>
float pivot_of(const Record<D>* records, std::size_t count, std::size_t rank, int feature) {
  float samples[few];
  for (std::size_t i = 0; i < few; i++) samples[i] = records[i * (count - 1) / (few - 1)].x[feature];
  float* const wanted = samples + rank * few / count;
  std::nth_element(samples, wanted, samples + few);
  return *wanted;
}

/// Puts the record of rank `rank` by a feature in its place, none greater before it and none less after it.
template <int D>
void select(Record<D>* records, std::size_t count, std::size_t rank, int feature) {
  while (count > few) {
    const float pivot = pivot_of(records, count, rank, feature);
    std::size_t left = partition(records, count, [&](const auto& record) { return record.x[feature] < pivot; });
    if (rank < left) {
      count = left;
      continue;
    }
    if (left < count / few) {
      // Hardly anything is less: take out what is equal too, so that equal values cannot hold this up.
      const auto is_equal = [&](const auto& record) { return record.x[feature] == pivot; };
      left += partition(records + left, count - left, is_equal);
      if (rank < left) return;
    }
    records += left;
    count -= left;
    rank -= left;
  }
  if (rank >= count) return;
  const auto is_less = [&](const auto& a, const auto& b) { return a.x[feature] < b.x[feature]; };
  std::nth_element(records, records + rank, records + count, is_less);
}

template <int D>
std::pair<Range<D>, Range<D>> split(const Range<D>& range) {
  const std::size_t leaves = left_leaves(range.leaves);
  const std::size_t points = leaves * leaf_points;
  select(range.first, range.points, points, widest_feature(range));
  return {{range.first, points, leaves}, {range.first + points, range.points - points, range.leaves - leaves}};
}

template <int D>
void split_to_leaves(const Range<D>& range) {
  if (range.leaves == 1) return;
  const auto [left, right] = split(range);
  split_to_leaves(left);
  split_to_leaves(right);
}

/// Level by level until there are enough ranges for all threads, each of them then on its own.
template <int D>
void sort_records(std::vector<Record<D>>& records, ThreadPool& pool) {
  const auto never = [] { return false; };
  std::vector<Range<D>> ranges{{records.data(), records.size(), (records.size() + leaf_points - 1) / leaf_points}};
  while (pool.size() > 1 && ranges.size() < 4 * pool.size() && ranges.back().leaves > 1) {
    std::vector<Range<D>> halves(2 * ranges.size());
    const auto split_one = [&](std::size_t, std::size_t first, std::size_t) {
      std::tie(halves[2 * first], halves[2 * first + 1]) = split(ranges[first]);
    };
    pool.share(ranges.size(), 1, split_one, never);
    ranges = std::move(halves);
  }
  const auto finish = [&](std::size_t, std::size_t first, std::size_t) { split_to_leaves(ranges[first]); };
  pool.share(ranges.size(), 1, finish, never);
}

template <int D>
OrderedPoints order_of(const Points& points, ThreadPool& pool) {
  std::vector<Record<D>> records(points.n);
  for (std::size_t i = 0; i < points.n; i++) {
    std::copy_n(points.row(i), D, records[i].x);
    records[i].index = static_cast<std::uint32_t>(i);
  }
  sort_records(records, pool);
  OrderedPoints ordered;
  ordered.order.resize(points.n);
  ordered.tiles.assign((points.n + tile_points - 1) / tile_points * tile_points * D, 0.0F);
  const auto fill = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) {
      float* to = ordered.tiles.data() + i / tile_points * tile_points * D + i % tile_points;
      for (int j = 0; j < D; j++) to[static_cast<std::size_t>(j) * tile_points] = records[i].x[j];
      ordered.order[i] = records[i].index;
    }
  };
  pool.share(points.n, std::size_t{1} << 14, fill, [] { return false; });
  return ordered;
}

}  // namespace

OrderedPoints kd_order(const Points& points, ThreadPool& pool) {
  switch (points.d) {
    case 1: return order_of<1>(points, pool);
    case 2: return order_of<2>(points, pool);
    case 3: return order_of<3>(points, pool);
    case 4: return order_of<4>(points, pool);
    case 5: return order_of<5>(points, pool);
    case 6: return order_of<6>(points, pool);
    case 7: return order_of<7>(points, pool);
    default: return order_of<8>(points, pool);
  }
}

}  // namespace centroid_lab

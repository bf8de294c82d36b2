#include "kd_order.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "leaves.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Below this many, the library's selection.
constexpr std::size_t few = 48;
/// Points that a pivot is chosen from, in a small and in a large range.
constexpr std::size_t few_samples = 7;
constexpr std::size_t many_samples = 63;
constexpr std::size_t large = 2048;
/// Points that stand for a range when its widest feature is looked for.
constexpr std::size_t points_for_width = 256;

/// As many lanes as there are features, and one more for the index; whole vectors, so that moving one takes few
/// instructions.
template <int D>
struct alignas(16) Record {
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
  const std::size_t step = range.points / points_for_width + 1;
  for (std::size_t i = 0; i < range.points; i += step) {
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

/// Swaps in whole vectors: a load right after stores in pieces would have to wait for them.
template <int D>
inline void swap_whole(Record<D>& a, Record<D>& b) {
  using Four = float __attribute__((vector_size(16), may_alias));
  constexpr std::size_t vectors = sizeof(Record<D>) / sizeof(Four);
  Four* of_a = reinterpret_cast<Four*>(&a);
  Four* of_b = reinterpret_cast<Four*>(&b);
  for (std::size_t at = 0; at < vectors; at++) {
    const Four value = of_a[at];
    of_a[at] = of_b[at];
    of_b[at] = value;
  }
}

/// Brings records whose feature `goes_left` to the front, without a branch that could be mispredicted.
template <int D, class GoesLeft>
std::size_t partition(Record<D>* records, std::size_t count, int feature, GoesLeft goes_left) {
  const float* values = records->x + feature;
  constexpr std::size_t stride = sizeof(Record<D>) / sizeof(float);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t step = goes_left(values[i * stride]) ? 1 : 0;
    swap_whole(records[i], records[left]);
    left += step;
  }
  return left;
}

/// The sample whose share of smaller ones is that of `rank`.
template <int D>
float pivot_of(const Record<D>* records, std::size_t count, std::size_t rank, int feature) {
  const std::size_t size = count < large ? few_samples : many_samples;
  float samples[many_samples];
  for (std::size_t i = 0; i < size; i++) {
    const float value = records[(2 * i + 1) * count / (2 * size)].x[feature];
    std::size_t at = i;
    for (; at > 0 && samples[at - 1] > value; at--) samples[at] = samples[at - 1];
    samples[at] = value;
  }
  return samples[rank * size / count];
}

/// Puts the record of rank `rank` by a feature in its place, none greater before it and none less after it.
template <int D>
void select(Record<D>* records, std::size_t count, std::size_t rank, int feature) {
  while (count > few) {
    const float pivot = pivot_of(records, count, rank, feature);
    std::size_t left = partition(records, count, feature, [pivot](float value) { return value < pivot; });
    if (rank < left) {
      count = left;
      continue;
    }
    if (left < count / few) {
      // Hardly anything is less: take out what is equal too, so that equal values cannot hold this up.
      const auto is_equal = [pivot](float value) { return value == pivot; };
      left += partition(records + left, count - left, feature, is_equal);
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

/// Sorts records (count): level by level until there are enough ranges for all threads, each of them then on its own.
template <int D>
void sort_records(Record<D>* records, std::size_t count, ThreadPool& pool) {
  const auto never = [] { return false; };
  const std::size_t leaves = (count + leaf_points - 1) / leaf_points;
  std::vector<Range<D>> ranges{{records, count, leaves}};
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
  const auto records = std::make_unique_for_overwrite<Record<D>[]>(points.n);
  for (std::size_t i = 0; i < points.n; i++) {
    std::copy_n(points.row(i), D, records[i].x);
    records[i].index = static_cast<std::uint32_t>(i);
  }
  sort_records(records.get(), points.n, pool);
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

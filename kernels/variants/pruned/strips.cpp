#include "strips.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "packed.hpp"

namespace centroid_lab {
namespace {

/// Points that stand for all when the range of a feature is looked for; what lies outside goes into the outermost buckets.
constexpr std::size_t points_for_range = 1024;
/// Buckets that strips are put together of.
constexpr std::size_t strip_buckets = 4096;
/// Buckets that a strip is sorted by: so many for a tile, at most.
constexpr std::size_t buckets_of_tile = 16;
constexpr std::size_t most_buckets = 4096;
/// Strips of a line: enough of them for all threads.
constexpr std::size_t strips_of_line = 64;

template <int D>
struct Record {
  float x[D];
  std::uint32_t index;
};

/// Points before and after the first cut.
template <int D>
struct AsTheyCame {
  const float* x;
  const float* row(std::size_t i) const { return x + i * D; }
  std::uint32_t index(std::size_t i) const { return static_cast<std::uint32_t>(i); }
};
template <int D>
struct AsTheyWereCut {
  const Record<D>* records;
  const float* row(std::size_t i) const { return records[i].x; }
  std::uint32_t index(std::size_t i) const { return records[i].index; }
};

/// Equal buckets over a range; the outermost ones are open to the outside.
class Buckets {
 public:
  Buckets(float low, float high, std::size_t count, bool backwards)
      : low_(low), last_(static_cast<float>(count - 1)), offset_(backwards ? static_cast<float>(count) : 0.0F) {
    const float scale = static_cast<float>(count) / (backwards ? low - high : high - low);
    // All values are equal, or nearly so.
    scale_ = std::isfinite(scale) ? scale : 0;
  }

  std::size_t of(float value) const {
    // By way of a signed number, which is one instruction.
    const auto at = static_cast<std::int32_t>(std::min(std::max((value - low_) * scale_ + offset_, 0.0F), last_));
    return static_cast<std::size_t>(at);
  }

 private:
  float low_;
  float last_;
  float scale_ = 0;
  float offset_;
};

/// Neighbours in the order that is being made, in part of which only earlier features have been looked at.
struct Region {
  std::size_t first;
  std::size_t count;
  bool backwards;
};

/// @param value value(i) of point i of the region.
template <class Value>
Buckets buckets_over(const Region& region, std::size_t count, const Value& value) {
  const std::size_t step = region.count / points_for_range + 1;
  float low = value(0);
  float high = low;
  for (std::size_t i = step; i < region.count; i += step) {
    low = std::min(low, value(i));
    high = std::max(high, value(i));
  }
  return {low, high, count, region.backwards};
}

/// Which strip each bucket belongs to: neighbouring buckets together, until there are about `wanted` strips.
std::vector<std::uint32_t> strips_of(const std::vector<std::vector<std::uint32_t>>& members, const Region& region,
                                     std::size_t wanted) {
  std::vector<std::uint32_t> strips(strip_buckets);
  std::uint32_t strip = 0;
  std::size_t before = 0;
  for (std::size_t bucket = 0; bucket < strip_buckets; bucket++) {
    strips[bucket] = strip;
    for (const auto& part : members) before += part[bucket];
    if (before * wanted >= (strip + std::size_t{1}) * region.count) strip++;
  }
  return strips;
}

/// Strips of a region in `features` features whose tiles are about as long as they are wide.
std::size_t strips_for(std::size_t points, int features) {
  const double tiles = static_cast<double>(points) / tile_points;
  if (features == 1) return std::min(strips_of_line, static_cast<std::size_t>(tiles) + 1);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(std::pow(tiles, 1.0 / features))));
}

/// Cuts a region of records, told by `source`, into strips across feature J. Each part is counted and moved on its own.
/// @param for_parts for_parts(task) calls task(part) for all of `parts`.
template <int D, int J, class Source, class ForParts>
void cut(const Source& source, const Region& region, std::size_t parts, const ForParts& for_parts, Record<D>* to,
         std::vector<Region>& regions) {
  const auto value = [&](std::size_t i) { return source.row(i)[J]; };
  const Buckets buckets = buckets_over(region, strip_buckets, value);
  const auto begin_of = [&](std::size_t part) { return region.count * part / parts; };
  std::vector<std::vector<std::uint32_t>> members(parts, std::vector<std::uint32_t>(strip_buckets));
  for_parts([&](std::size_t part) {
    std::uint32_t* own = members[part].data();
    const std::size_t end = begin_of(part + 1);
    for (std::size_t i = begin_of(part); i < end; i++) own[buckets.of(value(i))]++;
  });
  const std::vector<std::uint32_t> strips = strips_of(members, region, strips_for(region.count, J + 1));
  std::vector<std::vector<std::size_t>> next(parts, std::vector<std::size_t>(strips.back() + 1));
  for (std::size_t part = 0; part < parts; part++) {
    for (std::size_t bucket = 0; bucket < strip_buckets; bucket++) next[part][strips[bucket]] += members[part][bucket];
  }
  std::size_t at = region.first;
  for (std::size_t strip = 0; strip <= strips.back(); strip++) {
    const std::size_t first = at;
    for (auto& places : next) {
      const std::size_t size = places[strip];
      places[strip] = at;
      at += size;
    }
    if (at > first) regions.push_back({first, at - first, regions.size() % 2 == 1});
  }
  for_parts([&](std::size_t part) {
    std::size_t* own = next[part].data();
    const std::size_t end = begin_of(part + 1);
    for (std::size_t i = begin_of(part); i < end; i++) {
      const float* row = source.row(i);
      // One by one: a whole record that was just put together could not be loaded before its parts are stored.
      Record<D>& record = to[own[strips[buckets.of(row[J])]]++];
      for (int j = 0; j < D; j++) record.x[j] = row[j];
      record.index = source.index(i);
    }
  });
}

/// Puts one region in the order of the first feature, into its tiles.
template <int D>
void sort_region(const Record<D>* records, const Region& region, OrderedPoints& to) {
  const std::size_t count = std::min(most_buckets, (region.count / tile_points + 1) * buckets_of_tile);
  const Buckets buckets = buckets_over(region, count, [&](std::size_t i) { return records[i].x[0]; });
  std::vector<std::uint32_t> next(count + 1);
  for (std::size_t i = 0; i < region.count; i++) next[buckets.of(records[i].x[0]) + 1]++;
  for (std::size_t bucket = 1; bucket < count; bucket++) next[bucket] += next[bucket - 1];
  // Numbers first, which fit into the nearest cache, then the records, written one after the other.
  std::vector<std::uint32_t> sorted(region.count);
  for (std::size_t i = 0; i < region.count; i++) {
    sorted[next[buckets.of(records[i].x[0])]++] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < region.count; i++) {
    const Record<D>& record = records[sorted[i]];
    const std::size_t place = region.first + i;
    float* tile = to.tiles.data() + place / tile_points * tile_points * D + place % tile_points;
    for (int j = 0; j < D; j++) tile[static_cast<std::size_t>(j) * tile_points] = record.x[j];
    to.order[place] = record.index;
  }
}

/// All points into strips across the last feature, by all threads.
template <int D>
std::vector<Region> cut_points(const Points& points, ThreadPool& pool, Record<D>* to) {
  const auto for_parts = [&](const auto& task) { pool.run([&](std::size_t worker) { task(worker); }); };
  std::vector<Region> regions;
  cut<D, D - 1>(AsTheyCame<D>{points.x}, Region{0, points.n, false}, pool.size(), for_parts, to, regions);
  return regions;
}

/// Each region into strips across the feature before the last, by one thread.
template <int D>
std::vector<Region> cut_regions(const Record<D>* from, const std::vector<Region>& regions, ThreadPool& pool,
                                Record<D>* to) {
  std::vector<std::vector<Region>> cuts(regions.size());
  const auto cut_one = [&](std::size_t, std::size_t at, std::size_t) {
    const Region& region = regions[at];
    cut<D, D - 2>(AsTheyWereCut<D>{from + region.first}, region, 1, [](const auto& task) { task(0); }, to, cuts[at]);
  };
  pool.share(regions.size(), 1, cut_one, [] { return false; });
  std::vector<Region> all;
  for (const auto& own : cuts) all.insert(all.end(), own.begin(), own.end());
  return all;
}

template <int D>
OrderedPoints order_of(const Points& points, ThreadPool& pool) {
  Aligned<Record<D>> records(points.n);
  std::vector<Region> regions = cut_points<D>(points, pool, records.data());
  if constexpr (D == 3) {
    Aligned<Record<D>> cut_twice(points.n);
    regions = cut_regions<D>(records.data(), regions, pool, cut_twice.data());
    records.swap(cut_twice);
  }
  OrderedPoints ordered;
  ordered.order.resize(points.n);
  const std::size_t tiles = tiles_for(points.n);
  ordered.tiles.resize(tiles * tile_points * D);
  std::fill(ordered.tiles.end() - tile_points * D, ordered.tiles.end(), 0.0F);
  const auto sort = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at++) {
      sort_region<D>(records.data() + regions[at].first, regions[at], ordered);
    }
  };
  pool.share(regions.size(), 1, sort, [] { return false; });
  return ordered;
}

}  // namespace

OrderedPoints strip_order(const Points& points, ThreadPool& pool) {
  switch (points.d) {
    case 1: return order_of<1>(points, pool);
    case 2: return order_of<2>(points, pool);
    default: return order_of<3>(points, pool);
  }
}

}  // namespace centroid_lab

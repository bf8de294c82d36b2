#include "strips.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "methods/tiles/packed_centroids.hpp"

namespace centroid_lab {
namespace {

/// Points that stand for all when the range of a feature is looked for; what lies outside goes into the outermost buckets.
constexpr std::size_t points_for_range = 1024;
/// Buckets that strips are put together of.
constexpr std::size_t strip_buckets = 4096;
/// Buckets that a strip is sorted by: so many for a tile, at most.
constexpr std::size_t buckets_of_tile = 16;
constexpr std::size_t max_buckets = 4096;
/// Strips of a line: enough of them for all threads.
constexpr std::size_t strips_of_line = 64;

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

/// Cuts a region into strips across feature J: rows (count, D) from `from` on go to `to`, where all regions lie. Each part
/// is counted and moved on its own.
/// @param for_parts for_parts(task) calls task(part) for all of `parts`.
template <int D, int J, class ForParts>
void cut(const float* from, const Region& region, std::size_t parts, const ForParts& for_parts, float* to,
         std::vector<Region>& regions) {
  const auto value = [&](std::size_t i) { return from[i * D + J]; };
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
    for (auto& slots : next) {
      const std::size_t size = slots[strip];
      slots[strip] = at;
      at += size;
    }
    if (at > first) regions.push_back({first, at - first, regions.size() % 2 == 1});
  }
  for_parts([&](std::size_t part) {
    std::size_t* own = next[part].data();
    const std::size_t end = begin_of(part + 1);
    for (std::size_t i = begin_of(part); i < end; i++) {
      std::memcpy(to + D * own[strips[buckets.of(value(i))]]++, from + D * i, D * sizeof(float));
    }
  });
}

/// What sorting a region needs; kept from one to the next.
struct SortingRoom {
  std::vector<std::uint16_t> buckets;
  std::vector<std::uint32_t> next;
  std::vector<std::uint32_t> sorted;
};

/// Puts one region in the order of the first feature, into its tiles.
template <int D>
void sort_region(const float* rows, const Region& region, SortingRoom& room, float* tiles) {
  const std::size_t count = std::min(max_buckets, (region.count / tile_points + 1) * buckets_of_tile);
  const Buckets buckets = buckets_over(region, count, [&](std::size_t i) { return rows[i * D]; });
  room.buckets.resize(region.count);
  room.sorted.resize(region.count);
  room.next.assign(count + 1, 0);
  std::uint32_t* next = room.next.data();
  for (std::size_t i = 0; i < region.count; i++) {
    const std::size_t bucket = buckets.of(rows[i * D]);
    room.buckets[i] = static_cast<std::uint16_t>(bucket);
    next[bucket + 1]++;
  }
  for (std::size_t bucket = 1; bucket < count; bucket++) next[bucket] += next[bucket - 1];
  // Numbers first, which fit into the nearest cache, then the rows, written one after the other.
  for (std::size_t i = 0; i < region.count; i++) room.sorted[next[room.buckets[i]]++] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < region.count; i++) {
    const float* row = rows + D * room.sorted[i];
    const std::size_t slot = region.first + i;
    float* tile = tiles + slot / tile_points * tile_points * D + slot % tile_points;
    for (int j = 0; j < D; j++) tile[static_cast<std::size_t>(j) * tile_points] = row[j];
  }
}

/// All points into strips across the last feature, by all threads.
template <int D>
std::vector<Region> cut_points(const Points& points, ThreadPool& pool, float* to) {
  const auto for_parts = [&](const auto& task) { pool.run([&](std::size_t worker) { task(worker); }); };
  std::vector<Region> regions;
  cut<D, D - 1>(points.x, Region{0, points.n, false}, pool.size(), for_parts, to, regions);
  return regions;
}

/// Each region into strips across feature J, by one thread.
template <int D, int J>
std::vector<Region> cut_regions(const float* from, const std::vector<Region>& regions, ThreadPool& pool, float* to) {
  std::vector<std::vector<Region>> cuts(regions.size());
  const auto cut_one = [&](std::size_t, std::size_t at, std::size_t) {
    const Region& region = regions[at];
    cut<D, J>(from + D * region.first, region, 1, [](const auto& task) { task(0); }, to, cuts[at]);
  };
  pool.share(regions.size(), 1, cut_one, [] { return false; });
  std::vector<Region> all;
  for (const auto& own : cuts) all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// And so on across the features before it, down to the second, to and fro between `rows` and `room`, which change places.
template <int D, int J>
void cut_further(Aligned<float>& rows, Aligned<float>& room, std::vector<Region>& regions, ThreadPool& pool) {
  if constexpr (J > 0) {
    regions = cut_regions<D, J>(rows.data(), regions, pool, room.data());
    rows.swap(room);
    cut_further<D, J - 1>(rows, room, regions, pool);
  }
}

template <int D>
Aligned<float> tiles_in_order(const Points& points, ThreadPool& pool) {
  const std::size_t size = tiles_for(points.n) * tile_points * D;
  Aligned<float> rows(size);
  std::vector<Region> regions = cut_points<D>(points, pool, rows.data());
  Aligned<float> tiles(size);
  cut_further<D, D - 2>(rows, tiles, regions, pool);
  std::fill(tiles.end() - tile_points * D, tiles.end(), 0.0F);
  std::vector<SortingRoom> rooms(pool.size());
  const auto sort = [&](std::size_t worker, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at++) {
      sort_region<D>(rows.data() + D * regions[at].first, regions[at], rooms[worker], tiles.data());
    }
  };
  pool.share(regions.size(), 1, sort, [] { return false; });
  return tiles;
}

}  // namespace

Aligned<float> strip_tiles(const Points& points, ThreadPool& pool) {
  switch (points.d) {
    case 1: return tiles_in_order<1>(points, pool);
    case 2: return tiles_in_order<2>(points, pool);
    case 3: return tiles_in_order<3>(points, pool);
    case 4: return tiles_in_order<4>(points, pool);
    case 5: return tiles_in_order<5>(points, pool);
    case 6: return tiles_in_order<6>(points, pool);
    case 7: return tiles_in_order<7>(points, pool);
    default: return tiles_in_order<8>(points, pool);
  }
}

}  // namespace centroid_lab

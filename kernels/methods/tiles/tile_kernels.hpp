// One pass over tiles: label, compare with the labels before, move the sums of the points that changed.
// Included once per instruction set, after its vectors.
#pragma once

#include <cmath>

#include "methods/tiles/distances.hpp"
#include "methods/scores/scores.hpp"
#include "methods/projections/label_by_projections.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Asks for a tile that comes next, while there is work on this one. Past the end this is only a wasted request.
inline void ask_for_tile(const TileJob& job, std::size_t tile) {
  const float* points = job.tiles + tile * tile_points * job.d;
  for (std::size_t at = 0; at < tile_points * job.d; at += 16) __builtin_prefetch(points + at, 0, 2);
}

/// Labels of a tile as cluster indices. @returns points that scores could not decide.
inline int label_tile(const TileJob& job, std::size_t tile, std::int32_t* labels) {
  if (job.projections != nullptr) return label_tile_by_projections(job, tile, labels);
  const float* points = job.tiles + tile * tile_points * job.d;
  int undecided = 0;
  if (job.by_scores && !by_panels(job)) ask_for_tile(job, tile + 1);
  if (job.by_scores) undecided = label_tile_by_scores(job, points, labels);
  else label_tile_by_distances(job, points, labels);
  if (job.original != nullptr) {
    for (std::size_t p = 0; p < tile_points; p++) labels[p] = job.original[labels[p]];
  }
  return undecided;
}

inline std::size_t points_of_tile(const TileJob& job, std::size_t tile) {
  const std::size_t left = job.n - tile * tile_points;
  return left < tile_points ? left : tile_points;
}

/// Features up to which a point's coordinates are taken from its tile, which is in the cache, one by one. Beyond, its
/// row is read from memory in full vectors.
constexpr std::size_t features_by_one = 16;

/// As `move_row`, for a point whose coordinates are `tile_points` apart.
inline void move_column(const float* point, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  for (std::size_t j = 0; j < d; j++) {
    const std::int64_t fixed = llrintf(point[j * tile_points] * scale[j]);
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

/// Moves point p of a tile from one cluster's sums to another's; from < 0: it had none.
inline void move_point(const TileJob& job, std::size_t tile, std::size_t p, std::int32_t to, std::int32_t from,
                       TileSums& sums) {
  const std::size_t d = job.d;
  const auto at = [&](std::int32_t cluster) { return sums.sums + static_cast<std::size_t>(cluster) * d; };
  std::int64_t* giver = from < 0 ? nullptr : at(from);
  if (d <= features_by_one && job.tiles != nullptr) move_column(job.tiles + tile * tile_points * d + p, job.scale, d, at(to), giver);
  else move_row(job.rows + (tile * tile_points + p) * d, job.scale, d, at(to), giver);
  sums.counts[to]++;
  sums.touched[to] = 1;
  if (from < 0) return;
  sums.counts[from]--;
  sums.touched[from] = 1;
}

/// Bits of the points of a tile whose label is not the one kept.
template <class Label>
inline std::uint64_t differences(const std::int32_t* labels, const Label* kept) {
  std::uint64_t bits = 0;
  for (std::size_t p = 0; p < tile_points; p += Vectors::lanes) {
    bits |= static_cast<std::uint64_t>(differing(labels + p, kept + p)) << p;
  }
  return bits;
}

template <class Label>
inline void accumulate_tile(const TileJob& job, std::size_t tile, const std::int32_t* labels, TileSums& sums) {
  const std::size_t count = points_of_tile(job, tile);
  Label* kept = static_cast<Label*>(job.labels) + tile * tile_points;
  const std::uint64_t everyone = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  std::uint64_t moving = everyone;
  if (!job.fresh) moving &= differences(labels, kept);
  if (moving == 0) return;
  sums.changed += __builtin_popcountll(moving);
  for (; moving != 0; moving &= moving - 1) {
    const std::size_t p = static_cast<std::size_t>(__builtin_ctzll(moving));
    const std::int32_t from = job.fresh ? -1 : static_cast<std::int32_t>(kept[p]);
    move_point(job, tile, p, labels[p], from, sums);
    kept[p] = static_cast<Label>(labels[p]);
  }
}

/// Counts are copied: on the stack of the thread that gave out the job they might lie on a line that others read.
template <class Label>
inline void pass_tiles_of(const TileJob& job, std::size_t first, std::size_t last, TileSums& sums) {
  TileSums mine = sums;
  for (std::size_t tile = first; tile < last; tile++) {
    alignas(64) std::int32_t labels[tile_points];
    mine.undecided += label_tile(job, tile, labels);
    accumulate_tile<Label>(job, tile, labels, mine);
  }
  sums = mine;
}

inline void pass_tiles(const TileJob& job, std::size_t first, std::size_t last, TileSums& sums) {
  switch (job.label_bytes) {
    case LabelBytes::one: return pass_tiles_of<std::uint8_t>(job, first, last, sums);
    case LabelBytes::two: return pass_tiles_of<std::uint16_t>(job, first, last, sums);
    case LabelBytes::four: return pass_tiles_of<std::int32_t>(job, first, last, sums);
  }
}

inline void label_tiles(const TileJob& job, std::size_t first, std::size_t last, std::int32_t* labels) {
  for (std::size_t tile = first; tile < last; tile++) {
    alignas(64) std::int32_t found[tile_points];
    label_tile(job, tile, found);
    const std::size_t count = points_of_tile(job, tile);
    for (std::size_t p = 0; p < count; p++) labels[tile * tile_points + p] = found[p];
  }
}

}  // namespace
}  // namespace centroid_lab

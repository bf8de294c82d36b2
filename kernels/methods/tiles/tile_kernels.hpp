// One pass over tiles: label, compare with the labels before, move the sums of the points that changed.
// Included once per instruction set, after its vectors.
#pragma once

#include <cmath>

#include "methods/tiles/distances.hpp"
#include "methods/scores/scores.hpp"
#include "methods/projections/label_by_projections.hpp"
#include "methods/tiles/tiles.hpp"
#include "methods/tiles/transpose.hpp"

namespace centroid_lab {
namespace {

inline std::size_t points_of_tile(const TileJob& job, std::size_t tile) {
  const std::size_t left = job.n - tile * tile_points;
  return left < tile_points ? left : tile_points;
}

inline const float* tile_at(const TileJob& job, std::size_t tile) {
  if (job.tiles != nullptr) return job.tiles + tile * tile_points * job.d;
  fill_tile_of(job.rows + tile * tile_points * job.d, points_of_tile(job, tile), job.d, job.tile);
  return job.tile;
}

/// Asks for a tile that comes next, while there is work on this one. Past the end this is only a wasted request.
inline void ask_for_tile(const TileJob& job, std::size_t tile) {
  const float* points = (job.tiles != nullptr ? job.tiles : job.rows) + tile * tile_points * job.d;
  for (std::size_t at = 0; at < tile_points * job.d; at += 16) __builtin_prefetch(points + at, 0, 2);
}

/// Labels of a tile as cluster indices. @returns points that scores could not decide.
inline int label_tile(const TileJob& job, std::size_t tile, std::int32_t* labels) {
  if (job.projections != nullptr) return label_tile_by_projections(job, tile, labels);
  const float* points = tile_at(job, tile);
  int undecided = 0;
  if (job.by_scores && !by_panels(job)) ask_for_tile(job, tile + 1);
  if (job.by_scores) undecided = label_tile_by_scores(job, points, labels);
  else label_tile_by_distances(job, points, labels);
  if (job.original != nullptr) {
    for (std::size_t p = 0; p < tile_points; p++) labels[p] = job.original[labels[p]];
  }
  return undecided;
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

/// Points of a tile that change their cluster; `from` is not filled where they had none.
struct Moves {
  std::size_t tile = 0;
  std::uint64_t points = 0;
  std::int32_t from[tile_points];
  alignas(64) std::int32_t to[tile_points];
};

/// Where the coordinates of the points of a tile that move come from.
enum class MovesFrom { rows, columns, tile };

/// From so many points on a tile is transposed, which is in the cache; where all points are new only from so many features
/// on, for short rows come from memory by themselves. Of fewer points rows are read, or, up to so many features, the tile's
/// columns one by one.
constexpr int min_points_from_tile = 16;
constexpr std::size_t min_features_from_tile = 32;
constexpr std::size_t max_features_from_columns = 24;

inline MovesFrom moves_from(const TileJob& job, std::uint64_t points) {
  if (job.tiles == nullptr || (job.fresh && job.d < min_features_from_tile)) return MovesFrom::rows;
  if (__builtin_popcountll(points) >= min_points_from_tile) return MovesFrom::tile;
  return job.d <= max_features_from_columns ? MovesFrom::columns : MovesFrom::rows;
}

/// Bytes of a row that are asked for, at most.
constexpr std::size_t bytes_asked_for = 4096;

/// Asks for the row of a point that will be moved.
inline void ask_for_row(const TileJob& job, std::size_t point) {
  const char* row = reinterpret_cast<const char*>(job.rows + point * job.d);
  const std::size_t bytes = job.d * sizeof(float) < bytes_asked_for ? job.d * sizeof(float) : bytes_asked_for;
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(row + at, 0, 2);
  __builtin_prefetch(row + bytes - 1, 0, 2);
}

/// Which points of `moves.tile` move, by their labels in `moves.to`: keeps the labels.
template <class Label>
inline void note_moves(const TileJob& job, Moves& moves, TileSums& sums) {
  const std::size_t count = points_of_tile(job, moves.tile);
  const std::size_t start = moves.tile * tile_points;
  Label* kept = static_cast<Label*>(job.labels) + start;
  moves.points = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  if (!job.fresh) moves.points &= differences(moves.to, kept);
  sums.changed += __builtin_popcountll(moves.points);
  const bool asks = !job.fresh && moves_from(job, moves.points) == MovesFrom::rows;
  for (std::uint64_t left = moves.points; left != 0; left &= left - 1) {
    const std::size_t p = static_cast<std::size_t>(__builtin_ctzll(left));
    if (asks) ask_for_row(job, start + p);
    moves.from[p] = static_cast<std::int32_t>(kept[p]);
    kept[p] = static_cast<Label>(moves.to[p]);
  }
}

/// Sums from feature `from` on of one cluster that a point goes to and of one that it leaves, if any.
struct Ends {
  std::int64_t* taker;
  std::int64_t* giver;
};

/// move(p, ends) for every point of a tile that moves, at place p; with the first feature the points themselves are counted.
template <class Move>
inline void carry_out(const TileJob& job, const Moves& moves, std::size_t from, TileSums& sums, const Move& move) {
  for (std::uint64_t left = moves.points; left != 0; left &= left - 1) {
    const std::size_t p = static_cast<std::size_t>(__builtin_ctzll(left));
    const std::size_t taker = static_cast<std::size_t>(moves.to[p]);
    const std::size_t giver = static_cast<std::size_t>(moves.from[p]);
    std::int64_t* const taken = job.fresh ? nullptr : sums.sums + giver * sums.stride + from;
    move(p, Ends{sums.sums + taker * sums.stride + from, taken});
    if (from > 0) continue;
    sums.counts[taker]++;
    sums.touched[taker] = 1;
    if (job.fresh) continue;
    sums.counts[giver]--;
    sums.touched[giver] = 1;
  }
}

inline void carry_out_rows(const TileJob& job, const Moves& moves, TileSums& sums) {
  const float* const rows = job.rows + moves.tile * tile_points * job.d;
  carry_out(job, moves, 0, sums, [&](std::size_t p, const Ends& ends) {
    move_padded_row(rows + p * job.d, job.scale, job.d, ends.taker, ends.giver);
  });
}

inline void carry_out_columns(const TileJob& job, const Moves& moves, TileSums& sums) {
  const float* const tile = job.tiles + moves.tile * tile_points * job.d;
  carry_out(job, moves, 0, sums, [&](std::size_t p, const Ends& ends) {
    move_padded_column<tile_points>(tile + p, job.scale, job.d, ends.taker, ends.giver);
  });
}

/// Features of a tile's points that are made rows at once.
constexpr std::size_t features_of_rows = 32;

/// Transposes as it goes, eight points and eight features at a time.
inline void carry_out_tile(const TileJob& job, const Moves& moves, TileSums& sums) {
  const float* const tile = job.tiles + moves.tile * tile_points * job.d;
  alignas(64) float rows[tile_points * features_of_rows];
  for (std::size_t from = 0; from < job.d; from += features_of_rows) {
    const std::size_t features = job.d - from < features_of_rows ? job.d - from : features_of_rows;
    for (std::size_t p = 0; p < tile_points; p += 8) {
      if ((moves.points >> p & 0xFF) == 0) continue;
      for (std::size_t j = 0; j < features; j += 8) {
        transpose_eight(tile + (from + j) * tile_points + p, tile_points, features - j, rows + p * features_of_rows + j,
                        features_of_rows);
      }
    }
    carry_out(job, moves, from, sums, [&](std::size_t p, const Ends& ends) {
      move_padded_row(rows + p * features_of_rows, job.scale + from, features, ends.taker, ends.giver);
    });
  }
}

/// Rows that were asked for are added a tile later, when they have come. Counts are copied: on the stack of the thread that
/// gave out the job they might lie on a line that others read.
template <class Label>
inline void pass_tiles_of(const TileJob& job, std::size_t first, std::size_t last, TileSums& sums) {
  TileSums mine = sums;
  Moves moves[2];
  for (std::size_t tile = first; tile < last; tile++) {
    Moves& now = moves[tile % 2];
    now.tile = tile;
    mine.undecided += label_tile(job, tile, now.to);
    note_moves<Label>(job, now, mine);
    carry_out_rows(job, moves[1 - tile % 2], mine);
    const MovesFrom source = moves_from(job, now.points);
    if (source == MovesFrom::rows) continue;
    if (source == MovesFrom::tile) carry_out_tile(job, now, mine);
    else carry_out_columns(job, now, mine);
    now.points = 0;
  }
  carry_out_rows(job, moves[1 - last % 2], mine);
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

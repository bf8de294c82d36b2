// What the vector kernels over groups of points work on. Only plain pointers, as in tiles.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/tiles/tiles.hpp"

namespace centroid_lab {

/// Tiles of a group: the points that share a ball and a list of candidates.
constexpr std::size_t tiles_of_group = 2;
/// Groups are taken 64 at once; their middles lie like the points of a tile.
constexpr std::size_t groups_at_once = 64;

/// Balls around groups of points against the centroids.
struct BallJob {
  /// [64 groups][feature][64]
  const float* middles;
  /// (groups rounded up to 64) radius of each ball, rounded up.
  const float* radii;
  std::size_t d;
  /// Centroids in play, in blocks of eight as in tiles.hpp.
  const float* centroids;
  std::size_t live;
  /// A centroid is left out of a list only where it stays behind another by this distance, see ball_kernels.hpp.
  float skin;
};

struct BallKernels {
  /// Compares the labels found for tiles first..last-1 with those kept in `job` and moves the sums of what changed.
  /// @param order (n) row of each point in `job.rows`.
  void (*accumulate)(const TileJob& job, const std::uint32_t* order, const std::int32_t* found, std::size_t first,
                 std::size_t last, TileSums& sums);
  /// Middle (d, stride 64) and radius of `points` points, `tiles` onward.
  void (*measure)(const float* tiles, std::size_t points, std::size_t d, float* middle, float* radius);
  /// For 64 groups and every centroid in play: the groups in which it may be nearest, one bit each.
  /// @param distances (live rounded up to 8, 64) room.
  void (*candidates)(const BallJob& job, std::size_t at, float* distances, std::uint64_t* groups);
};

extern const BallKernels baseline_balls;
#if defined(__x86_64__)
extern const BallKernels avx2_balls;
extern const BallKernels avx512_balls;
#endif

}  // namespace centroid_lab

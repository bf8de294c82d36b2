// What the vector kernels over tiles of points work on. Only plain pointers: this header is compiled for several
// instruction sets, and nothing inline may be shared between them by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/canonical/exact_choice.hpp"

namespace centroid_lab {

/// Points are held in tiles of 64: [tile][feature][64], the last one padded with zeros.
constexpr std::size_t tile_points = 64;
/// Centroids are held in blocks of 16: [block][feature][16], the last one padded with such as are never near.
constexpr std::size_t block_size = 16;
/// Coordinates and half norm of the padding: neither a distance nor a score of it is the smallest, where `reach` is below
/// `max_score_reach`.
constexpr float coordinate_of_padding = 1e18F;
constexpr float half_norm_of_padding = 1e37F;

/// Centroids, or features, from which scores are cheaper than distances.
constexpr std::size_t min_score_centroids = 32;
constexpr std::size_t min_score_features = 48;
constexpr bool scores_take_less(std::size_t centroids, std::size_t d) {
  return centroids >= min_score_centroids || d >= min_score_features;
}

/// Where the bound of methods/scores was shown to hold: fewer features, and centroids nearer to the origin.
constexpr std::size_t max_score_features = 16384;
constexpr float max_score_reach = 1e15F;

/// How far centroids lie from the origin. A few of them may lie far outside of all others, as means of outliers do.
struct Reach {
  /// Largest |c|, rounded up.
  float all = 0;
  /// The same without the far ones.
  float inner = 0;
  /// Smallest |c| of the far ones, rounded down; infinity where none is.
  float outer = __builtin_inff();
};

struct ProjectionJob;

enum class LabelBytes { one, two, four };

/// One pass over the points, constant while it runs. On cache lines of its own: it lies on the stack of one thread and is
/// read by all, and one number that this thread counts beside it would take it from all others (twice the time at d = 2).
struct alignas(128) TileJob {
  /// Null: each is made of `rows` when its turn comes.
  const float* tiles;
  /// Where that is done, by one thread.
  float* tile;
  /// (n, up to the end of the last tile) squared lengths of the points, each off by at most d roundings; null: they are
  /// computed where they are needed.
  const float* squares;
  /// (n, d) row-major: the same points, for the sums.
  const float* rows;
  std::size_t n;
  std::size_t d;

  const float* centroids;
  /// |c|^2 / 2 of each centroid.
  const float* half_norms;
  /// Index of each centroid among all k (dropped clusters are not packed).
  const std::int32_t* original;
  /// Centroids packed, without the padding.
  std::size_t live;
  std::size_t blocks;

  /// Choose by scores |c|^2/2 - x.c where rounding cannot matter, by distances elsewhere.
  bool by_scores;
  /// Choose by projections (methods/projections) instead; null: do not.
  const ProjectionJob* projections;
  Reach reach;
  /// What computed distances cannot decide is decided exactly.
  NearTie near;

  /// (d) see FixedPoint.
  const float* scale;
  /// (n, up to the end of the last tile) labels of the pass before, in the width given; replaced.
  void* labels;
  LabelBytes label_bytes;
  /// There was no pass before: every point is new to its cluster.
  bool fresh;
};

/// Numbers between the sums of one cluster and the next: a whole number of vectors.
constexpr std::size_t stride_of_sums(std::size_t d) { return (d + 7) / 8 * 8; }

/// What one thread adds up.
struct TileSums {
  /// (k, stride), the first d of each row in use, and (k): changes against the pass before.
  std::int64_t* sums;
  std::size_t stride;
  std::int64_t* counts;
  /// (k) clusters whose sums changed.
  std::uint8_t* touched;
  std::int64_t changed;
  /// Points whose scores were too close; by projections, distances that were computed.
  std::int64_t undecided;
};

struct TileKernels {
  const char* isa;
  /// Assigns tiles first..last-1, adds the points that changed their label.
  void (*pass)(const TileJob& job, std::size_t first, std::size_t last, TileSums& sums);
  /// Labels (n) of tiles first..last-1; nothing else is touched.
  void (*label)(const TileJob& job, std::size_t first, std::size_t last, std::int32_t* labels);
};

extern const TileKernels baseline_kernels;
#if defined(__x86_64__)
extern const TileKernels avx2_kernels;
extern const TileKernels avx512_kernels;
#endif

}  // namespace centroid_lab

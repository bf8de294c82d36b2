// What the vector kernels over a plain list of boxes work on. Only plain pointers: this header is compiled for several
// instruction sets, and nothing inline may be shared between them by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "candidate_list.hpp"
#include "methods/canonical/exact_choice.hpp"

namespace centroid_lab {

/// Centroids up to which the list of boxes can be used: candidates take arrays on the stack.
constexpr std::size_t max_box_centroids = 4096;
using BoxLabel = std::uint16_t;
constexpr std::size_t max_box_features = 8;
/// Boxes that are always looked at together, the widest vector, with a box around them all.
constexpr std::size_t boxes_together = 16;
/// Room that is needed beyond a list of candidates, see box_filter.hpp.
constexpr std::size_t beyond_list = 32;

/// The points of the box are new, or belong to several clusters: see `labels`.
constexpr std::int32_t box_is_new = -2;
constexpr std::int32_t box_is_mixed = -1;

/// One pass over the boxes, constant while it runs; on cache lines of its own, see TileJob.
struct alignas(128) BoxJob {
  /// Points, one tile a box: [tile][feature][64].
  const float* tiles;
  std::size_t n;
  std::size_t d;

  /// [feature][stride] lowest and highest coordinates of each box; `stride` is a multiple of `boxes_together`.
  const float* low;
  const float* high;
  std::size_t stride;
  std::size_t boxes;
  /// (stride / boxes_together, 2, d) lowest and highest coordinates of boxes together.
  const float* groups;
  /// (boxes, d) fixed-point sums.
  const std::int64_t* box_sums;
  /// (stride) cluster of all points of the box, or one of the two constants above.
  std::int32_t* owners;
  /// (boxes, 64) clusters of the points of mixed boxes.
  BoxLabel* labels;
  /// (d) see FixedPoint.
  const float* scale;

  /// (live, d) centroids in play, and (live) the index of each among all k.
  const float* centroids;
  const std::int32_t* original;
  /// All of them, with `beyond_list` places more.
  CandidateList all;
  /// What computed distances cannot decide.
  NearTie near;
};

/// What one thread adds up: changes against the pass before.
struct BoxSink {
  /// (k, d) and (k)
  std::int64_t* sums;
  std::int64_t* counts;
  /// (k) clusters whose sums changed.
  std::uint8_t* touched;
  std::int64_t changed;
};

/// See BoxJob.
struct BoxMeasures {
  float* low;
  float* high;
  float* groups;
  std::int64_t* sums;
};

struct BoxKernels {
  /// Boxes first..last-1, `first` a multiple of `boxes_together`: their points get their clusters.
  void (*visit)(const BoxJob& job, std::size_t first, std::size_t last, BoxSink& sink);
  /// Fills in the measures of boxes first..last-1, `first` a multiple of `boxes_together`.
  void (*measure)(const BoxJob& job, std::size_t first, std::size_t last, const BoxMeasures& to);
};

extern const BoxKernels baseline_boxes;
#if defined(__x86_64__)
extern const BoxKernels avx2_boxes;
extern const BoxKernels avx512_boxes;
#endif

}  // namespace centroid_lab

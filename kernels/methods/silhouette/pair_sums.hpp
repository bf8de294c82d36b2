// Sums of distances between two runs of points, for several instruction sets. Only plain pointers: see tiles.hpp.
#pragma once

#include <cstddef>

namespace centroid_lab {

/// Points of a tile: [feature][64], lanes beyond the last point hold zeros.
constexpr std::size_t pair_tile = 64;
/// Rows whose sums stay in the first cache while tiles go by.
constexpr std::size_t pair_rows = 128;

/// All pairs of `lanes` points (as tiles) and `rows` points (row-major).
struct PairBlock {
  const float* tiles;
  std::size_t lanes;
  const float* rows;
  std::size_t row_count;
  std::size_t d;
  /// (lanes, up to the end of the last tile) gets the sum of the distances of each lane to all rows.
  double* lane_sums;
  /// (row_count) gets the sum of the distances of each row to all lanes; null: not wanted.
  double* row_sums;
};

struct PairKernels {
  const char* isa;
  /// Distances in float32, added in float32 by fours and in float64 beyond.
  void (*sums)(const PairBlock& block);
};

extern const PairKernels baseline_pair_kernels;
#if defined(__x86_64__)
extern const PairKernels avx2_pair_kernels;
extern const PairKernels avx512_pair_kernels;
#endif

/// Those of the best instruction set of this processor.
const PairKernels& pair_kernels();

}  // namespace centroid_lab

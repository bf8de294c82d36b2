// The table of the plane made by one block, in two steps: cells of 4 by 8 are looked at with all centroids, their own with what is left.
#pragma once

#include "cell_decision.cuh"

namespace centroid_lab::cuda {

template <int R, int K, int T>
struct TableMaker {
  static constexpr int coarse_across = 32, coarse_down = 16;
  static constexpr int wide = R / coarse_across, high = R / coarse_down;
  static constexpr int coarse_total = coarse_across * coarse_down;
  /// Rows of cells that a thread decides at once.
  static constexpr int rows_at_once = 2;
  static_assert(wide == 4 && high % rows_at_once == 0 && R == row_bytes, "a word of the table holds four cells");

  GridStretch columns[R];
  GridStretch rows[R];
  GridStretch coarse_columns[coarse_across];
  GridStretch coarse_rows[coarse_down];
  /// Coarse cells with several candidates, which take the upper half: those of two from the front, others from the back, so that
  /// threads of a warp have the same number.
  std::uint32_t open[coarse_total];
  int twos;
  int others;

  /// What does not hang on the centroids; by all threads of the block, which must synchronise before `fill`.
  __device__ __forceinline__ void prepare(const GridBox& box) {
    for (int at = threadIdx.x; at < R; at += T) columns[at] = stretch_of<R>(box.axes[0], at, at);
    for (int at = threadIdx.x; at < R; at += T) rows[at] = stretch_of<R>(box.axes[1], at, at);
    if (threadIdx.x < coarse_across) coarse_columns[threadIdx.x] = stretch_of<R>(box.axes[0], threadIdx.x * wide, threadIdx.x * wide + wide - 1);
    if (threadIdx.x < coarse_down) coarse_rows[threadIdx.x] = stretch_of<R>(box.axes[1], threadIdx.x * high, threadIdx.x * high + high - 1);
    if (threadIdx.x == 0) twos = others = 0;
  }

  /// Fills the table by all threads of the block; cells of several candidates get K. Synchronises.
  __device__ __forceinline__ void fill(const GridCentroid* centroids, std::uint32_t* table) {
    constexpr int words = R / 4;
    for (int at = threadIdx.x; at < coarse_total; at += T) {
      const int across = at % coarse_across, down = at / coarse_across;
      const unsigned candidates = candidates_of<K>(centroids, coarse_columns[across], coarse_rows[down]);
      const int count = __popc(candidates);
      if (count > 1) {
        const int slot = count == 2 ? atomicAdd(&twos, 1) : coarse_total - 1 - atomicAdd(&others, 1);
        open[slot] = candidates << 16 | static_cast<unsigned>(at);
        continue;
      }
      const unsigned same = static_cast<unsigned>(__ffs(static_cast<int>(candidates)) - 1) * 0x01010101U;
#pragma unroll
      for (int row = 0; row < high; row++) table[(down * high + row) * words + across] = same;
    }
    __syncthreads();
    constexpr int parts = high / rows_at_once;
    for (int task = threadIdx.x; task < (twos + others) * parts; task += T) {
      const int slot = task / parts;
      const std::uint32_t entry = open[slot < twos ? slot : coarse_total - 1 - (slot - twos)];
      const int at = static_cast<int>(entry & 0xffff), across = at % coarse_across;
      const int down = at / coarse_across * high + task % parts * rows_at_once;
      GridStretch here[wide], there[rows_at_once];
#pragma unroll
      for (int x = 0; x < wide; x++) here[x] = columns[across * wide + x];
#pragma unroll
      for (int y = 0; y < rows_at_once; y++) there[y] = rows[down + y];
      unsigned number[rows_at_once][wide];
      decide_cells<wide, rows_at_once>(centroids, here, there, entry >> 16, K, number);
#pragma unroll
      for (int y = 0; y < rows_at_once; y++) {
        unsigned word = 0;
#pragma unroll
        for (int x = 0; x < wide; x++) word |= number[y][x] << (8 * x);
        table[(down + y) * words + across] = word;
      }
    }
    __syncthreads();
  }
};

}  // namespace centroid_lab::cuda

// A table of the plane: for every cell of a grid the only centroid that can be nearest to a point of it, or that there are several.
// Cell i of a feature holds the x with rn(sat(x S + O) (R - 1)) = i; proof.md derives the test and the margin M_c of a centroid.
// Points of cells with several candidates go to distances to all centroids.
#pragma once

#include <cstdint>

namespace centroid_lab::cuda {

/// Bytes of a row of the table where it has fewer cells than 256.
constexpr int row_bytes = 128;

/// Where the grid lies: an axis for each feature.
struct GridAxis {
  float low;
  /// Middle of a cell to the next.
  float width;
  /// Of the multiply-add that gives [0, 1].
  float factor;
  float summand;
  /// Greatest |x|.
  float reach;
};

struct GridBox {
  GridAxis axes[2];
};

/// What is kept of a centroid while a table is made.
struct GridCentroid {
  float x;
  float y;
  /// |c|^2/2; infinite past k.
  float half_norm;
  /// M_c.
  float margin;
};

/// Middle and half extent of cells first .. last of an axis of R.
struct GridStretch {
  float middle;
  float half;
};

template <int R>
__device__ inline GridStretch stretch_of(const GridAxis& axis, int first, int last) {
  float from = fmaf(static_cast<float>(first) - 0.5F, axis.width, axis.low);
  float to = fmaf(static_cast<float>(last) + 0.5F, axis.width, axis.low);
  if (first == 0) from = fminf(from, -axis.reach);
  if (last == R - 1) to = fmaxf(to, axis.reach);
  return {0.5F * (from + to), fmaf(0.5F * (to - from), 1 + 0x1p-10F, axis.reach * 0x1p-19F)};
}

__device__ inline GridCentroid grid_centroid(float2 row, const GridBox& box) {
  const float x = row.x, y = row.y;
  const float sum = 1.25F * (box.axes[0].reach + box.axes[1].reach) + fabsf(x) + fabsf(y);
  return {x, y, 0.5F * fmaf(x, x, y * y), fmaf(0x1p-19F * sum, sum, 0x1p-100F)};
}

/// Candidates of a rectangle, a bit for each: all that one of them, about the nearest to the middle, does not keep out.
template <int K>
__device__ inline unsigned candidates_of(const GridCentroid* centroids, const GridStretch& across, const GridStretch& down) {
  constexpr int index_bits = 15;
  const float lift = 0.5F * fmaf(across.middle, across.middle, down.middle * down.middle);
  float score[K];
  int least = 0x7fffffff;
#pragma unroll
  for (int c = 0; c < K; c++) {
    const GridCentroid centroid = centroids[c];
    score[c] = fmaf(-across.middle, centroid.x, fmaf(-down.middle, centroid.y, centroid.half_norm));
    least = min(least, (__float_as_int(score[c] + lift) & ~index_bits) | c);
  }
  const int best = least & index_bits;
  const GridCentroid near = centroids[best];
  const float most = fmaf(-across.middle, near.x, fmaf(-down.middle, near.y, near.half_norm)) + near.margin;
  unsigned candidates = 1U << best;
#pragma unroll
  for (int c = 0; c < K; c++) {
    const GridCentroid centroid = centroids[c];
    const float radius = fmaf(fabsf(centroid.x - near.x), across.half, fmaf(fabsf(centroid.y - near.y), down.half, centroid.margin));
    if (!(score[c] - radius > most)) candidates |= 1U << c;
  }
  return candidates;
}

/// The numbers of W by H neighbouring cells, each the only candidate or `several`, from the candidates of all of them.
template <int W, int H>
__device__ inline void decide_cells(const GridCentroid* centroids, const GridStretch (&columns)[W], const GridStretch (&rows)[H],
                                    unsigned candidates, unsigned several, unsigned (&number)[H][W]) {
  constexpr unsigned one = 64;
  float most[H][W];
#pragma unroll
  for (int y = 0; y < H; y++) {
#pragma unroll
    for (int x = 0; x < W; x++) {
      most[y][x] = INFINITY;
      number[y][x] = 0;
    }
  }
  const GridCentroid middle = centroids[__ffs(static_cast<int>(candidates)) - 1];
#pragma unroll
  for (int turn = 0; turn < 2; turn++) {
    const float sign = turn == 0 ? 1.0F : -1.0F;
    for (unsigned left = candidates; left != 0; left &= left - 1) {
      const int index = __ffs(static_cast<int>(left)) - 1;
      const GridCentroid centroid = centroids[index];
      const float side = sign * fabsf(centroid.x - middle.x), height = sign * fabsf(centroid.y - middle.y);
      float across[W];
#pragma unroll
      for (int x = 0; x < W; x++) across[x] = fmaf(-columns[x].middle, centroid.x, side * columns[x].half);
#pragma unroll
      for (int y = 0; y < H; y++) {
        const float down = fmaf(-rows[y].middle, centroid.y, centroid.half_norm) + fmaf(height, rows[y].half, sign * centroid.margin);
#pragma unroll
        for (int x = 0; x < W; x++) {
          if (turn == 0) most[y][x] = fminf(most[y][x], across[x] + down);
          else if (!(across[x] + down > most[y][x])) number[y][x] += one + static_cast<unsigned>(index);
        }
      }
    }
  }
#pragma unroll
  for (int y = 0; y < H; y++) {
#pragma unroll
    for (int x = 0; x < W; x++) number[y][x] = number[y][x] < 2 * one ? number[y][x] - one : several;
  }
}

}  // namespace centroid_lab::cuda

// Products of a warp's sixteen points with all centroids, piece by piece of their rows, and the clusters that these leave in question.
#pragma once

#include <cmath>
#include <cstddef>

#include "methods/split-products/split_products.cuh"
#include "methods/staged-points/async_copies.cuh"
#include "methods/staged-points/kept_sums.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda::row_pieces {

using staged_points::copy_to_shared;
using staged_points::Kept;

constexpr unsigned whole_warp = 0xffffffffU;
/// Points of a warp at a time, features of a step of products, clusters of a column of products.
constexpr int tile_points = 16, step_features = 16, column_clusters = 8;
/// Features of a piece. Its rows are a vector apart, which spreads those that lanes read together over the banks.
constexpr int steps_of_piece = 2, piece_features = steps_of_piece * step_features, row_floats = piece_features + 4;
constexpr int stage_floats = tile_points * row_floats;
/// Vectors of sixteen bytes that a step of a column takes.
constexpr int step_vectors = 32;
/// The score of what is no cluster.
constexpr float beyond_all = 0x1p126F;

struct RowPiecesJob {
  const float* x;
  const float* scale;
  int d;
  int pieces;
  /// Pieces of a warp in shared memory.
  int stages;
  /// Upper bound of |x|.
  float reach;
  Kept kept;
};

/// Centroids and their starts; those past k or left out are beyond all. By whole warps, a centroid each at a time.
__device__ void stage_image(const Pass& pass, int d, float scale, int steps, uint4* image, int clusters, float* starts) {
  const int warps = static_cast<int>(blockDim.x) / 32, lane = static_cast<int>(threadIdx.x % 32);
  for (int c = static_cast<int>(threadIdx.x) / 32; c < clusters; c += warps) {
    const float* row = pass.centroids + static_cast<std::size_t>(min(c, pass.k - 1)) * d;
    const bool exists = c < pass.k && has_part(row);
    double squared = 0;
    for (int at = lane; at < steps * 8; at += 32) {
      const int step = at / 8, word = at / 4 % 2, quarter = at % 4, feature = step_features * step + 4 * quarter + 2 * word;
      const float first = exists && feature < d ? -row[feature] * scale : 0.0F;
      const float second = exists && feature + 1 < d ? -row[feature + 1] * scale : 0.0F;
      squared = fma(static_cast<double>(first), first, fma(static_cast<double>(second), second, squared));
      const matrix_units::Halves halves = matrix_units::halves_of(first, second);
      uint4* const to = image + (c / column_clusters * steps + step) * step_vectors + c % column_clusters * 4 + quarter;
      auto* words = reinterpret_cast<unsigned*>(to);
      words[word] = halves.high;
      words[2 + word] = halves.low;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) squared += __shfl_xor_sync(whole_warp, squared, lanes);
    if (lane == 0) starts[c] = exists ? static_cast<float>(squared / 2) : beyond_all;
  }
}

/// Sixteen points of a warp.
struct Tile {
  std::size_t first;
  int count;
};

/// Begins to copy a piece of a tile; zeros past the last feature and the last point. By a warp.
__device__ __forceinline__ void begin_copy(const RowPiecesJob& job, const Tile& tile, int piece, float* to) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto target = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const float* const from = job.x + tile.first * job.d;
  if (job.d % 4 == 0) {
    constexpr int vectors = piece_features / 4, together = 32 / vectors;
    const int feature = piece * piece_features + lane % vectors * 4;
#pragma unroll
    for (int row = lane / vectors, i = 0; i < tile_points / together; i++, row += together) {
      const bool there = row < tile.count && feature < job.d;
      copy_to_shared<16>(target + 4 * (row * row_floats + lane % vectors * 4), there ? from + row * job.d + feature : job.x, there);
    }
  } else {
    const int feature = piece * piece_features + lane;
#pragma unroll 4
    for (int row = 0; row < tile_points; row++) {
      const bool there = row < tile.count && feature < job.d;
      copy_to_shared<4>(target + 4 * (row * row_floats + lane), there ? from + row * job.d + feature : job.x, there);
    }
  }
}

/// The point that is row g + 8 half of products, g = lane / 4: rows that lanes read together are four apart, which spreads them over
/// the banks.
__device__ __forceinline__ int searched_point(int half) {
  const int g = static_cast<int>(threadIdx.x % 32) / 4;
  return g % 4 * 4 + g / 4 + 2 * half;
}

/// Products of a warp's points with all centroids. Those of a piece are added from zero, and those of low halves by themselves, so that
/// they are rounded as what is small.
template <int Columns>
struct Products {
  float sums[Columns][4] = {};
  /// Squared norm of the lane's points, as far as its features go.
  float squares[2] = {};

  /// @param rows of the piece. @param image of its features, for the lane.
  __device__ __forceinline__ void add(const float* rows, float scale, const uint4* image, int steps) {
    unsigned high[steps_of_piece][4], low[steps_of_piece][4];
    split(rows, scale, high, low);
#pragma unroll
    for (int column = 0; column < Columns; column++) {
      float of_high[4] = {}, of_low[4] = {};
#pragma unroll
      for (int step = 0; step < steps_of_piece; step++) {
        const uint4 b = image[(column * steps + step) * step_vectors];
        const unsigned *h = high[step], *l = low[step];
        matrix_units::multiply(of_low, of_low, l[0], l[1], l[2], l[3], b.x, b.y);
        matrix_units::multiply(of_high, of_high, h[0], h[1], h[2], h[3], b.x, b.y);
        matrix_units::multiply(of_low, of_low, h[0], h[1], h[2], h[3], b.z, b.w);
      }
#pragma unroll
      for (int at = 0; at < 4; at++) sums[column][at] += of_high[at] + of_low[at];
    }
  }

 private:
  __device__ __forceinline__ void split(const float* rows, float scale, unsigned (&high)[steps_of_piece][4],
                                        unsigned (&low)[steps_of_piece][4]) {
    const int quarter = static_cast<int>(threadIdx.x % 4);
#pragma unroll
    for (int step = 0; step < steps_of_piece; step++) {
#pragma unroll
      for (int half = 0; half < 2; half++) {
        float x[4];
        load_row<4>(rows + searched_point(half) * row_floats + step * step_features + 4 * quarter, x);
#pragma unroll
        for (int word = 0; word < 2; word++) {
          const float first = x[2 * word] * scale, second = x[2 * word + 1] * scale;
          squares[half] = fmaf(first, first, fmaf(second, second, squares[half]));
          const matrix_units::Halves halves = matrix_units::halves_of(first, second);
          high[step][2 * word + half] = halves.high;
          low[step][2 * word + half] = halves.low;
        }
      }
    }
  }
};

/// Clusters, a bit each.
template <int Words>
struct ClusterSet {
  unsigned words[Words] = {};

  __device__ __forceinline__ int size() const {
    int size = 0;
#pragma unroll
    for (const unsigned word : words) size += __popc(word);
    return size;
  }
  /// The cluster before which there are `passed`; `passed` is below the size.
  __device__ __forceinline__ int at(int passed) const {
    int base = 0;
    unsigned word = words[0];
#pragma unroll
    for (int next = 1; next < Words; next++) {
      if (passed >= __popc(word)) {
        passed -= __popc(word);
        word = words[next];
        base = 32 * next;
      } else {
        break;
      }
    }
    for (; passed > 0; passed--) word &= word - 1;
    return base + __ffs(static_cast<int>(word)) - 1;
  }
};

template <int Columns>
constexpr int words_of = (Columns * column_clusters + 31) / 32;

/// The clusters whose score is not above the smallest of the point by more than its margin. Four lanes have a point.
template <int Columns>
__device__ __forceinline__ ClusterSet<words_of<Columns>> candidates_of(const Products<Columns>& products, int half, const float* starts, int k,
                                                    const PointMargins& margins) {
  const int quarter = static_cast<int>(threadIdx.x % 4);
  float scores[Columns][2];
  float smallest = INFINITY;
#pragma unroll
  for (int column = 0; column < Columns; column++) {
    const float2 start = reinterpret_cast<const float2*>(starts)[column * 4 + quarter];
    scores[column][0] = start.x + products.sums[column][2 * half];
    scores[column][1] = start.y + products.sums[column][2 * half + 1];
    smallest = fminf(smallest, fminf(scores[column][0], scores[column][1]));
  }
  float squared_norm = products.squares[half];
#pragma unroll
  for (int lanes = 1; lanes < 4; lanes *= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(whole_warp, smallest, lanes));
    squared_norm += __shfl_xor_sync(whole_warp, squared_norm, lanes);
  }
  const float most = smallest + margins.of(squared_norm, fmaxf(0.0F, fmaf(0.5F, squared_norm, smallest)));
  ClusterSet<words_of<Columns>> set;
#pragma unroll
  for (int column = 0; column < Columns; column++) {
#pragma unroll
    for (int at = 0; at < 2; at++) {
      // What is no number is in question.
      if (!(scores[column][at] > most)) set.words[column / 4] |= 1U << (column % 4 * column_clusters + at);
    }
  }
#pragma unroll
  for (int word = 0; word < words_of<Columns>; word++) {
    unsigned& bits = set.words[word];
    bits <<= 2 * quarter;
    bits |= __shfl_xor_sync(whole_warp, bits, 1);
    bits |= __shfl_xor_sync(whole_warp, bits, 2);
    const int clusters = min(k - 32 * word, 32);
    bits &= clusters > 0 ? ~0U >> (32 - clusters) : 0;
  }
  return set;
}

}  // namespace centroid_lab::cuda::row_pieces

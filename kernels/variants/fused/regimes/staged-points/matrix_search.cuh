// The nearest centroids of staged points by scores on matrix units (methods/split-products): a single one where its score is ahead
// of all others' by more than the point's own margin, by distances to all elsewhere. proof.md beside this file has the margin.
#pragma once

#include <cmath>
#include <cstdint>

#include "methods/split-products/split_products.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda::staged_points {

/// Clusters of a product.
constexpr int column_clusters = 8;
/// The score of what is no cluster. Not infinite: the number in its lowest bits would make it NaN, which a minimum passes over.
constexpr float beyond_all = 0x1p126F;
constexpr unsigned whole_warp = 0xffffffffU;

__host__ __device__ constexpr int columns_of(int k) { return (k + column_clusters - 1) / column_clusters; }

/// The lowest bits of a score that hold the number of its cluster among those of a lane: two of each column.
__host__ __device__ constexpr unsigned number_mask(int k) {
  unsigned mask = 1;
  while (static_cast<int>(mask) + 1 < 2 * columns_of(k)) mask = 2 * mask + 1;
  return mask;
}

/// The error of a score, in 2^-24 (|y| + |z|)^2: proof.md.
__device__ inline float score_error(int d, int k) { return 0.65F * static_cast<float>(d + 16) + 6 + static_cast<float>(number_mask(k) + 1); }

/// How the features of points lie in products: `Parts` eights, two of them a step of sixteen, one that is left a step of its own. The
/// order of features in a step is free; this one lets lanes read rows in vectors of V.
template <int V, int Parts>
struct Steps {
  static constexpr int whole = Parts / 2;
  static constexpr bool has_half = Parts % 2 != 0;
  static constexpr int count = whole + (has_half ? 1 : 0);
  /// Vectors of sixteen bytes that a column of centroids takes: for each step those of the lanes, then the halves of the squared norms.
  static constexpr int column_vectors = count * 32 + 2;

  /// The feature of element `at` (0 or 1) of word `word` (0 or 1) of a step, for lanes with lane % 4 == quarter.
  static __host__ __device__ constexpr int feature_of(int step, int word, int at, int quarter) {
    const int of_vector = V == 4 && step < whole ? 4 * quarter + 2 * word + at : V == 1 ? 8 * word + 4 * at + quarter : 8 * word + 2 * quarter + at;
    return 16 * step + of_vector;
  }
  /// Whether a step may reach past the last feature.
  static __host__ __device__ constexpr bool is_last(int step) { return step == count - 1; }
};

/// Products of sixteen points that a warp makes at once: two, which use each centroid that is read twice, or one where more features
/// would not leave registers for others.
template <int Parts>
constexpr int products_at_once = Parts <= 4 ? 2 : 1;

/// Points in products: high and low halves, and the squared norm of each of a lane's points as far as its features go.
template <int V, int Parts>
struct PointHalves {
  static constexpr int tiles = products_at_once<Parts>;
  static constexpr int words = 4 * Steps<V, Parts>::whole + (Steps<V, Parts>::has_half ? 2 : 0);
  unsigned high[tiles][words], low[tiles][words];
  float squares[tiles][2];
};

/// The point that is row g + 8 half of product `tile`, g = lane / 4. Rows that lanes read together are four apart, which spreads
/// them over the banks. In the end lane q of four has of two products the point of its own number, of one that of half q / 2.
template <int Tiles>
__device__ __forceinline__ int searched_point(int tile, int half) {
  const int g = static_cast<int>(threadIdx.x % 32) / 4;
  return Tiles == 2 ? g * 4 + 2 * half + tile : g % 4 * 4 + g / 4 + 2 * half;
}

/// Features `step` of a row, as a lane has them: word 0, then word 1 of whole steps. Those past d are zero.
template <int V, int Parts>
__device__ __forceinline__ void load_step(const float* row, int d, int step, float (&x)[4]) {
  using S = Steps<V, Parts>;
  const int quarter = threadIdx.x % 4;
  const bool is_half = step == S::whole;
  constexpr int wide = V == 4 ? 4 : V;
  // Always read, so that no branch keeps reads apart: past the last feature the first, which does not count.
  const auto load = [&](auto width, int to, int feature) {
    constexpr int floats = width.value;
    const bool there = !S::is_last(step) || feature < d;
    float values[floats];
    load_row<floats>(row + (there ? feature : 0), values);
#pragma unroll
    for (int at = 0; at < floats; at++) x[to + at] = there ? values[at] : 0.0F;
  };
  if (V == 4 && !is_half) return load(std::integral_constant<int, wide>{}, 0, S::feature_of(step, 0, 0, quarter));
#pragma unroll
  for (int word = 0; word < (is_half ? 1 : 2); word++) {
    if constexpr (V == 1) {
      load(std::integral_constant<int, 1>{}, 2 * word, S::feature_of(step, word, 0, quarter));
      load(std::integral_constant<int, 1>{}, 2 * word + 1, S::feature_of(step, word, 1, quarter));
    } else {
      load(std::integral_constant<int, 2>{}, 2 * word, S::feature_of(step, word, 0, quarter));
    }
  }
}

/// @param rows of the points, `stride` floats apart.
template <int V, int Parts>
__device__ __forceinline__ void split_rows(const float* rows, int stride, int d, float scale, PointHalves<V, Parts>& to) {
  using S = Steps<V, Parts>;
#pragma unroll
  for (int tile = 0; tile < products_at_once<Parts>; tile++) {
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const float* row = rows + searched_point<products_at_once<Parts>>(tile, half) * stride;
      float squares = 0;
#pragma unroll
      for (int step = 0; step < S::count; step++) {
        float x[4];
        load_step<V, Parts>(row, d, step, x);
#pragma unroll
        for (int word = 0; word < (step < S::whole ? 2 : 1); word++) {
          const float first = x[2 * word] * scale, second = x[2 * word + 1] * scale;
          squares = fmaf(first, first, fmaf(second, second, squares));
          const matrix_units::Halves halves = matrix_units::halves_of(first, second);
          to.high[tile][4 * step + 2 * word + half] = halves.high;
          to.low[tile][4 * step + 2 * word + half] = halves.low;
        }
      }
      to.squares[tile][half] = squares;
    }
  }
}

/// The smallest score and the second smallest, with the numbers of their clusters in the lowest bits.
struct TwoSmallest {
  float first = INFINITY, second = INFINITY;

  __device__ __forceinline__ void offer(float a, float b) {
    second = fminf(fminf(second, fmaxf(a, b)), fmaxf(first, fminf(a, b)));
    first = fminf(first, fminf(a, b));
  }
  __device__ __forceinline__ void merge(float its_first, float its_second) {
    second = fminf(fminf(second, its_second), fmaxf(first, its_first));
    first = fminf(first, its_first);
  }
};

__device__ __forceinline__ float numbered(float score, unsigned mask, unsigned number) {
  return __uint_as_float((__float_as_uint(score) & ~mask) | number);
}

/// Scores of all k clusters; `found[2 tile + half]` is of the lane's own clusters.
template <int V, int Parts>
__device__ __forceinline__ void scan_columns(const uint4* image, int k, const PointHalves<V, Parts>& points,
                                             TwoSmallest (&found)[2 * products_at_once<Parts>]) {
  constexpr int tiles = products_at_once<Parts>;
  const int columns = columns_of(k);
  const unsigned mask = number_mask(k);
  using S = Steps<V, Parts>;
  const int lane = threadIdx.x % 32;
  const uint4* at = image + lane;
  const float2* start_at = reinterpret_cast<const float2*>(image + S::count * 32) + lane % 4;
  unsigned number = 0;
#pragma unroll 2
  for (int column = 0; column < columns; column++) {
    uint4 b[S::count];
#pragma unroll
    for (int step = 0; step < S::count; step++) b[step] = at[step * 32];
    const float2 start = *start_at;
    float sums[tiles][4];
#pragma unroll
    for (int tile = 0; tile < tiles; tile++) {
      // What is small first, so that it is rounded as such.
      constexpr float zeros[4] = {};
#pragma unroll
      for (int step = 0; step < S::count; step++) {
        const unsigned* high = points.high[tile] + 4 * step;
        const unsigned* low = points.low[tile] + 4 * step;
        const float(&from)[4] = step == 0 ? zeros : static_cast<const float(&)[4]>(sums[tile]);
        if (step < S::whole) {
          matrix_units::multiply(sums[tile], from, low[0], low[1], low[2], low[3], b[step].x, b[step].y);
          matrix_units::multiply(sums[tile], sums[tile], high[0], high[1], high[2], high[3], b[step].z, b[step].w);
        } else {
          matrix_units::multiply(sums[tile], from, low[0], low[1], high[0], high[1], b[step].x, b[step].z);
        }
      }
#pragma unroll
      for (int step = 0; step < S::count; step++) {
        const unsigned* high = points.high[tile] + 4 * step;
        if (step < S::whole) matrix_units::multiply(sums[tile], sums[tile], high[0], high[1], high[2], high[3], b[step].x, b[step].y);
        else matrix_units::multiply(sums[tile], sums[tile], high[0], high[1], b[step].x);
      }
#pragma unroll
      for (int half = 0; half < 2; half++) {
        found[2 * tile + half].offer(numbered(start.x + sums[tile][2 * half], mask, number),
                                     numbered(start.y + sums[tile][2 * half + 1], mask, number + 1));
      }
    }
    at += S::column_vectors;
    start_at += 2 * S::column_vectors;
    number += 2;
  }
}

/// What four lanes found of a point, together.
struct FoundByFour {
  TwoSmallest found;
  int cluster;
  float squared_norm;

  __device__ __forceinline__ void merge(const FoundByFour& sent, int lanes) {
    const float first = __shfl_xor_sync(whole_warp, sent.found.first, lanes);
    const int its_cluster = __shfl_xor_sync(whole_warp, sent.cluster, lanes);
    if (first < found.first) cluster = its_cluster;
    found.merge(first, __shfl_xor_sync(whole_warp, sent.found.second, lanes));
    squared_norm += __shfl_xor_sync(whole_warp, sent.squared_norm, lanes);
  }
};

/// Of each lane's own point, see `searched_point`: lanes exchange half of the points that are left, then what is left of one.
template <int V, int Parts>
__device__ __forceinline__ FoundByFour share_found(const TwoSmallest (&found)[2 * products_at_once<Parts>], unsigned mask,
                                               const PointHalves<V, Parts>& points) {
  constexpr int tiles = products_at_once<Parts>;
  FoundByFour mine[2 * tiles];
#pragma unroll
  for (int at = 0; at < 2 * tiles; at++) {
    const TwoSmallest& of_lane = found[at % tiles * 2 + at / tiles];
    const int number = static_cast<int>(__float_as_uint(of_lane.first) & mask);
    mine[at] = {of_lane, number / 2 * column_clusters + static_cast<int>(threadIdx.x % 4) * 2 + number % 2,
                points.squares[at % tiles][at / tiles]};
  }
#pragma unroll
  for (int lanes = 2; lanes >= 1; lanes--) {
    const bool upper = (threadIdx.x & lanes) != 0;
    const int keep = tiles * lanes / 2;
    if (keep == 0) {
      mine[0].merge(mine[0], lanes);
      break;
    }
#pragma unroll
    for (int at = 0; at < keep; at++) {
      const FoundByFour sent = upper ? mine[at] : mine[at + keep];
      if (upper) mine[at] = mine[at + keep];
      mine[at].merge(sent, lanes);
    }
  }
  return mine[0];
}

/// Centroids as products want them: a column of eight after the other; those past k or left out are too far for any point. By whole warps, a centroid each
/// at a time; the largest squared norm must be known.
template <int V, int Parts>
__device__ void stage_image(const Pass& pass, int d, float scale, uint4* image) {
  using S = Steps<V, Parts>;
  const int warps = static_cast<int>(blockDim.x) / 32, lane = threadIdx.x % 32;
  for (int c = threadIdx.x / 32; c < columns_of(pass.k) * column_clusters; c += warps) {
    uint4* column = image + c / column_clusters * S::column_vectors;
    const float* row = pass.centroids + static_cast<size_t>(min(c, pass.k - 1)) * d;
    const bool exists = c < pass.k && has_part(row);
    double squared = 0;
    for (int j = lane; j < d; j += 32) {
      const double value = static_cast<double>(row[j]) * scale;
      squared = fma(value, value, squared);
    }
    for (int step = 16; step > 0; step /= 2) squared += __shfl_xor_sync(whole_warp, squared, step);
    // Lane q of four has clusters 2 q and 2 q + 1.
    float* start = reinterpret_cast<float*>(column + S::count * 32) + c % column_clusters;
    if (lane == 0) *start = exists ? static_cast<float>(squared / 2) : beyond_all;
    for (int at = lane; at < S::count * 8; at += 32) {
      const int step = at / 8, word = at / 4 % 2, quarter = at % 4;
      float values[2];
      for (int element = 0; element < 2; element++) {
        const int feature = S::feature_of(step, word, element, quarter);
        const bool there = exists && feature < d && (step < S::whole || word == 0);
        values[element] = there ? -row[feature] * scale : 0.0F;
      }
      const matrix_units::Halves halves = matrix_units::halves_of(values[0], values[1]);
      auto* words = reinterpret_cast<unsigned*>(column + step * 32 + c % column_clusters * 4 + quarter);
      words[word] = halves.high;
      words[2 + word] = halves.low;
    }
  }
}

}  // namespace centroid_lab::cuda::staged_points

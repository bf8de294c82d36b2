// Scores s = B + |z|^2/2 - y.z on matrix units, y = S x and z = S c, S a power of two that brings the larger of X >= |x|
// and C >= |c| into [2^14, 2^15). Each coordinate is taken as two float16, high and low. Each point has an offset B of its own,
// about |y|^2/2, so that its scores are not negative and compare as integers. proof.md derives the margin.
#pragma once

#include <climits>
#include <cmath>
#include <type_traits>

#include "methods/split-products/split_products.cuh"
#include "methods/staged-centroids/staged_centroids.cuh"

namespace centroid_lab::cuda::matrix_units {

using namespace staged;

/// Centroids whose scores a warp works out at once: four columns of eight. For each point a lane gets the scores of two
/// neighbours in each column: these are its group.
constexpr int stride_clusters = 32;
constexpr int columns = stride_clusters / 8;

__host__ __device__ constexpr int strides_of(int k) { return (k + stride_clusters - 1) / stride_clusters; }

/// Where clusters lie in groups: bits 1 and 2 of the number (the lane) change places with bits 3 and 4 (the column).
struct ByLane {
  static __host__ __device__ constexpr int slot_of(int c) {
    return (c & ~31) | (c >> 1 & 3) << 3 | (c >> 3 & 3) << 1 | (c & 1);
  }
};
/// The number of slot `at` of a group.
__device__ __forceinline__ int cluster_of(int group, int at) {
  return group / 4 * stride_clusters + at / 2 * 8 + group % 4 * 2 + at % 2;
}

/// How the products of D features lie in the steps of the matrix unit: each word is a pair of halves a lane.
template <int D>
struct Split {
  /// Words a lane holds of 16 points, and of eight centroids.
  static constexpr int point_words = D <= 2 ? 2 : D <= 8 ? 4 : D / 2;
  static constexpr int centroid_words = D <= 2 ? 1 : D <= 8 ? 2 : D / 4;
  /// Words of 16 bytes of a stride: those of each lane, then for each column and quarter the start values of both points.
  static constexpr int image_words = centroid_words * 32 + columns * 4;
  /// Products a score adds up that are not zero.
  static __device__ int products(int d) { return D <= 2 ? 8 : D <= 4 ? 16 : 3 * d; }
  /// Whether the offset of a point is one more product; else it is added to what sums start from.
  static constexpr bool lift_in_products = D <= 4;
};

/// Offsets in products are a float16 times this.
constexpr float lift_unit = 0x1p15F;

/// Features 2 pair and 2 pair + 1 of a row of d.
template <int D>
__device__ __forceinline__ float2 load_pair(const float* row, int d, int pair) {
  if (d == D) return *reinterpret_cast<const float2*>(row + 2 * pair);
  return {2 * pair < d ? row[2 * pair] : 0.0F, 2 * pair + 1 < d ? row[2 * pair + 1] : 0.0F};
}

/// The sum of the lanes that share points, for up to four features of pairs of them.
template <int D>
__device__ __forceinline__ float sum_of_quarters(float value) {
  if constexpr (D > 2) value += __shfl_xor_sync(everyone, value, 1);
  if constexpr (D > 4) value += __shfl_xor_sync(everyone, value, 2);
  return value;
}

/// The offset of a point as the float16 of a product.
__device__ __forceinline__ unsigned lift_word(float squared_norm) {
  return __half_as_ushort(__float2half_ru(0.50001F / lift_unit * squared_norm));
}

/// The words that lane holds of points `upper` and `lower` (rows g and g + 8 of a tile, g = lane / 4), and their offsets where
/// sums start from them.
template <int D>
__device__ __forceinline__ void split_points(const float* upper, const float* lower, int d, float scale,
                                             unsigned (&a)[Split<D>::point_words], float (&lifts)[2]) {
  const int quarter = threadIdx.x % 4;
  const float* rows[2] = {upper, lower};
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float squares = 0;
    lifts[half] = 0;
    const auto halves_at = [&](int at) {
      const float2 two = load_pair<D>(rows[half], d, at);
      const float first = two.x * scale, second = two.y * scale;
      squares = fmaf(first, first, fmaf(second, second, squares));
      return halves_of(first, second);
    };
    if constexpr (D == 2) {
      const Halves pair = halves_at(0);
      a[half] = quarter == 1 ? pair.low : quarter == 3 ? lift_word(squares) : pair.high;
    } else if constexpr (D == 4) {
      const Halves pair = halves_at(quarter % 2);
      squares = sum_of_quarters<D>(squares);
      a[half] = quarter < 2 ? pair.high : pair.low;
      a[2 + half] = quarter < 2 ? pair.high : quarter == 2 ? lift_word(squares) : 0;
    } else {
      // High halves of all features, then low halves, two words for eight features.
#pragma unroll
      for (int part = 0; part < D / 8; part++) {
        const Halves pair = halves_at(part * 4 + quarter);
        a[2 * part + half] = pair.high;
        a[D / 4 + 2 * part + half] = pair.low;
      }
      lifts[half] = 0.5F * sum_of_quarters<D>(squares);
    }
  }
}

/// Word `word` of centroid `row` for the lane that stands for `quarter`; negated, for scores subtract. Offsets are added.
template <int D>
__device__ __forceinline__ unsigned split_centroid(const float* row, int word, int quarter, float scale) {
  const int pair = D == 2 ? 0 : D == 4 ? quarter % 2 : word % (D / 8) * 4 + quarter;
  const Halves halves = halves_of(-row[2 * pair] * scale, -row[2 * pair + 1] * scale);
  const unsigned unit = __half_as_ushort(__float2half_rn(lift_unit));
  if constexpr (D == 2) return quarter < 2 ? halves.high : quarter == 2 ? halves.low : unit;
  else if constexpr (D == 4) return word == 0 ? halves.high : quarter < 2 ? halves.low : quarter == 2 ? unit : 0;
  else return word < D / 8 ? halves.high : halves.low;
}

/// `start` and the products of a tile of points and eight centroids.
template <int D>
__device__ __forceinline__ void score(float (&sums)[4], const float (&start)[4],
                                      const unsigned (&a)[Split<D>::point_words],
                                      const unsigned (&b)[Split<D>::centroid_words]) {
  if constexpr (D == 2) {
    multiply(sums, start, a[0], a[1], b[0]);
  } else if constexpr (D == 4) {
    multiply(sums, start, a[0], a[1], a[2], a[3], b[0], b[1]);
  } else if constexpr (D == 8) {
    multiply(sums, start, a[0], a[1], a[2], a[3], b[0], b[0]);
    multiply(sums, sums, a[0], a[1], b[1]);
  } else {
    constexpr int parts = D / 8;
#pragma unroll
    for (int part = 0; part < parts; part += 2) {
      const unsigned* high = a + 2 * part;
      const unsigned* low = a + 2 * parts + 2 * part;
      const float(&from)[4] = part == 0 ? start : static_cast<const float(&)[4]>(sums);
      multiply(sums, from, high[0], high[1], high[2], high[3], b[part], b[part + 1]);
      multiply(sums, sums, low[0], low[1], low[2], low[3], b[part], b[part + 1]);
      multiply(sums, sums, high[0], high[1], high[2], high[3], b[parts + part], b[parts + part + 1]);
    }
  }
}

/// Smallest score of a point's groups so far, the group, and the smallest score of all others. Scores as integers.
struct Best {
  int score, second, group;

  __device__ __forceinline__ void offer(int least, int its_group) {
    second = min(second, max(score, least));
    group = least < score ? its_group : group;
    score = min(score, least);
  }
  __device__ __forceinline__ void merge(const Best& other) {
    second = min(min(second, other.second), max(score, other.score));
    group = other.score < score ? other.group : group;
    score = min(score, other.score);
  }
};

__device__ __forceinline__ Best exchange(const Best& mine, int lanes) {
  return {__shfl_xor_sync(everyone, mine.score, lanes), __shfl_xor_sync(everyone, mine.second, lanes),
          __shfl_xor_sync(everyone, mine.group, lanes)};
}

/// The first N columns of a stride for T tiles of points; `words` is this lane's first of the stride, `starts` its quarter's.
template <int D, int T, int N>
__device__ __forceinline__ void scan_stride(const uint4* words, const float4* starts, int group,
                                            const unsigned (&a)[T][Split<D>::point_words], const float (&lifts)[T][2],
                                            Best (&best)[2 * T]) {
  unsigned b[columns][Split<D>::centroid_words];
#pragma unroll
  for (int word = 0; word < Split<D>::centroid_words; word++) {
    const uint4 four = words[word * 32];
    b[0][word] = four.x;
    b[1][word] = four.y;
    b[2][word] = four.z;
    b[3][word] = four.w;
  }
  using Starts = std::conditional_t<Split<D>::lift_in_products, float4, float2>;
  Starts start[N];
#pragma unroll
  for (int column = 0; column < N; column++) start[column] = *reinterpret_cast<const Starts*>(starts + column * 4);
#pragma unroll
  for (int tile = 0; tile < T; tile++) {
    float sums[N][4];
#pragma unroll
    for (int column = 0; column < N; column++) {
      const Starts at = start[column];
      const float upper = lifts[tile][0], lower = lifts[tile][1];
      if constexpr (Split<D>::lift_in_products) score<D>(sums[column], {at.x, at.y, at.z, at.w}, a[tile], b[column]);
      else score<D>(sums[column], {at.x + upper, at.y + upper, at.x + lower, at.y + lower}, a[tile], b[column]);
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
      int least = min(__float_as_int(sums[0][2 * half]), __float_as_int(sums[0][2 * half + 1]));
#pragma unroll
      for (int column = 1; column < N; column++) {
        least = __vimin3_s32(least, __float_as_int(sums[column][2 * half]), __float_as_int(sums[column][2 * half + 1]));
      }
      best[2 * tile + half].offer(least, group);
    }
  }
}

/// Scores of the groups in columns first .. last - 1 for T tiles of points, first a multiple of 4; `best[2 t + h]` is that of
/// row g + 8 h of tile t in this lane's groups.
template <int D, int T>
__device__ __forceinline__ void scan(const uint4* image, int first, int last, const unsigned (&a)[T][Split<D>::point_words],
                                     const float (&lifts)[T][2], Best (&best)[2 * T]) {
  const int lane = threadIdx.x % 32;
  int group = first + lane % 4;
  const uint4* at = image + first / columns * Split<D>::image_words;
  const auto starts = [&] { return reinterpret_cast<const float4*>(at + Split<D>::centroid_words * 32) + lane % 4; };
  for (int stride = first / columns; stride < last / columns; stride++) {
    scan_stride<D, T, columns>(at + lane, starts(), group, a, lifts, best);
    group += columns;
    at += Split<D>::image_words;
  }
  switch (last % columns) {
    case 1: return scan_stride<D, T, 1>(at + lane, starts(), group, a, lifts, best);
    case 2: return scan_stride<D, T, 2>(at + lane, starts(), group, a, lifts, best);
    case 3: return scan_stride<D, T, 3>(at + lane, starts(), group, a, lifts, best);
    default: return;
  }
}

/// Rows of centroids as groups of this order hold them.
template <int D>
struct RowsByLane : SharedRows<D, ByLane> {
  /// Rows of a group that are compared in a stretch of code.
  static constexpr int at_once = group_size;

  __device__ __forceinline__ void load_of_group(int group, int at, float (&row)[D]) const {
    load_row<D>(this->groups + group * group_stride<D> + at * D, row);
  }
};

/// Rows of centroids in global memory, where shared memory has no room for them.
template <int D>
struct GlobalRows {
  static constexpr int at_once = 2;

  const float* centroids;
  int k, d;

  __device__ __forceinline__ void load(int c, float (&row)[D]) const {
    const float* from = centroids + static_cast<size_t>(c) * d;
    if (D % 4 == 0 && d % 4 == 0 && reinterpret_cast<std::uintptr_t>(centroids) % sizeof(float4) == 0) {
#pragma unroll
      for (int j = 0; j < D; j += 4) {
        const float4 four = j < d ? *reinterpret_cast<const float4*>(from + j) : float4{0, 0, 0, 0};
        row[j] = four.x;
        if constexpr (D % 4 == 0) row[j + 1] = four.y, row[j + 2] = four.z, row[j + 3] = four.w;
      }
      return;
    }
#pragma unroll
    for (int j = 0; j < D; j++) row[j] = j < d ? from[j] : 0.0F;
  }
  /// Past k: too far away for any point.
  __device__ __forceinline__ void load_of_group(int group, int at, float (&row)[D]) const {
    const int c = cluster_of(group, at);
    load(min(c, k - 1), row);
    if (c >= k) row[0] = 1e30F;
  }
};

/// The nearest of a group by distances; -1 where these leave it in doubt.
template <int D, class Rows>
__device__ __forceinline__ int nearest_of_group(const Rows& rows, const float (&x)[D], int group) {
  NearestWithGap nearest;
#pragma unroll Rows::at_once
  for (int c = 0; c < group_size; c++) {
    float row[D];
    rows.load_of_group(group, c, row);
    nearest.offer(c, squared_distance<D>(x, row));
  }
  constexpr TieMargin margin(D);
  return margin.is_doubtful(nearest.distance, nearest.gap) ? -1 : cluster_of(group, nearest.cluster);
}

/// Puts the halves and the start value of cluster c into the image; row k - 1 stands in for those past k. Those that do not `exist` have
/// scores beyond all.
template <int D, class Rows>
__device__ void store_halves(const Rows& rows, uint4* image, int c, int k, bool exists, const MatrixBounds& bounds) {
  float row[D];
  rows.load(min(c, k - 1), row);
  uint4* stride = image + c / stride_clusters * Split<D>::image_words;
  const int column = c / 8 % columns, lane = c % 8 * 4;
  double squared = 0;
#pragma unroll
  for (int j = 0; j < D; j++) {
    const double value = static_cast<double>(row[j]) * bounds.scale;
    squared = fma(value, value, squared);
  }
  const float start = exists ? static_cast<float>(squared / 2) : INFINITY;
  float* starts = reinterpret_cast<float*>(stride + Split<D>::centroid_words * 32 + column * 4 + c % 8 / 2) + c % 2;
  starts[0] = starts[2] = start;
#pragma unroll
  for (int word = 0; word < Split<D>::centroid_words; word++) {
#pragma unroll
    for (int quarter = 0; quarter < 4; quarter++) {
      reinterpret_cast<unsigned*>(stride + word * 32 + lane + quarter)[column] =
          exists ? split_centroid<D>(row, word, quarter, bounds.scale) : 0;
    }
  }
}

/// Centroids and their halves; rows past k are too far away for any point. Synchronises.
template <int D, class Rows>
__device__ MatrixBounds stage(const StagedJob& job, const Pass& pass, Staged<D, ByLane>& to, const Rows& centroids, uint4* image) {
  const int rows = strides_of(pass.k) * stride_clusters;
  const float largest = stage_rows(job, pass, to, rows, 1e30F);
  const MatrixBounds bounds = matrix_bounds(D, 1.3F * static_cast<float>(Split<D>::products(job.d) + 16) + 6, job.reach, largest);
  for (int c = threadIdx.x; c < rows; c += blockDim.x) {
    store_halves<D>(centroids, image, c, pass.k, c < pass.k && has_part(pass.centroids + c * job.d), bounds);
  }
  __syncthreads();
  return bounds;
}

}  // namespace centroid_lab::cuda::matrix_units

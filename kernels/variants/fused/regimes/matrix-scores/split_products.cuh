// Scores s = B + |z|^2/2 - y.z on matrix units, y = S x and z = S c, S a power of two that brings the larger of X >= |x|
// and C >= |c| into [2^11, 2^12). Each coordinate is taken as two float16, high and low. proof.md derives the margin.
#pragma once

#include <cuda_fp16.h>

#include <climits>
#include <cmath>

#include "methods/staged-centroids/staged_centroids.cuh"

namespace centroid_lab::cuda::matrix_units {

using namespace staged;

/// S, B and M of an assignment.
struct MatrixBounds {
  float scale;
  float offset;
  float margin;
};

/// @param products that a score adds up. @param points X. @param centroids_squared C squared, a little too small at most by
/// rounding.
__device__ inline MatrixBounds matrix_bounds(int d, int products, float points, float centroids_squared) {
  const float reach = 1.0001F * sqrtf(centroids_squared) + 0x1p-100F;
  const float larger = fmaxf(points, reach);
  int exponent = 0;
  frexpf(larger, &exponent);
  const bool in_range = larger < 0x1p60F && exponent > -60;
  const float scale = ldexpf(1.0F, in_range ? 12 - exponent : 0);
  const float y = points * scale, z = reach * scale;
  const float u = 1.01F * 0x1p-24F;
  const float sum = (y + z) * (y + z);
  const float largest = z * (z / 2 + 2 * y);
  const float error = u * (5.2F * sum + (2.5F * static_cast<float>(products + 16) + 2) * largest);
  const float margin = 1.01F * (2 * error + u * static_cast<float>(d + 4) * sum) +
                       static_cast<float>(d) * 0x1p-126F * scale * scale;
  return {scale, 1.0001F * y * z + error, in_range ? margin : INFINITY};
}

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
  /// Products a score adds up.
  static constexpr int products = D <= 2 ? 8 : D <= 4 ? 16 : 3 * D;
};

struct Halves {
  unsigned high, low;
};

__device__ __forceinline__ Halves halves_of(float a, float b) {
  const __half2 high = __floats2half2_rn(a, b);
  const __half2 low = __floats2half2_rn(a - __low2float(high), b - __high2float(high));
  return {reinterpret_cast<const unsigned&>(high), reinterpret_cast<const unsigned&>(low)};
}

/// sums = from + 16 points by 16 features times 16 features by 8 centroids.
__device__ __forceinline__ void multiply(float (&sums)[4], const float (&from)[4], unsigned a0, unsigned a1, unsigned a2,
                                         unsigned a3, unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3]));
#endif
}

/// The same with 8 features.
__device__ __forceinline__ void multiply(float (&sums)[4], const float (&from)[4], unsigned a0, unsigned a1, unsigned b0) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
      : "r"(a0), "r"(a1), "r"(b0), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3]));
#endif
}

/// Features 2 pair and 2 pair + 1 of a row of d.
template <int D>
__device__ __forceinline__ float2 load_pair(const float* row, int d, int pair) {
  if (d == D) return *reinterpret_cast<const float2*>(row + 2 * pair);
  return {2 * pair < d ? row[2 * pair] : 0.0F, 2 * pair + 1 < d ? row[2 * pair + 1] : 0.0F};
}

/// The words that lane holds of points `upper` and `lower` (rows g and g + 8 of a tile, g = lane / 4).
template <int D>
__device__ __forceinline__ void split_points(const float* upper, const float* lower, int d, float scale,
                                             unsigned (&a)[Split<D>::point_words]) {
  const int quarter = threadIdx.x % 4;
  const float* rows[2] = {upper, lower};
#pragma unroll
  for (int half = 0; half < 2; half++) {
    if constexpr (D == 2) {
      const float2 two = load_pair<D>(rows[half], d, 0);
      const Halves pair = halves_of(two.x * scale, two.y * scale);
      a[half] = quarter == 1 ? pair.low : quarter == 3 ? 0 : pair.high;
    } else if constexpr (D == 4) {
      const float2 two = load_pair<D>(rows[half], d, quarter % 2);
      const Halves pair = halves_of(two.x * scale, two.y * scale);
      a[half] = quarter < 2 ? pair.high : pair.low;
      a[2 + half] = quarter < 2 ? pair.high : 0;
    } else {
      // High halves of all features, then low halves, two words for eight features.
#pragma unroll
      for (int part = 0; part < D / 8; part++) {
        const float2 two = load_pair<D>(rows[half], d, part * 4 + quarter);
        const Halves pair = halves_of(two.x * scale, two.y * scale);
        a[2 * part + half] = pair.high;
        a[D / 4 + 2 * part + half] = pair.low;
      }
    }
  }
}

/// Word `word` of centroid `row` for the lane that stands for `quarter`; negated, for scores subtract.
template <int D>
__device__ __forceinline__ unsigned split_centroid(const float* row, int word, int quarter, float scale) {
  const int pair = D == 2 ? 0 : D == 4 ? quarter % 2 : word % (D / 8) * 4 + quarter;
  const Halves halves = halves_of(-row[2 * pair] * scale, -row[2 * pair + 1] * scale);
  if constexpr (D == 2) return quarter < 2 ? halves.high : quarter == 2 ? halves.low : 0;
  else if constexpr (D == 4) return word == 0 ? halves.high : quarter < 2 ? halves.low : 0;
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
                                            const unsigned (&a)[T][Split<D>::point_words], Best (&best)[2 * T]) {
  unsigned b[columns][Split<D>::centroid_words];
#pragma unroll
  for (int word = 0; word < Split<D>::centroid_words; word++) {
    const uint4 four = words[word * 32];
    b[0][word] = four.x;
    b[1][word] = four.y;
    b[2][word] = four.z;
    b[3][word] = four.w;
  }
  float start[N][4];
#pragma unroll
  for (int column = 0; column < N; column++) {
    const float4 four = starts[column * 4];
    start[column][0] = four.x;
    start[column][1] = four.y;
    start[column][2] = four.z;
    start[column][3] = four.w;
  }
#pragma unroll
  for (int tile = 0; tile < T; tile++) {
    float sums[N][4];
#pragma unroll
    for (int column = 0; column < N; column++) score<D>(sums[column], start[column], a[tile], b[column]);
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
                                     Best (&best)[2 * T]) {
  const int lane = threadIdx.x % 32;
  int group = first + lane % 4;
  const uint4* at = image + first / columns * Split<D>::image_words;
  const auto starts = [&] { return reinterpret_cast<const float4*>(at + Split<D>::centroid_words * 32) + lane % 4; };
  for (int stride = first / columns; stride < last / columns; stride++) {
    scan_stride<D, T, columns>(at + lane, starts(), group, a, best);
    group += columns;
    at += Split<D>::image_words;
  }
  switch (last % columns) {
    case 1: return scan_stride<D, T, 1>(at + lane, starts(), group, a, best);
    case 2: return scan_stride<D, T, 2>(at + lane, starts(), group, a, best);
    case 3: return scan_stride<D, T, 3>(at + lane, starts(), group, a, best);
    default: return;
  }
}

/// The nearest of a group by distances, the lowest on equal ones.
template <int D>
__device__ __forceinline__ int nearest_of_group(const Staged<D, ByLane>& staged, const float (&x)[D], int group) {
  const float* from = staged.groups + group * group_stride<D>;
  float smallest = INFINITY;
  int nearest = 0;
#pragma unroll
  for (int c = 0; c < group_size; c++) {
    const float distance = distance_of<D>(x, from + c * D);
    if (distance < smallest) {
      smallest = distance;
      nearest = c;
    }
  }
  return cluster_of(group, nearest);
}

/// Puts the halves and the start value of cluster c, whose row is staged, into the image.
template <int D>
__device__ void store_halves(const Staged<D, ByLane>& staged, uint4* image, int c, int k, const MatrixBounds& bounds) {
  const float* row = staged.row(c);
  uint4* stride = image + c / stride_clusters * Split<D>::image_words;
  const int column = c / 8 % columns, lane = c % 8 * 4;
  double squared = 0;
  for (int j = 0; j < D; j++) {
    const double value = static_cast<double>(row[j]) * bounds.scale;
    squared = fma(value, value, squared);
  }
  const float start = c < k ? static_cast<float>(bounds.offset + squared / 2) : INFINITY;
  float* starts = reinterpret_cast<float*>(stride + Split<D>::centroid_words * 32 + column * 4 + c % 8 / 2) + c % 2;
  starts[0] = starts[2] = start;
  for (int word = 0; word < Split<D>::centroid_words; word++) {
    for (int quarter = 0; quarter < 4; quarter++) {
      reinterpret_cast<unsigned*>(stride + word * 32 + lane + quarter)[column] =
          c < k ? split_centroid<D>(row, word, quarter, bounds.scale) : 0;
    }
  }
}

/// Centroids and their halves; rows past k are too far away for any point. Synchronises.
template <int D>
__device__ MatrixBounds stage(const StagedJob& job, const Pass& pass, Staged<D, ByLane>& to, uint4* image) {
  const int rows = strides_of(pass.k) * stride_clusters;
  const float largest = stage_rows(job, pass, to, rows, 1e30F);
  const MatrixBounds bounds = matrix_bounds(D, Split<D>::products, job.reach, largest);
  to.margin = bounds.margin;
  for (int c = threadIdx.x; c < rows; c += blockDim.x) store_halves<D>(to, image, c, pass.k, bounds);
  __syncthreads();
  return bounds;
}

}  // namespace centroid_lab::cuda::matrix_units

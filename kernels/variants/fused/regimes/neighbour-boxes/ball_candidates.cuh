// Which centroids can be nearest to a point of a ball; proof.md derives the test.
#pragma once

#include <cstdint>

#include "chunks.hpp"
#include "settle.cuh"

namespace centroid_lab::cuda::neighbour_boxes {

constexpr unsigned everyone = 0xffffffffU;

/// What a row of D features takes in shared memory, such that eight neighbouring rows lie in different banks.
template <int D>
constexpr int row_words = D <= 4 ? D : D + 4;

__device__ __forceinline__ unsigned min_of_warp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(everyone, value);
#else
  for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(everyone, value, step));
  return value;
#endif
}

__device__ __forceinline__ float largest_of_warp(float value) {
  return __uint_as_float(~min_of_warp(~__float_as_uint(value)));
}

template <int D>
__device__ __forceinline__ float distance_between(const float (&a)[D], const float* row) {
  float b[D];
  load_row<D>(row, b);
  return squared_distance<D>(a, b);
}

/// Writes those of `count` clusters, at(0), at(1), .. in their order, that can be nearest to a point of the ball to `list`, in the same
/// order, as far as there is `room`. `rows`: all centroids, `row_words` apart. A lane has `Ahead` centroids at hand. By whole warps.
/// @returns how many they are, with those that found no room.
template <int D, int Ahead, class At>
__device__ __forceinline__ int list_nearest(const float (&centre)[D], float radius, const float* rows, int count, const At& at,
                                            std::uint16_t* list, int room) {
  constexpr unsigned index_bits = max_clusters - 1;
  const int lane = threadIdx.x % 32;
  unsigned least = ~0U;
#pragma unroll Ahead
  for (int i = lane; i < count; i += 32) {
    const unsigned c = at(i);
    const float distance = distance_between<D>(centre, rows + c * row_words<D>);
    least = min(least, (__float_as_uint(distance) & ~index_bits) | c);
  }
  float nearest[D];
  load_row<D>(rows + (min_of_warp(least) & index_bits) * row_words<D>, nearest);
  const float own = squared_distance<D>(centre, nearest);
  const float spare = fmaf(1e-4F, fmaf(radius, radius, own), fmaf(own, 1.00001F, 1e-34F));
  const float reach = 4.001F * radius * radius;
  int listed = 0;
#pragma unroll Ahead
  for (int base = 0; base < count; base += 32) {
    const int i = base + lane;
    unsigned c = 0;
    bool stays = false;
    if (i < count) {
      c = at(i);
      float row[D];
      load_row<D>(rows + c * row_words<D>, row);
      const float ahead = fmaf(squared_distance<D>(centre, row), 0.99999F, -spare);
      stays = has_part(row) && !(ahead > 0 && ahead * ahead > reach * squared_distance<D>(row, nearest));
    }
    const unsigned all = __ballot_sync(everyone, stays);
    const int place = listed + __popc(all & ((1U << lane) - 1));
    if (stays && place < room) list[place] = static_cast<std::uint16_t>(c);
    listed += __popc(all);
  }
  __syncwarp();
  return listed;
}

/// How many features of a point stand side by side in a chunk.
template <int D>
constexpr int part_width = D < 4 ? D : 4;

template <int D>
__device__ __forceinline__ void store_point(float* chunk, int point, const float (&x)[D]) {
  using Part = std::conditional_t<part_width<D> == 4, float4, float2>;
  constexpr int points = 32 * lane_points(D);
#pragma unroll
  for (int part = 0; part < D / part_width<D>; part++) {
    Part values;
#pragma unroll
    for (int j = 0; j < part_width<D>; j++) reinterpret_cast<float*>(&values)[j] = x[part * part_width<D> + j];
    reinterpret_cast<Part*>(chunk)[part * points + point] = values;
  }
}

template <int D>
__device__ __forceinline__ void load_point(const float* chunk, int point, float (&x)[D]) {
  using Part = std::conditional_t<part_width<D> == 4, float4, float2>;
  constexpr int points = 32 * lane_points(D);
#pragma unroll
  for (int part = 0; part < D / part_width<D>; part++) {
    const Part values = __ldg(reinterpret_cast<const Part*>(chunk) + part * points + point);
#pragma unroll
    for (int j = 0; j < part_width<D>; j++) x[part * part_width<D> + j] = reinterpret_cast<const float*>(&values)[j];
  }
}

/// A point of a chunk as it lies there, a feature at a time.
template <int D>
struct PointOfChunk {
  const float* chunk;
  int point;

  __device__ __forceinline__ float operator[](int j) const {
    constexpr int points = 32 * lane_points(D), width = part_width<D>;
    return chunk[(j / width * points + point) * width + j % width];
  }
  __device__ __forceinline__ PointOfChunk of_lane(int lane) const { return {chunk, __shfl_sync(everyone, point, lane)}; }
};

/// A lane's points of a chunk.
template <int D>
struct PointsOfChunk {
  const float* chunk;
  int first;

  __device__ __forceinline__ PointOfChunk<D> operator()(int p) const { return {chunk, first + p * 32}; }
};

/// All centroids to `rows`; features past d are zero. Does not synchronise.
template <int D>
__device__ __forceinline__ void stage_centroids(const Pass& pass, int d, float* rows) {
  if constexpr (D % 4 == 0) {
    if (d == D && reinterpret_cast<std::uintptr_t>(pass.centroids) % sizeof(float4) == 0) {
      constexpr int parts = D / 4;
#pragma unroll 4
      for (int at = threadIdx.x; at < pass.k * parts; at += blockDim.x) {
        reinterpret_cast<float4*>(rows + at / parts * row_words<D>)[at % parts] = reinterpret_cast<const float4*>(pass.centroids)[at];
      }
      return;
    }
  }
#pragma unroll 4
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) {
    const int c = at / D, j = at % D;
    rows[c * row_words<D> + j] = j < d ? pass.centroids[c * d + j] : 0.0F;
  }
}

}  // namespace centroid_lab::cuda::neighbour_boxes

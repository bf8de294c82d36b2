// Distances of points from up to `max_cells` centres, as the kernels need them that part points once.
#pragma once

#include "kernels.cuh"

namespace centroid_lab::cuda::matrix_filter {

constexpr int cell_threads = 256;
constexpr int cell_lanes = max_cells / 32;
/// Points of a warp and of a block, features at a time.
constexpr int cell_warp_points = 8;
constexpr int cell_points = cell_warp_points * cell_threads / 32;
constexpr int cell_slice = 32;

/// A number in (0, 1) that looks random.
__device__ inline float chance(unsigned number, unsigned round) {
  unsigned bits = number * 0x9e3779b9u ^ round * 0x85ebca6bu;
  bits = (bits ^ bits >> 16) * 0x7feb352du;
  bits = (bits ^ bits >> 15) * 0x846ca68bu;
  return (static_cast<float>((bits ^ bits >> 16) >> 8) + 0.5f) * 0x1p-24f;
}

/// For every `step`-th point of a block's, `count` in all: use(point, key) with the smallest key among `cells` centres (cells, d), by
/// all lanes of its warp. A lane has four cells and its warp eight points, features pass through shared memory in slices.
template <class Use>
__device__ inline void nearest_cells(const float* x, size_t step, size_t count, int d, const float* centres, int cells, const Use& use) {
  constexpr int padding = 4;
  __shared__ __align__(16) float theirs[cell_slice][max_cells + padding];
  __shared__ __align__(16) float own[cell_slice][cell_points + padding];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t first = static_cast<size_t>(blockIdx.x) * cell_points;
  float distances[cell_warp_points][cell_lanes] = {};
  for (int from = 0; from < d; from += cell_slice) {
    __syncthreads();
    for (int at = threadIdx.x; at < cells * cell_slice; at += cell_threads) {
      const int cell = at / cell_slice, j = at % cell_slice;
      theirs[j][cell] = from + j < d ? centres[static_cast<size_t>(cell) * d + from + j] : 0;
    }
    for (int at = threadIdx.x; at < cell_points * cell_slice; at += cell_threads) {
      const int point = at / cell_slice, j = at % cell_slice;
      const size_t row = min(first + point, count - 1) * step;
      own[j][point] = from + j < d ? x[row * d + from + j] : 0;
    }
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < cell_slice; j++) {
      const float4 centre = *reinterpret_cast<const float4*>(&theirs[j][lane * cell_lanes]);
      const float4 low = *reinterpret_cast<const float4*>(&own[j][warp * cell_warp_points]);
      const float4 high = *reinterpret_cast<const float4*>(&own[j][warp * cell_warp_points + 4]);
      const float values[cell_warp_points] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
      for (int point = 0; point < cell_warp_points; point++) {
        distances[point][0] = add_square(distances[point][0], values[point], centre.x);
        distances[point][1] = add_square(distances[point][1], values[point], centre.y);
        distances[point][2] = add_square(distances[point][2], values[point], centre.z);
        distances[point][3] = add_square(distances[point][3], values[point], centre.w);
      }
    }
  }
#pragma unroll
  for (int point = 0; point < cell_warp_points; point++) {
    unsigned long long key = ~0ull;
#pragma unroll
    for (int at = 0; at < cell_lanes; at++) {
      const int cell = lane * cell_lanes + at;
      if (cell < cells) key = min(key, key_of(distances[point][at], static_cast<unsigned>(cell)));
    }
    key = smallest_key(key, 32);
    const size_t i = first + static_cast<size_t>(warp) * cell_warp_points + point;
    if (i < count) use(i, key);
  }
}

}  // namespace centroid_lab::cuda::matrix_filter

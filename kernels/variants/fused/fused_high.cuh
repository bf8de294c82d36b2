// Device functions that the kernels of `fused` for many features share.
#pragma once

#include "fused_high.hpp"

namespace centroid_lab::cuda::high {

constexpr unsigned full_warp = 0xffffffffu;

/// Orders candidates by distance, then by index: the smallest key is the nearest centroid, the lowest on ties.
__device__ inline unsigned long long key_of(float distance, unsigned cluster) {
  return static_cast<unsigned long long>(__float_as_uint(distance)) << 32 | cluster;
}

__device__ inline unsigned cluster_of(unsigned long long key) { return static_cast<unsigned>(key); }

/// The smallest key of `lanes` neighbouring lanes, a power of two; every lane gets it.
__device__ inline unsigned long long smallest_key(unsigned long long key, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    const unsigned long long other = __shfl_xor_sync(full_warp, key, step);
    key = other < key ? other : key;
  }
  return key;
}

/// One feature's share of a distance. Every kernel adds the features up in their order, so that all get the same bits.
__device__ inline float add_square(float distance, float x, float centroid) {
  const float difference = x - centroid;
  return fmaf(difference, difference, distance);
}

/// The same for four features.
__device__ inline float add_squares(float distance, const float4& x, const float4& centroid) {
  distance = add_square(distance, x.x, centroid.x);
  distance = add_square(distance, x.y, centroid.y);
  distance = add_square(distance, x.z, centroid.z);
  return add_square(distance, x.w, centroid.w);
}

/// By a warp; every lane gets it.
__device__ inline float squared_distance_of_warp(const float* x, const float* centre, int d) {
  float sum = 0;
  for (int j = threadIdx.x % 32; j < d; j += 32) sum = add_square(sum, x[j], centre[j]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(full_warp, sum, step);
  return sum;
}

/// The first `count` of four; zeros for the rest, where centroids have zeros too.
__device__ inline float4 first_of_four(const float* x, int count) {
  return {x[0], count > 1 ? x[1] : 0, count > 2 ? x[2] : 0, 0};
}

}  // namespace centroid_lab::cuda::high

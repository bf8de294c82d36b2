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

}  // namespace centroid_lab::cuda::high

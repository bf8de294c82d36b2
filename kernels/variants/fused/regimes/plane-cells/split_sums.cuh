// Sums of two features in shared memory: a column for each lane, which the warps of a block share, in halves of 32 bits.
#pragma once

#include <algorithm>

#include "finish_few.cuh"
#include "cell_stream.cuh"

namespace centroid_lab::cuda {

/// Words of a cluster and a column: lower and upper half of either feature, and the count.
constexpr int sum_words = 5;

/// Where the halves meet, and how many batches of a warp they can take before they must go to global memory; 0: none.
struct SplitSums {
  int split = 0;
  unsigned flush_after = 0;
};

/// A column's P numbers below 2^B give lower halves below P 2^split in all and upper ones of at most P 2^(B - split), which stay
/// within 32 bits. @param batches of a warp. @param sharing warps, times lanes of each, that share a column.
inline SplitSums split_sums(std::size_t n, std::size_t batches, int sharing) {
  const auto bits_of = [](std::size_t value) {
    int bits = 0;
    while (value >> bits != 0) bits++;
    return bits;
  };
  const int number_bits = 62 - bits_of(n - 1);
  for (; batches > 0; batches /= 2) {
    const std::size_t most = batches * points_of_thread * static_cast<std::size_t>(sharing);
    const int split = std::min(number_bits, 32 - bits_of(most));
    if (split >= 1 && most << (number_bits - split) < std::size_t{1} << 31) return {split, static_cast<unsigned>(batches)};
  }
  return {};
}

/// One of L columns of (k, 5, L) words.
template <int L>
struct LaneColumn {
  unsigned* words;
  float scale[2];
  int split;

  __device__ __forceinline__ LaneColumn(unsigned* sums, const float* scales, int bits)
      : words(sums + threadIdx.x % L), scale{scales[0], scales[1]}, split(bits) {}

  __device__ __forceinline__ void add_number(unsigned* at, long long value) const {
    atomicAdd(at, static_cast<unsigned>(value) & ((1U << split) - 1));
    atomicAdd(at + L, static_cast<unsigned>(value >> split));
  }

  __device__ __forceinline__ void add(unsigned cluster, long long x, long long y, unsigned count) const {
    unsigned* at = words + cluster * (sum_words * L);
    add_number(at, x);
    add_number(at + 2 * L, y);
    atomicAdd(at + 4 * L, count);
  }

  __device__ __forceinline__ void add_one(unsigned cluster, float2 point) const {
    add(cluster, __float2ll_rn(point.x * scale[0]), __float2ll_rn(point.y * scale[1]), 1);
  }

  /// Points of one cluster.
  template <int N>
  __device__ __forceinline__ void add_all(unsigned cluster, const float2 (&points)[N]) const {
    long long x = 0, y = 0;
#pragma unroll
    for (int p = 0; p < N; p++) {
      x += __float2ll_rn(points[p].x * scale[0]);
      y += __float2ll_rn(points[p].y * scale[1]);
    }
    add(cluster, x, y, N);
  }
};

__device__ inline long long sum_of_warp(long long value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(whole_warp, value, step);
  return value;
}

/// Sums and counts to global memory; the block's are zero again. By all threads of the block. Not inlined, for it is rare.
template <int T, int L>
__device__ __noinline__ void flush_sums(unsigned* block_sums, int k, int split, long long* sums, unsigned* counts) {
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int cluster = threadIdx.x / 32; cluster < k; cluster += T / 32) {
    long long sum[2] = {0, 0};
    unsigned members = 0;
    if (lane < L) {
      unsigned* at = block_sums + cluster * (sum_words * L) + lane;
      members = at[4 * L];
      for (int j = 0; j < 2; j++) {
        sum[j] = static_cast<long long>(static_cast<int>(at[(2 * j + 1) * L])) * (1LL << split) + at[2 * j * L];
      }
      for (int word = 0; word < sum_words; word++) at[word * L] = 0;
    }
    members = sum_of_lanes(members);
    if (members == 0) continue;
    for (int j = 0; j < 2; j++) sum[j] = sum_of_warp(sum[j]);
    if (lane != 0) continue;
    for (int j = 0; j < 2; j++) {
      atomicAdd(reinterpret_cast<unsigned long long*>(sums + 2 * cluster + j), static_cast<unsigned long long>(sum[j]));
    }
    atomicAdd(counts + cluster, members);
  }
  __syncthreads();
}

}  // namespace centroid_lab::cuda

// Sums of a block, in 64-bit fixed-point numbers, and the points of a warp that move in them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_variant.hpp"
#include "methods/staged-points/kept_sums.cuh"

namespace centroid_lab::cuda::staged_points {

/// (k, d) sums in shared memory, low words and high ones, and (k) counts; and the scale of each feature. Shared memory adds 32 bits
/// at a time, so that what goes over is carried.
struct BlockSums {
  unsigned* low;
  unsigned* high;
  unsigned* counts;
  float* scale;
  int k, d;

  static __host__ __device__ constexpr int words(int k, int d) { return 2 * k * d + k + d; }

  /// By all threads.
  __device__ BlockSums(unsigned* memory, int clusters, int features, const float* scales)
      : low(memory), high(low + clusters * features), counts(high + clusters * features),
        scale(reinterpret_cast<float*>(counts + clusters)), k(clusters), d(features) {
    for (int at = threadIdx.x; at < d; at += blockDim.x) scale[at] = scales[at];
  }

  __device__ void clear() const {
    for (int at = threadIdx.x; at < 2 * k * d + k; at += blockDim.x) low[at] = 0;
  }

  __device__ __forceinline__ void add(int at, long long value) const {
    const auto word = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(low + at, word);
    atomicAdd(high + at, static_cast<unsigned>(value >> 32) + (before + word < before ? 1U : 0U));
  }

  /// To those kept, or else those of the pass; by all threads, when all have added.
  __device__ void add_to(const Kept& kept, const Pass& pass) const {
    auto* const sums = kept.sums != nullptr ? kept.sums : reinterpret_cast<unsigned long long*>(pass.fixed_sums);
    unsigned* const numbers = kept.sums != nullptr ? kept.counts : pass.counts;
    for (int at = threadIdx.x; at < k * d; at += blockDim.x) {
      const unsigned long long sum = static_cast<unsigned long long>(high[at]) << 32 | low[at];
      if (sum != 0) atomicAdd(sums + at, sum);
    }
    for (int at = threadIdx.x; at < k; at += blockDim.x) {
      if (counts[at] != 0) atomicAdd(numbers + at, counts[at]);
    }
  }
};

/// The points of a tile that a warp has found to move: a word each, for where the row begins in the tile, and the clusters that it
/// comes to and leaves, counted from 1; 0 is none.
struct MovedPoints {
  unsigned* words;
  int count = 0;

  __device__ explicit MovedPoints(unsigned* memory) : words(memory) {}

  /// Appends the point of each lane that has one; by whole warps.
  __device__ __forceinline__ void append(bool mine, int row, unsigned comes_to, unsigned leaves) {
    const unsigned of_warp = __ballot_sync(0xffffffffU, mine);
    const unsigned before = (1U << threadIdx.x % 32) - 1;
    if (mine) words[count + __popc(of_warp & before)] = static_cast<unsigned>(row) | comes_to << 16 | leaves << 24;
    count += __popc(of_warp);
  }

  /// A coordinate a lane. @param rows of the tile.
  __device__ __forceinline__ void add_to(const BlockSums& sums, const float* rows) const {
    const int d = sums.d, lane = static_cast<int>(threadIdx.x % 32);
    // Multiplied by this a number below 2^16 has the quotient by d in its high word.
    const unsigned reciprocal = 0xffffffffU / static_cast<unsigned>(d) + 1;
    for (int at = lane; at < count * d; at += 32) {
      const int point = d == 1 ? at : static_cast<int>(__umulhi(static_cast<unsigned>(at), reciprocal));
      const int feature = at - point * d;
      const unsigned word = words[point];
      const long long value = __float2ll_rn(rows[(word & 0xffffU) + feature] * sums.scale[feature]);
      const int comes_to = static_cast<int>(word >> 16 & 0xffU) - 1, leaves = static_cast<int>(word >> 24) - 1;
      sums.add(comes_to * d + feature, value);
      if (leaves >= 0) sums.add(leaves * d + feature, -value);
      if (feature == 0) {
        atomicAdd(sums.counts + comes_to, 1U);
        if (leaves >= 0) atomicSub(sums.counts + leaves, 1U);
      }
    }
  }
};

}  // namespace centroid_lab::cuda::staged_points

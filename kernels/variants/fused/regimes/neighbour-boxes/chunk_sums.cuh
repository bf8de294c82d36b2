// Sums of the regime that leaves centroids out: of a block, in shared memory, and of stretches whose sums are known.
#pragma once

#include "ball_candidates.cuh"

namespace centroid_lab::cuda::neighbour_boxes {

/// What the stretches that a warp has decided add up to, as long as they belong to one cluster: lane j has feature j.
struct KnownSums {
  const Pass& pass;
  int d;
  int label = -1;
  long long sum = 0;
  unsigned members = 0;

  __device__ __forceinline__ void hand_over() {
    const int lane = threadIdx.x % 32;
    if (label >= 0 && lane < d) {
      atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + label * d + lane, static_cast<unsigned long long>(sum));
    }
    if (label >= 0 && lane == 0) atomicAdd(pass.counts + label, members);
    sum = 0;
    members = 0;
  }
  __device__ __forceinline__ void add(int its_label, const long long* its_sums, unsigned its_members) {
    if (its_label != label) hand_over();
    label = its_label;
    if (static_cast<int>(threadIdx.x % 32) < d) sum += its_sums[threadIdx.x % 32];
    members += its_members;
  }
};

/// Sums of a block: for each feature lower halves, then the same of upper ones, then counts; each number in `copies`, side by side.
struct BlockSums {
  unsigned* low;
  unsigned upper;
  unsigned feature;
  /// A power of two.
  int copies;
  /// This lane's.
  unsigned* own;

  __device__ BlockSums(unsigned* memory, int k, int d, int its_copies)
      : low(memory), upper(k * d * its_copies), feature(k * its_copies), copies(its_copies),
        own(memory + (threadIdx.x & (its_copies - 1))) {}

  /// The carry by hand.
  __device__ __forceinline__ void add(unsigned* at, long long value) const {
    const auto lower = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(at, lower);
    atomicAdd(at + upper, static_cast<unsigned>(value >> 32) + (before + lower < lower ? 1U : 0U));
  }
  __device__ __forceinline__ unsigned* of(int label) const { return own + label * copies; }
  __device__ __forceinline__ void count(int label, unsigned members) const { atomicAdd(of(label) + 2 * upper, members); }
};

/// Adds the lane's points up, first those of one cluster where all lanes have only one each. Points with a bit in `valid` are there.
template <int D, int P>
__device__ __forceinline__ void add_points(const BlockSums& sums, const float* scale, int d, const float (&x)[P][D], const int (&labels)[P],
                                           unsigned valid) {
  unsigned others = 0;
#pragma unroll
  for (int p = 1; p < P; p++) others |= labels[p] ^ labels[0];
  if (__all_sync(everyone, others == 0 && valid == (1U << P) - 1)) {
    unsigned* at = sums.of(labels[0]);
#pragma unroll
    for (int j = 0; j < D; j++) {
      if (j >= d) break;
      long long sum = 0;
#pragma unroll
      for (int p = 0; p < P; p++) sum += __float2ll_rn(x[p][j] * scale[j]);
      sums.add(at + j * sums.feature, sum);
    }
    return sums.count(labels[0], P);
  }
#pragma unroll
  for (int p = 0; p < P; p++) {
    if ((valid >> p & 1) == 0) continue;
    unsigned* at = sums.of(labels[p]);
#pragma unroll
    for (int j = 0; j < D; j++) {
      if (j >= d) break;
      sums.add(at + j * sums.feature, __float2ll_rn(x[p][j] * scale[j]));
    }
    sums.count(labels[p], 1);
  }
}

/// The block's sums into the global ones.
__device__ inline void flush(const Pass& pass, const BlockSums& sums, int d) {
  const int copies = sums.copies, items = pass.k * d;
  // Blocks begin at different places: additions to the same wait for each other.
  const int turn = static_cast<int>(blockIdx.x) * (items / static_cast<int>(gridDim.x));
  for (int item = threadIdx.x; item < items; item += blockDim.x) {
    const int at = item + turn < items ? item + turn : item + turn - items;
    unsigned long long sum = 0;
    for (int i = 0; i < copies; i++) {
      const int word = at * copies + ((i + static_cast<int>(threadIdx.x)) & (copies - 1));
      sum += static_cast<unsigned long long>(sums.low[word + sums.upper]) << 32 | sums.low[word];
    }
    const int feature = at / pass.k, cluster = at - feature * pass.k;
    if (sum != 0) atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + cluster * d + feature, sum);
  }
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    unsigned members = 0;
    for (int i = 0; i < copies; i++) members += sums.low[2 * sums.upper + c * copies + i];
    if (members != 0) atomicAdd(pass.counts + c, members);
  }
}

}  // namespace centroid_lab::cuda::neighbour_boxes

// What a block of the regimes for the smallest data does with the points in its registers: labels by direct differences, and
// sums into a set in global memory.
#pragma once

#include <cstddef>

namespace centroid_lab::cuda::tiny {

constexpr unsigned everyone = 0xffffffffU;
/// Clusters that warps reduce one by one; with more the block's threads meet in shared memory.
constexpr int most_reduced = 16;
/// Points of a warp whose low halves of this many bits add up within 32 bits.
constexpr int low_bits = 24;

/// L lanes share the centroids for P points. L = 1: few clusters, warps reduce.
template <int D, int L, int P>
struct Layout {
  static constexpr int threads = L == 1 ? 256 : 1024;
  static constexpr bool reduces = L == 1;

  static int values(int k) { return k * (D + 1); }
  static std::size_t bytes(int k) {
    const auto k_rows = static_cast<std::size_t>(k);
    const std::size_t sums = static_cast<std::size_t>(values(k)) * (reduces ? threads / 32 : 1) * sizeof(long long);
    return sums + k_rows * D * sizeof(float);
  }
};

template <int D>
struct Shared {
  long long* sums;
  float* centroids;
  int k;
  int values;
};

__device__ inline void add_to(long long* sum, long long value) {
  if (value != 0) atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

/// Labels of a thread's points by direct differences; ties go to the lowest index. The L lanes agree.
template <int D, int L, int P>
__device__ __forceinline__ void label_points(const Shared<D>& shared, const float (&x)[P][D], int (&label)[P]) {
  const int first = threadIdx.x % L;
  float smallest[P];
#pragma unroll
  for (int p = 0; p < P; p++) {
    smallest[p] = INFINITY;
    label[p] = min(first, shared.k - 1);
  }
#pragma unroll 4
  for (int c = first; c < shared.k; c += L) {
    float centroid[D];
#pragma unroll
    for (int j = 0; j < D; j++) centroid[j] = shared.centroids[c * D + j];
#pragma unroll
    for (int p = 0; p < P; p++) {
      float distance = 0;
#pragma unroll
      for (int j = 0; j < D; j++) distance = fmaf(x[p][j] - centroid[j], x[p][j] - centroid[j], distance);
      if (distance < smallest[p]) {
        smallest[p] = distance;
        label[p] = c;
      }
    }
  }
#pragma unroll
  for (int step = L / 2; step > 0; step /= 2) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      const float distance = __shfl_xor_sync(everyone, smallest[p], step);
      const int index = __shfl_xor_sync(everyone, label[p], step);
      if (distance < smallest[p] || (distance == smallest[p] && index < label[p])) {
        smallest[p] = distance;
        label[p] = index;
      }
    }
  }
}

__device__ __forceinline__ int warp_total(int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(everyone, value);
#else
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
#endif
}

/// Fixed-point coordinates of a thread's points in two parts, each of which a warp adds up within 32 bits.
template <int D, int P>
struct Halves {
  unsigned low[P][D];
  int high[P][D];

  __device__ Halves(const float (&x)[P][D], const float* scale) {
#pragma unroll
    for (int p = 0; p < P; p++) {
#pragma unroll
      for (int j = 0; j < D; j++) {
        const long long value = __float2ll_rn(x[p][j] * scale[j]);
        low[p][j] = static_cast<unsigned>(value) & ((1U << low_bits) - 1);
        high[p][j] = static_cast<int>(value >> low_bits);
      }
    }
  }
};

/// Sums by warps into their own rows of shared memory, then by the block into the set. A label of -1 is no point.
template <int D, int P>
__device__ __forceinline__ void reduce_points(const Shared<D>& shared, const Halves<D, P>& halves,
                                              const int (&label)[P], long long* set) {
  const int lane = threadIdx.x % 32;
  long long* mine = shared.sums + threadIdx.x / 32 * shared.values;
#pragma unroll 2
  for (int c = 0; c < shared.k; c++) {
    int count = 0;
    unsigned low[D] = {};
    int high[D] = {};
#pragma unroll
    for (int p = 0; p < P; p++) {
      const bool member = label[p] == c;
      count += member ? 1 : 0;
#pragma unroll
      for (int j = 0; j < D; j++) {
        low[j] += member ? halves.low[p][j] : 0;
        high[j] += member ? halves.high[p][j] : 0;
      }
    }
    count = warp_total(count);
#pragma unroll
    for (int j = 0; j < D; j++) {
      const auto low_total = static_cast<unsigned>(warp_total(static_cast<int>(low[j])));
      const int high_total = warp_total(high[j]);
      if (lane == j) mine[c * D + j] = (static_cast<long long>(high_total) << low_bits) + low_total;
    }
    if (lane == D) mine[shared.k * D + c] = count;
  }
  __syncthreads();
  for (int at = threadIdx.x; at < shared.values; at += blockDim.x) {
    long long sum = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; warp++) sum += shared.sums[warp * shared.values + at];
    add_to(set + at, sum);
  }
}

/// Adds to a 64-bit number in shared memory, in two halves with the carry by hand: the hardware adds 32 bits there.
__device__ inline void add_shared(long long* sum, long long value) {
  auto* halves = reinterpret_cast<unsigned*>(sum);
  const auto low = static_cast<unsigned>(value);
  const unsigned before = atomicAdd(halves, low);
  const unsigned high = static_cast<unsigned>(value >> 32) + (before + low < low ? 1 : 0);
  if (high != 0) atomicAdd(halves + 1, high);
}

/// Sums by all threads in shared memory, then into the set; shared memory is zero before and after.
template <int D, int L, int P>
__device__ void add_points(const Shared<D>& shared, const float* scale, const float (&x)[P][D], const int (&label)[P],
                           long long* set) {
#pragma unroll
  for (int p = 0; p < P; p++) {
    if (label[p] < 0 || static_cast<int>(threadIdx.x % L) != p % L) continue;
#pragma unroll
    for (int j = 0; j < D; j++) add_shared(shared.sums + label[p] * D + j, __float2ll_rn(x[p][j] * scale[j]));
    atomicAdd(reinterpret_cast<unsigned*>(shared.sums + shared.k * D + label[p]), 1U);
  }
  __syncthreads();
  for (int at = threadIdx.x; at < shared.values; at += blockDim.x) {
    add_to(set + at, shared.sums[at]);
    shared.sums[at] = 0;
  }
}

}  // namespace centroid_lab::cuda::tiny

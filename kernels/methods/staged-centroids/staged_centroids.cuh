// What `matrix-scores` takes from shared memory: centroids in shared memory in groups of eight, sums beside them,
// distances for what scores leave open.
#pragma once

#include <cmath>
#include <cstdint>

#include "device_variant.hpp"
#include "methods/scores/score_bounds.cuh"
#include "staged_variant.hpp"
#include "settle.cuh"

namespace centroid_lab::cuda::staged {

constexpr int group_size = 8;
constexpr unsigned everyone = 0xffffffffU;
/// Words from one group of D features to the next: coordinates, starts, and a pad that spreads groups over the banks.
template <int D>
constexpr int group_stride = group_size * (D + 1) + 4;

/// Clusters in their order, eight a group.
struct InOrder {
  static __host__ __device__ constexpr int slot_of(int c) { return c; }
};

/// Shared memory of a block: groups, null where they do not fit, scales, then the two halves of the sums and the counts. `Order`
/// says in which slot of the groups a cluster lies.
template <int D, class Order = InOrder>
struct Staged {
  float* groups;
  float* scale;
  unsigned* low;
  unsigned* high;
  unsigned* counts;
  PointMargins margins;

  __device__ Staged(float* memory, int number_of_groups, int k, int d) {
    groups = number_of_groups == 0 ? nullptr : memory;
    scale = memory + number_of_groups * group_stride<D>;
    low = reinterpret_cast<unsigned*>(scale + D);
    high = low + k * d;
    counts = high + k * d;
  }
  __device__ float* row(int c) const { return groups + offset_of(c); }
  static __device__ int offset_of(int c) {
    const int slot = Order::slot_of(c);
    return slot / group_size * group_stride<D> + slot % group_size * D;
  }
  __device__ float& start(int c) const {
    return groups[c / group_size * group_stride<D> + group_size * D + c % group_size];
  }
};

/// The larger of `largest` and all threads' values, which are not negative; synchronises.
__device__ inline float largest_of_block(float value) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  atomicMax(&largest, __float_as_uint(value));
  __syncthreads();
  return __uint_as_float(largest);
}

/// Centroids into `rows` rows of the groups, if there are any, those past k or left out filled with `beyond`; features past d are zero. Sums
/// are made zero. Synchronises. @returns the largest squared norm.
template <int D, class Order>
__device__ float stage_rows(const StagedJob& job, const Pass& pass, Staged<D, Order>& to, int rows, float beyond) {
  float largest = 0;
  for (int c = threadIdx.x; c < rows; c += blockDim.x) {
    const bool exists = c < pass.k && has_part(pass.centroids + c * job.d);
    double squared = 0;
    for (int j = 0; j < D; j++) {
      const float value = !exists ? beyond : j < job.d ? pass.centroids[c * job.d + j] : 0.0F;
      if (to.groups != nullptr) to.row(c)[j] = value;
      squared = fma(static_cast<double>(value), static_cast<double>(value), squared);
    }
    if (exists) largest = fmaxf(largest, static_cast<float>(squared));
  }
  for (int j = threadIdx.x; j < D; j += blockDim.x) to.scale[j] = j < job.d ? job.scale[j] : 0.0F;
  if (!job.sums_global) {
    for (int at = threadIdx.x; at < pass.k * (2 * job.d + 1); at += blockDim.x) to.low[at] = 0;
  }
  return largest_of_block(largest);
}

template <int D>
__device__ __forceinline__ float squared_norm(const float (&x)[D]) {
  float sum = 0;
#pragma unroll
  for (int j = 0; j < D; j++) sum = fmaf(x[j], x[j], sum);
  return sum;
}

template <int D>
__device__ __forceinline__ void load_point(const float* from, int d, float (&x)[D]) {
  if (D % 2 == 0 && d == D) return load_row<D>(from, x);
#pragma unroll
  for (int j = 0; j < D; j++) x[j] = j < d ? from[j] : 0.0F;
}

/// Rows of centroids in the groups of shared memory.
template <int D, class Order = InOrder>
struct SharedRows {
  const float* groups;

  __device__ __forceinline__ void load(int c, float (&row)[D]) const {
    load_row<D>(groups + Staged<D, Order>::offset_of(c), row);
  }
};

/// Nearest of centroids first, first + step, .. by distances to all of them.
template <int D, class Rows>
__device__ __forceinline__ NearestWithGap nearest_from(const Rows& rows, int k, const float (&x)[D], int first, int step) {
  NearestWithGap nearest;
  for (int c = first; c < k; c += step) {
    float row[D];
    rows.load(c, row);
    nearest.offer(c, squared_distance<D>(x, row));
  }
  return nearest;
}

/// The nearest by distances to all centroids for the lanes whose label is -1: the whole warp for one lane after another, or, where
/// many are open, each lane for itself.
template <int D, class Rows>
__device__ __forceinline__ NearestWithGap search_all(const Rows& rows, int k, const float* point, int d, unsigned open) {
  float x[D];
  NearestWithGap nearest;
  if (__popc(open) > 16) {
    load_point<D>(point, d, x);
    return nearest_from<D>(rows, k, x, 0, 1);
  }
  for (; open != 0; open &= open - 1) {
    const int owner = __ffs(open) - 1;
    const auto address = __shfl_sync(everyone, reinterpret_cast<unsigned long long>(point), owner);
    load_point<D>(reinterpret_cast<const float*>(address), d, x);
    NearestWithGap found = nearest_from<D>(rows, k, x, static_cast<int>(threadIdx.x % 32), 32);
    for (int step = 16; step > 0; step /= 2) {
      const float distance = __shfl_xor_sync(everyone, found.distance, step);
      const int cluster = __shfl_xor_sync(everyone, found.cluster, step);
      const float gap = fminf(found.gap, __shfl_xor_sync(everyone, found.gap, step));
      found.gap = fminf(gap, fabsf(distance - found.distance));
      if (distance < found.distance) found.distance = distance, found.cluster = cluster;
    }
    // Of equal distances lanes may have different clusters, all of them in doubt.
    if (static_cast<int>(threadIdx.x % 32) == owner) nearest = found;
  }
  return nearest;
}

/// Settles the lanes whose label is -1, each that of its `point (d)`, by distances to all centroids (k, d) and exactly where these
/// leave it in doubt. Called by whole warps. The points are read again: the registers that hold them must not be addressed.
template <int D, class Rows>
__device__ __noinline__ int resolve_label(Rows rows, int k, const float* centroids, const float* point, int d, int label) {
  const unsigned open = __ballot_sync(everyone, label < 0);
  const NearestWithGap nearest = search_all<D>(rows, k, point, d, open);
  const TieMargin margin(D);
  const unsigned doubtful = __ballot_sync(everyone, label < 0 && margin.is_doubtful(nearest.distance, nearest.gap));
  if (label < 0) label = nearest.cluster;
  if (doubtful == 0) return label;
  return decide_here(d, Strided{point, 1}, RowsApart{centroids, d}, k, AllInOrder{}, doubtful, label, margin.limit(nearest.distance));
}

/// Adds a lane's point to the block's sums of its cluster: 64-bit numbers in two halves, the carry by hand.
template <int D, class Order>
__device__ __forceinline__ void add_to_block(const StagedJob& job, const Pass& pass, const Staged<D, Order>& staged,
                                             const float (&x)[D], int label) {
#pragma unroll
  for (int j = 0; j < D; j++) {
    if (j >= job.d) break;
    const long long value = __float2ll_rn(x[j] * staged.scale[j]);
    const auto low = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(staged.low + j * pass.k + label, low);
    const unsigned carry = before + low < low ? 1 : 0;
    atomicAdd(staged.high + j * pass.k + label, static_cast<unsigned>(value >> 32) + carry);
  }
  atomicAdd(staged.counts + label, 1U);
}

/// Adds the points of a warp to the global sums; those with a negative label are left out. Lanes stand for features, so that
/// the sums of a cluster, which lie side by side, are reached together: a lane for each point would take longer by far.
template <int D, class Order>
__device__ __forceinline__ void add_to_all(const StagedJob& job, const Pass& pass, const Staged<D, Order>& staged, size_t point,
                                           int label) {
  constexpr int together = 32 / D;
  const int lane = threadIdx.x % 32, feature = lane % D;
  const bool has_feature = feature < job.d;
  const float scale = has_feature ? staged.scale[feature] : 0.0F;
  auto* const sums = reinterpret_cast<unsigned long long*>(pass.fixed_sums) + feature;
#pragma unroll(D > 8 ? 4 : 2)
  for (int first = 0; first < 32; first += together) {
    const int owner = first + lane / D;
    const int cluster = __shfl_sync(everyone, label, owner);
    const auto its = __shfl_sync(everyone, static_cast<unsigned long long>(point), owner);
    if (has_feature && cluster >= 0) {
      const long long value = __float2ll_rn(job.x[its * job.d + feature] * scale);
      atomicAdd(sums + static_cast<size_t>(cluster) * job.d, static_cast<unsigned long long>(value));
    }
  }
  if (label >= 0) atomicAdd(pass.counts + label, 1U);
}

/// Adds each lane's point x, row `point`, to the sums of its cluster unless `is_there` is false. By whole warps.
template <int D, class Order>
__device__ __forceinline__ void add_points(const StagedJob& job, const Pass& pass, const Staged<D, Order>& staged,
                                           const float (&x)[D], size_t point, int label, bool is_there) {
  if (job.sums_global) add_to_all(job, pass, staged, point, is_there ? label : -1);
  else if (is_there) add_to_block(job, pass, staged, x, label);
}

/// The block's sums into the global ones.
template <int D, class Order>
__device__ void flush(const StagedJob& job, const Pass& pass, const Staged<D, Order>& staged) {
  for (int at = threadIdx.x; at < pass.k * job.d; at += blockDim.x) {
    const unsigned long long sum = static_cast<unsigned long long>(staged.high[at]) << 32 | staged.low[at];
    const int feature = at / pass.k;
    const int cluster = at - feature * pass.k;
    if (sum == 0) continue;
    atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + cluster * job.d + feature, sum);
  }
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    if (staged.counts[c] != 0) atomicAdd(pass.counts + c, staged.counts[c]);
  }
}

}  // namespace centroid_lab::cuda::staged

// The label of each point inside its group, by distances, and the sums: the points are read once, group by group.
#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "kernels.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 2 * chunk_points;
constexpr int own_clusters = group_size / 2;
/// Keeps the lanes of a warp, each in a row of its own, off each other's banks.
constexpr int padding = 4;

struct Chunk {
  unsigned group;
  unsigned first;
  unsigned count;
};

/// Points of this block; count 0 when there are none. By all threads, which look at as many starts at once.
__device__ inline Chunk chunk_of_block(const Pass& pass, const Work& work) {
  unsigned low = 0, high = static_cast<unsigned>(groups_of(pass.k));
  if (blockIdx.x >= work.chunk_starts[high]) return {0, 0, 0};
  while (high - low > 1) {
    const unsigned step = (high - low + threads - 1) / threads;
    const unsigned group = low + threadIdx.x * step;
    const int before = __syncthreads_count(group < high && work.chunk_starts[group] <= blockIdx.x);
    low += static_cast<unsigned>(before - 1) * step;
    high = min(high, low + step);
  }
  const unsigned first = work.group_starts[low] + (blockIdx.x - work.chunk_starts[low]) * chunk_points;
  return {low, first, min(static_cast<unsigned>(chunk_points), work.group_starts[low + 1] - first)};
}

/// Shared memory of a block, beside the points' and the centroids' features.
struct Rows {
  size_t point[chunk_points];
  unsigned long long keys[chunk_points];
  float seconds[chunk_points];
  int label[chunk_points];
  int sorted[chunk_points];
  unsigned clusters[group_size];
  unsigned counts[group_size];
  unsigned starts[group_size + 1];
};

/// Features first .. first + count - 1 of the block's points, (chunk_points, slice + padding): half a warp a row.
__device__ inline void load_points(float* to, int stride, const Rows& rows, int points, int first, int count,
                                   const Work& work) {
  constexpr int lanes = 16;
  const int lane = threadIdx.x % lanes;
  for (int row = threadIdx.x / lanes; row < points; row += threads / lanes) {
    const float* from = work.x + rows.point[row] * work.d + first;
    float* own = to + row * stride;
    if (work.d % 4 == 0) {
      for (int at = lane * 4; at < count; at += 4 * lanes) __pipeline_memcpy_async(own + at, from + at, 16);
    } else {
      for (int at = lane; at < count; at += lanes) __pipeline_memcpy_async(own + at, from + at, 4);
    }
  }
}

/// Sorts the block's points by label; counts them. By all threads.
__device__ inline void sort_rows(Rows& rows, unsigned points, const Pass& pass) {
  if (threadIdx.x < group_size) rows.counts[threadIdx.x] = 0;
  __syncthreads();
  unsigned slot = 0;
  if (threadIdx.x < points) slot = atomicAdd(rows.counts + rows.label[threadIdx.x], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    rows.starts[0] = 0;
    for (int i = 0; i < group_size; i++) rows.starts[i + 1] = rows.starts[i] + rows.counts[i];
  }
  __syncthreads();
  if (threadIdx.x < points) rows.sorted[rows.starts[rows.label[threadIdx.x]] + slot] = threadIdx.x;
  if (threadIdx.x < group_size && rows.counts[threadIdx.x] > 0) {
    atomicAdd(pass.counts + rows.clusters[threadIdx.x], rows.counts[threadIdx.x]);
  }
  __syncthreads();
}

__device__ inline void add_sum(const Pass& pass, size_t at, long long sum) {
  atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums + at), static_cast<unsigned long long>(sum));
}

/// Adds features first .. first + count - 1 of the block's points to the sums of their clusters: a thread takes two
/// features of a stretch of points and adds what a cluster has in it at once.
__device__ inline void add_features(const float* x, int stride, const Rows& rows, int points, int first, int count,
                                    const Pass& pass, const Work& work) {
  const int lanes = (count + 63) / 64 * 32;
  const int stretches = threads / lanes;
  const int length = (points + stretches - 1) / stretches;
  const int part = threadIdx.x / lanes, feature = threadIdx.x % lanes * 2;
  if (part >= stretches || feature >= count) return;
  const bool both = feature + 1 < count;
  const float low_scale = work.scale[first + feature], high_scale = both ? work.scale[first + feature + 1] : 0.0f;
  const float* own = x + feature;
  const int begin = part * length, end = min(points, begin + length);
  for (int i = begin, label = 0; i < end; label++) {
    const int stop = min(end, static_cast<int>(rows.starts[label + 1]));
    if (i >= stop) continue;
    long long low = 0, high = 0;
#pragma unroll 4
    for (; i < stop; i++) {
      const float2 values = *reinterpret_cast<const float2*>(own + rows.sorted[i] * stride);
      low += __float2ll_rn(values.x * low_scale);
      high += __float2ll_rn(values.y * high_scale);
    }
    const size_t at = static_cast<size_t>(rows.clusters[label]) * work.d + first + feature;
    add_sum(pass, at, low);
    if (both) add_sum(pass, at + 1, high);
  }
}

__global__ void __launch_bounds__(threads) sum_groups(Pass pass, Work work, int slice) {
  extern __shared__ __align__(16) float features[];
  __shared__ Rows rows;
  if (*pass.halted != 0) return;
  const Chunk chunk = chunk_of_block(pass, work);
  if (chunk.count == 0) return;
  const int stride = slice + padding;
  float* x = features;
  float4* centroids = reinterpret_cast<float4*>(features + chunk_points * stride);
  if (threadIdx.x < chunk_points) {
    const unsigned at = min(threadIdx.x, chunk.count - 1);
    rows.point[threadIdx.x] = work.order[chunk.first + at];
  }
  if (threadIdx.x < group_size) {
    rows.clusters[threadIdx.x] = work.cluster_at(min(chunk.group * group_size + threadIdx.x, static_cast<unsigned>(pass.k) - 1));
  }
  const int row = threadIdx.x % chunk_points;
  const int half = threadIdx.x / chunk_points;
  const int slices = (work.d + slice - 1) / slice;
  const auto count_of = [&](int number) { return min(slice, work.d - number * slice); };
  const auto load = [&](int number, int from, int to) {
    load_points(x + from, stride, rows, static_cast<int>(chunk.count), number * slice + from, to - from, work);
  };

  float distance[own_clusters] = {};
  for (int number = 0; number < slices; number++) {
    const int count = count_of(number), middle = min(count, slice / 2);
    // The first half is worked on while the second is on its way.
    __syncthreads();
    const float4* group = work.grouped + (static_cast<size_t>(chunk.group) * fours_of(work.d) + number * slice / 4) * group_size;
    for (int at = threadIdx.x; at < fours_of(count) * group_size; at += threads) {
      __pipeline_memcpy_async(centroids + at, group + at, 16);
    }
    load(number, 0, middle);
    __pipeline_commit();
    load(number, middle, count);
    __pipeline_commit();
    const float* own = x + row * stride;
    const float4* others = centroids + half * own_clusters;
    const auto add = [&](const float4& values) {
#pragma unroll
      for (int i = 0; i < own_clusters; i++) distance[i] = add_squares(distance[i], values, others[i]);
      others += group_size;
    };
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < middle / 4; j++) add(reinterpret_cast<const float4*>(own)[j]);
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll 4
    for (int j = middle / 4; j < count / 4; j++) add(reinterpret_cast<const float4*>(own)[j]);
    if (count % 4 > 0) add(first_of_four(own + count / 4 * 4, count % 4));
  }
  unsigned long long key = ~0ull;
  float second = INFINITY;
#pragma unroll
  for (int i = 0; i < own_clusters; i++) {
    const int member = half * own_clusters + i;
    if (chunk.group * group_size + member >= static_cast<unsigned>(pass.k)) continue;
    const unsigned long long other = key_of(distance[i], rows.clusters[member]);
    second = fminf(second, distance_of(max(key, other)));
    key = min(key, other);
  }
  if (half == 1) {
    rows.keys[row] = key;
    rows.seconds[row] = second;
  }
  __syncthreads();
  bool changed = false;
  if (half == 0) {
    const unsigned long long other = rows.keys[row];
    const std::int32_t label = static_cast<std::int32_t>(cluster_of(min(key, other)));
    if (threadIdx.x < chunk.count && takes_notes(work.records, pass)) {
      second = fminf(fminf(second, rows.seconds[row]), distance_of(max(key, other)));
      const float lower = fminf(below(second, work.d), work.records.outside[rows.point[row]]);
      keep(work.records, rows.point[row], static_cast<unsigned>(label), above(distance_of(min(key, other)), work.d), lower);
    }
    rows.label[row] = static_cast<int>(work.slot_of(static_cast<unsigned>(label)) - chunk.group * group_size);
    if (threadIdx.x < chunk.count) changed = note_label(pass, rows.point[row], label) != 0;
  }
  report_changes(pass, changed);
  if (!pass.accumulate) return;
  sort_rows(rows, chunk.count, pass);
  // The last features are still there.
  for (int number = slices - 1; number >= 0; number--) {
    const int count = count_of(number);
    if (number < slices - 1) {
      __syncthreads();
      load(number, 0, count);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    add_features(x, stride, rows, static_cast<int>(chunk.count), number * slice, count, pass, work);
  }
}

std::size_t group_sum_bytes(int slice) {
  const int numbers = chunk_points * (slice + padding) + slice * group_size;
  return sizeof(float) * static_cast<std::size_t>(numbers);
}

}  // namespace

int prepare_group_sums(int d, const cudaDeviceProp& device) {
  // Two blocks a multiprocessor at least, where the longer slice spares reading most points twice.
  const bool roomy = device.sharedMemPerMultiprocessor >= 3 * (group_sum_bytes(128) + sizeof(Rows));
  const int slice = d > 64 && roomy ? 128 : 64;
  allow_dynamic_shared(sum_groups, group_sum_bytes(slice));
  return slice;
}

void enqueue_group_sums(const Work& work, const Pass& pass, int slice) {
  const std::size_t groups = static_cast<std::size_t>(groups_of(pass.k));
  const std::size_t chunks = (pass.count + chunk_points - 1) / chunk_points + groups;
  sum_groups<<<static_cast<unsigned>(chunks), threads, group_sum_bytes(slice), pass.stream>>>(pass, work, slice);
  check_launch("matrix filter: sum_groups");
}

}  // namespace centroid_lab::cuda::matrix_filter

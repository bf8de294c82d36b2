// The label of each point inside its group, by distances, and the sums: the points are read once, group by group.
#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "check.hpp"
#include "fused_high.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda::high {
namespace {

constexpr int threads = 256;
constexpr int own_clusters = group_size / 2;
/// Keeps the lanes of a warp, each in a row of its own, off each other's banks.
constexpr int padding = 4;

struct Chunk {
  unsigned group;
  unsigned first;
  unsigned count;
};

/// Points of this block; count 0 when there are none.
__device__ inline Chunk chunk_of_block(const Pass& pass, const Work& work) {
  unsigned low = 0, high = static_cast<unsigned>(groups_of(pass.k));
  if (blockIdx.x >= work.chunk_starts[high]) return {0, 0, 0};
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (work.chunk_starts[middle] <= blockIdx.x) low = middle;
    else high = middle;
  }
  const unsigned first = work.group_starts[low] + (blockIdx.x - work.chunk_starts[low]) * chunk_points;
  return {low, first, min(static_cast<unsigned>(chunk_points), work.group_starts[low + 1] - first)};
}

/// Shared memory of a block, beside the points' and the centroids' features.
struct Rows {
  size_t point[chunk_points];
  unsigned long long keys[chunk_points];
  int label[chunk_points];
  int sorted[chunk_points];
  unsigned counts[group_size];
  unsigned starts[group_size + 1];
};

/// Features first .. first + count - 1 of the block's points, (chunk_points, slice + padding).
__device__ inline void load_points(float* to, int stride, const Rows& rows, unsigned points, int first, int count,
                                   const Work& work) {
  if (work.d % 4 == 0) {
    const int vectors = count / 4;
    for (int at = threadIdx.x; at < static_cast<int>(points) * vectors; at += threads) {
      const int row = at / vectors, feature = at % vectors * 4;
      __pipeline_memcpy_async(to + row * stride + feature, work.x + rows.point[row] * work.d + first + feature, 16);
    }
  } else {
    for (int at = threadIdx.x; at < static_cast<int>(points) * count; at += threads) {
      const int row = at / count, feature = at % count;
      __pipeline_memcpy_async(to + row * stride + feature, work.x + rows.point[row] * work.d + first + feature, 4);
    }
  }
}

/// Sorts the block's points by label; counts them. By all threads.
__device__ inline void sort_rows(Rows& rows, unsigned points, const Pass& pass, unsigned group) {
  if (threadIdx.x < group_size) rows.counts[threadIdx.x] = 0;
  __syncthreads();
  unsigned place = 0;
  if (threadIdx.x < points) place = atomicAdd(rows.counts + rows.label[threadIdx.x], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    rows.starts[0] = 0;
    for (int i = 0; i < group_size; i++) rows.starts[i + 1] = rows.starts[i] + rows.counts[i];
  }
  __syncthreads();
  if (threadIdx.x < points) rows.sorted[rows.starts[rows.label[threadIdx.x]] + place] = threadIdx.x;
  if (threadIdx.x < group_size && rows.counts[threadIdx.x] > 0) {
    atomicAdd(pass.counts + group * group_size + threadIdx.x, rows.counts[threadIdx.x]);
  }
  __syncthreads();
}

/// Adds features first .. first + count - 1 of the block's points to the sums of their clusters: a thread takes one
/// feature of a stretch of points and adds what a cluster has in it at once.
__device__ inline void add_features(const float* x, int stride, const Rows& rows, int points, int first, int count,
                                    unsigned group, const Pass& pass, const Work& work) {
  const int lanes = (count + 31) / 32 * 32;
  const int stretches = max(1, threads / lanes);
  const int length = (points + stretches - 1) / stretches;
  for (int at = threadIdx.x; at < lanes * stretches; at += threads) {
    const int feature = at % lanes;
    if (feature >= count) continue;
    const float scale = work.scale[first + feature];
    long long* sums = pass.fixed_sums + static_cast<size_t>(group) * group_size * work.d + first + feature;
    const int begin = at / lanes * length, end = min(points, begin + length);
    for (int i = begin, label = 0; i < end; label++) {
      const int stop = min(end, static_cast<int>(rows.starts[label + 1]));
      if (i >= stop) continue;
      long long sum = 0;
#pragma unroll 4
      for (; i < stop; i++) sum += __float2ll_rn(x[rows.sorted[i] * stride + feature] * scale);
      atomicAdd(reinterpret_cast<unsigned long long*>(sums + static_cast<size_t>(label) * work.d),
                static_cast<unsigned long long>(sum));
    }
  }
}

__global__ void __launch_bounds__(threads) settle(Pass pass, Work work, int slice) {
  extern __shared__ __align__(16) float features[];
  __shared__ Rows rows;
  if (*pass.halted != 0) return;
  const Chunk chunk = chunk_of_block(pass, work);
  if (chunk.count == 0) return;
  const int stride = slice + padding;
  float* x = features;
  float* centroids = features + chunk_points * stride;
  if (threadIdx.x < chunk_points) {
    const unsigned at = min(threadIdx.x, chunk.count - 1);
    rows.point[threadIdx.x] = pass.first + work.order[chunk.first + at];
  }
  const int row = threadIdx.x % chunk_points;
  const int half = threadIdx.x / chunk_points;
  const int slices = (work.d + slice - 1) / slice;
  const auto load = [&](int number, bool with_centroids) {
    const int first = number * slice;
    const int count = min(slice, work.d - first);
    __syncthreads();
    load_points(x, stride, rows, chunk.count, first, count, work);
    if (with_centroids) {
      const float* from = work.grouped + (static_cast<size_t>(chunk.group) * work.d + first) * group_size;
      for (int at = threadIdx.x; at < count * 2; at += threads) {
        __pipeline_memcpy_async(centroids + 4 * at, from + 4 * at, 16);
      }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    return count;
  };

  float distance[own_clusters] = {};
  for (int number = 0; number < slices; number++) {
    const int count = load(number, true);
    const float* own = x + row * stride;
    const float4* others = reinterpret_cast<const float4*>(centroids) + half;
    const auto add = [&](float value, int j) {
      const float4 c = others[j * 2];
      distance[0] = add_square(distance[0], value, c.x);
      distance[1] = add_square(distance[1], value, c.y);
      distance[2] = add_square(distance[2], value, c.z);
      distance[3] = add_square(distance[3], value, c.w);
    };
    int j = 0;
#pragma unroll 4
    for (; j + 4 <= count; j += 4) {
      const float4 values = *reinterpret_cast<const float4*>(own + j);
      add(values.x, j);
      add(values.y, j + 1);
      add(values.z, j + 2);
      add(values.w, j + 3);
    }
    for (; j < count; j++) add(own[j], j);
  }
  unsigned long long key = ~0ull;
#pragma unroll
  for (int i = 0; i < own_clusters; i++) {
    const unsigned cluster = chunk.group * group_size + half * own_clusters + i;
    const unsigned long long other = key_of(distance[i], cluster);
    if (cluster < static_cast<unsigned>(pass.k) && other < key) key = other;
  }
  if (half == 1) rows.keys[row] = key;
  __syncthreads();
  bool changed = false;
  if (half == 0) {
    const std::int32_t label = static_cast<std::int32_t>(cluster_of(min(key, rows.keys[row])));
    rows.label[row] = label - static_cast<int>(chunk.group * group_size);
    if (threadIdx.x < chunk.count) changed = note_label(pass, rows.point[row], label) != 0;
  }
  report_changes(pass, changed);
  if (!pass.accumulate) return;
  sort_rows(rows, chunk.count, pass, chunk.group);
  // The last features are still there.
  for (int number = slices - 1; number >= 0; number--) {
    const int count = number == slices - 1 ? work.d - number * slice : load(number, false);
    add_features(x, stride, rows, static_cast<int>(chunk.count), number * slice, count, chunk.group, pass, work);
  }
}

std::size_t settle_bytes(int slice) {
  const int numbers = chunk_points * (slice + padding) + slice * group_size;
  return sizeof(float) * static_cast<std::size_t>(numbers);
}

}  // namespace

int prepare_settle(int d, const cudaDeviceProp& device) {
  // Two blocks a multiprocessor at least, where the longer slice spares reading most points twice.
  const bool roomy = device.sharedMemPerMultiprocessor >= 3 * (settle_bytes(128) + sizeof(Rows));
  const int slice = d > 64 && roomy ? 128 : 64;
  const int bytes = static_cast<int>(settle_bytes(slice));
  check(cudaFuncSetAttribute(settle, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
  return slice;
}

void enqueue_settle(const Work& work, const Pass& pass, int slice) {
  const std::size_t groups = static_cast<std::size_t>(groups_of(pass.k));
  const std::size_t chunks = (pass.count + chunk_points - 1) / chunk_points + groups;
  settle<<<static_cast<unsigned>(chunks), threads, settle_bytes(slice), pass.stream>>>(pass, work, slice);
  check_launch("fused: settle");
}

}  // namespace centroid_lab::cuda::high

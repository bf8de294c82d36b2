// Distances in float32 for points that the filter could not label, or for all points where there is no filter.
#include "check.hpp"
#include "kernels.cuh"
#include "settle.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int rows = 128;
constexpr int features = 16;
constexpr int row_stride = rows + 4;

__global__ void __launch_bounds__(threads) all_whole(Pass pass, Work work) {
  if (*pass.halted != 0) return;
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= pass.count) return;
  work.whole[i] = {static_cast<unsigned>(pass.first + i), static_cast<unsigned>((pass.first + i) / core_part_points % work.segments)};
  work.keys[i] = ~0ull;
  work.seconds[i] = ~0ull;
  work.thirds[i] = ~0u;
  if (i == 0) *work.whole_count = static_cast<unsigned>(pass.count);
}

/// `Count` features of a row from `feature` on; zeros where there are none, which leave distances as they are.
template <int Count>
__device__ inline void load_features(float (&to)[Count], const float* row, int feature, int d) {
#pragma unroll
  for (int j = 0; j < Count; j++) to[j] = row != nullptr && feature + j < d ? __ldg(row + feature + j) : 0.0f;
}

template <>
__device__ inline void load_features(float (&to)[8], const float* row, int feature, int d) {
  if (row != nullptr && d % 4 == 0 && feature + 8 <= d) {
    const float4 low = __ldg(reinterpret_cast<const float4*>(row + feature));
    const float4 high = __ldg(reinterpret_cast<const float4*>(row + feature) + 1);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
    return;
  }
#pragma unroll
  for (int j = 0; j < 8; j++) to[j] = row != nullptr && feature + j < d ? __ldg(row + feature + j) : 0.0f;
}

/// The two nearest so far, and the third distance as bits: those of what is not negative are ordered as it is.
struct ThreeNearest {
  unsigned long long first = ~0ull, second = ~0ull;
  unsigned third = ~0u;

  __device__ void offer(unsigned long long other) {
    const unsigned long long loser = max(first, other);
    third = min(third, static_cast<unsigned>(max(second, loser) >> 32));
    second = min(second, loser);
    first = min(first, other);
  }
  /// What `lanes` neighbouring lanes have, together.
  __device__ void merge(int lanes) {
    for (int step = lanes / 2; step > 0; step /= 2) {
      const unsigned long long its_first = __shfl_xor_sync(full_warp, first, step), its_second = __shfl_xor_sync(full_warp, second, step);
      const unsigned its_third = __shfl_xor_sync(full_warp, third, step);
      offer(its_first);
      offer(its_second);
      third = min(third, its_third);
    }
  }
  /// Into those of all blocks. What is not among the first two in the end lost once to what was, here or there.
  __device__ void join(const Work& work, unsigned at) const {
    const unsigned long long loser = max(atomicMin(work.keys + at, first), first);
    unsigned its_third = third;
    for (const unsigned long long other : {loser, second}) {
      if (other == ~0ull) continue;
      its_third = min(its_third, static_cast<unsigned>(max(atomicMin(work.seconds + at, other), other) >> 32));
    }
    atomicMin(work.thirds + at, its_third);
  }
};

/// 128 points by 16 * Columns clusters a block, eight points by Columns clusters a thread. A point meets the tiles of
/// clusters in different blocks; the smallest key wins whatever their order.
template <int Columns>
__global__ void __launch_bounds__(threads) nearest_of_all(Pass pass, Work work) {
  constexpr int tile = 16 * Columns;
  constexpr int tile_stride = tile + 4;
  constexpr int vector = Columns < 4 ? Columns : 4;
  __shared__ __align__(16) float points[2][features * row_stride];
  __shared__ __align__(16) float centroids[2][features * tile_stride];
  if (*pass.halted != 0) return;
  const unsigned count = *work.whole_count;
  const int d = work.d;
  const int slices = (d + features - 1) / features;
  const unsigned tiles = static_cast<unsigned>((pass.k + tile - 1) / tile);
  const size_t items = static_cast<size_t>((count + rows - 1) / rows) * tiles;
  const int own_row = threadIdx.x / 2, row_feature = threadIdx.x % 2 * 8;
  const int own_cluster = threadIdx.x / (16 / Columns), cluster_feature = threadIdx.x % (16 / Columns) * Columns;
  const int first_row = threadIdx.x / 16 * 8, first_column = threadIdx.x % 16 * vector;

  for (size_t item = blockIdx.x; item < items; item += gridDim.x) {
    const unsigned row_base = static_cast<unsigned>(item / tiles) * rows;
    const int cluster_base = static_cast<int>(item % tiles) * tile;
    const unsigned slot = row_base + own_row;
    const float* row = slot < count ? work.x + work.row_of(work.whole[slot].point) * d : nullptr;
    const int cluster = cluster_base + own_cluster;
    const float* centroid = cluster < pass.k ? pass.centroids + static_cast<size_t>(cluster) * d : nullptr;
    float next_point[8], next_centroid[Columns];
    const auto fetch = [&](int slice) {
      load_features(next_point, row, slice * features + row_feature, d);
      load_features(next_centroid, centroid, slice * features + cluster_feature, d);
    };
    const auto store = [&](int buffer) {
#pragma unroll
      for (int j = 0; j < 8; j++) points[buffer][(row_feature + j) * row_stride + own_row] = next_point[j];
#pragma unroll
      for (int j = 0; j < Columns; j++) {
        centroids[buffer][(cluster_feature + j) * tile_stride + own_cluster] = next_centroid[j];
      }
    };
    float distance[8][Columns] = {};
    __syncthreads();
    fetch(0);
    store(0);
    __syncthreads();
    for (int slice = 0; slice < slices; slice++) {
      if (slice + 1 < slices) fetch(slice + 1);
      const float* x = points[slice % 2] + first_row;
      const float* c = centroids[slice % 2] + first_column;
#pragma unroll 4
      for (int j = 0; j < features; j++) {
        float own[8], other[Columns];
#pragma unroll
        for (int i = 0; i < 8; i++) own[i] = x[j * row_stride + i];
#pragma unroll
        for (int i = 0; i < Columns; i++) other[i] = c[j * tile_stride + i / vector * 64 + i % vector];
#pragma unroll
        for (int i = 0; i < 8; i++) {
#pragma unroll
          for (int l = 0; l < Columns; l++) distance[i][l] = add_square(distance[i][l], own[i], other[l]);
        }
      }
      if (slice + 1 < slices) store((slice + 1) % 2);
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
      ThreeNearest nearest;
#pragma unroll
      for (int l = 0; l < Columns; l++) {
        const int candidate = cluster_base + first_column + l / vector * 64 + l % vector;
        if (candidate < pass.k) nearest.offer(key_of(distance[i][l], static_cast<unsigned>(candidate)));
      }
      nearest.merge(16);
      const unsigned at = row_base + first_row + i;
      if (threadIdx.x % 16 == 0 && at < count) nearest.join(work, at);
    }
  }
}

/// The cluster of a point of the list whose distances are known, exactly where they leave it in doubt. By a whole warp.
__device__ __noinline__ unsigned decide_key(const float* x, const float* centroids, int d, int k, bool in_doubt, unsigned long long first,
                                            unsigned long long second, bool are_two, float limit) {
  const RowsApart rows{centroids, d};
  unsigned label = cluster_of(first);
  for (unsigned open = __ballot_sync(full_warp, in_doubt && are_two); open != 0; open &= open - 1) {
    const int owner = __ffs(static_cast<int>(open)) - 1;
    const Strided point = Strided{x, 1}.of_lane(owner);
    const int a = static_cast<int>(cluster_of(__shfl_sync(full_warp, first, owner)));
    const int b = static_cast<int>(cluster_of(__shfl_sync(full_warp, second, owner)));
    const int nearer = truly_nearer_by_warp(d, point, rows, a, b);
    if (static_cast<int>(threadIdx.x % 32) == owner) label = static_cast<unsigned>(nearer);
  }
  const unsigned many = __ballot_sync(full_warp, in_doubt && !are_two);
  if (many == 0) return label;
  return static_cast<unsigned>(decide_here(d, Strided{x, 1}, rows, k, AllInOrder{}, many, static_cast<int>(label), limit));
}

__global__ void __launch_bounds__(threads) take_keys(Pass pass, Work work) {
  if (*pass.halted != 0) return;
  const unsigned count = *work.whole_count;
  const bool notes = takes_notes(work.records, pass);
  const TieMargin margin(work.d);
  for (size_t base = static_cast<size_t>(blockIdx.x) * threads; base < count; base += static_cast<size_t>(gridDim.x) * threads) {
    const size_t at = base + threadIdx.x;
    const bool real = at < count;
    const unsigned long long key = real ? work.keys[at] : 0;
    const Whole whole = real ? work.whole[at] : Whole{};
    const size_t row = work.row_of(whole.point);
    const float limit = margin.limit(distance_of(key));
    const unsigned long long second = real ? work.seconds[at] : ~0ull;
    // Where there is one cluster nothing comes second.
    const bool in_doubt = second != ~0ull && !(distance_of(second) > limit);
    unsigned label = cluster_of(key);
    if (__any_sync(full_warp, in_doubt)) {
      const bool are_two = in_doubt && !(__uint_as_float(work.thirds[at]) <= limit) && work.thirds[at] != ~0u;
      label = decide_key(work.x + row * work.d, pass.centroids, work.d, pass.k, in_doubt, key, second, are_two || pass.k == 2, limit);
    }
    resolve(real, whole.point, row, label, kept_of(whole.point, pass, work), whole.segment, pass, work);
    if (notes && real) keep(work.records, row, label, above(limit, work.d), work.records.outside[row]);
  }
}

/// The key of the truly nearest of those in `close` of each half of a warp, where distances leave it in doubt. By a whole warp.
/// @param key of the lane. @param nearest of its half.
__device__ __noinline__ unsigned long long decide_halves(const float* x, const float* centroids, int d, unsigned close,
                                                        unsigned long long key, unsigned long long nearest) {
  const RowsApart rows{centroids, d};
  for (int half = 0; half < 32; half += 16) {
    const unsigned here = close >> half & 0xffff;
    if ((here & (here - 1)) == 0) continue;
    const Strided point = Strided{x, 1}.of_lane(half);
    unsigned long long best = __shfl_sync(full_warp, nearest, half);
    for (unsigned left = here; left != 0; left &= left - 1) {
      const unsigned long long other = __shfl_sync(full_warp, key, half + __ffs(static_cast<int>(left)) - 1);
      if (other == best) continue;
      const int a = static_cast<int>(cluster_of(best)), b = static_cast<int>(cluster_of(other));
      if (truly_nearer_by_warp(d, point, rows, a, b) == b) best = other;
    }
    if (static_cast<int>(threadIdx.x & 16) == half) nearest = best;
  }
  return nearest;
}

/// Half a warp a point: one lane for each of the sixteen clusters of the two groups.
__global__ void __launch_bounds__(threads) nearest_of_open(Pass pass, Work work) {
  if (*pass.halted != 0) return;
  const unsigned segment = blockIdx.x % work.segments, count = work.listed[segment].open;
  const bool notes = takes_notes(work.records, pass);
  const int lane = threadIdx.x % 16;
  const int fours = fours_of(work.d);
  const TieMargin margin(work.d);
  const unsigned step = gridDim.x / work.segments * (threads / 16), first = blockIdx.x / work.segments * (threads / 16);
  if (first >= count) return;
  const Open* const list = work.open + work.start_of(segment);
  const auto open_at = [&](unsigned base) { return list[min(base + threadIdx.x / 16, count - 1)]; };
  Open next = open_at(first);
  for (unsigned base = first; base < count; base += step) {
    const unsigned slot = base + threadIdx.x / 16;
    const Open open = next;
    next = open_at(base + step);
    const size_t row = work.row_of(open.point);
    const unsigned before = kept_of(open.point, pass, work);
    const unsigned group = lane < group_size ? open.first : open.second;
    const unsigned at = group * group_size + lane % group_size;
    const bool asked = lane < group_size ? (open.members >> lane & 1) != 0 : open.second != no_group;
    unsigned long long key = ~0ull;
    if (asked && at < static_cast<unsigned>(pass.k)) {
      const float* x = work.x + row * work.d;
      const float4* centroid = work.grouped + static_cast<size_t>(group) * fours * group_size + lane % group_size;
      float distance = 0;
      if (work.d % 4 == 0) {
        const float4* own = reinterpret_cast<const float4*>(x);
#pragma unroll 8
        for (int j = 0; j < fours; j++) distance = add_squares(distance, __ldg(own + j), centroid[j * group_size]);
      } else {
        for (int j = 0; j < work.d / 4; j++, x += 4, centroid += group_size) {
          distance = add_squares(distance, {x[0], x[1], x[2], x[3]}, *centroid);
        }
        distance = add_squares(distance, first_of_four(x, work.d % 4), *centroid);
      }
      key = key_of(distance, work.cluster_at(at));
    }
    __syncwarp();
    unsigned long long nearest = smallest_key(key, 16);
    const bool is_close = key != ~0ull && !(distance_of(key) > margin.limit(distance_of(nearest)));
    const unsigned close = __ballot_sync(full_warp, is_close), here = close >> (threadIdx.x & 16) & 0xffff;
    if (__any_sync(full_warp, (here & (here - 1)) != 0)) {
      nearest = decide_halves(work.x + row * work.d, pass.centroids, work.d, close, key, nearest);
    }
    resolve(lane == 0 && slot < count, open.point, row, cluster_of(nearest), before, segment, pass, work);
    if (!notes) continue;
    // NaN, which minima pass over, where there was nothing else.
    const unsigned long long next = smallest_key(key == nearest ? ~0ull : key, 16);
    if (lane != 0 || slot >= count) continue;
    const float lower = fminf(below(distance_of(next), work.d), work.records.outside[row]);
    keep(work.records, row, cluster_of(nearest), above(distance_of(nearest), work.d), lower);
  }
}

}  // namespace

void enqueue_all_whole(const Work& work, const Pass& pass) {
  all_whole<<<static_cast<unsigned>((pass.count + threads - 1) / threads), threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: all_whole");
}

void enqueue_open(const Work& work, const Pass& pass) {
  nearest_of_open<<<work.segments * segment_blocks, threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: nearest_of_open");
}

void enqueue_whole(const Work& work, const Pass& pass, int multiprocessors) {
  const auto blocks = static_cast<unsigned>(multiprocessors * 4);
  if (pass.k <= 32) nearest_of_all<2><<<blocks, threads, 0, pass.stream>>>(pass, work);
  else if (pass.k <= 64) nearest_of_all<4><<<blocks, threads, 0, pass.stream>>>(pass, work);
  else nearest_of_all<8><<<blocks, threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: nearest_of_all");
  take_keys<<<blocks, threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: take_keys");
}

}  // namespace centroid_lab::cuda::matrix_filter

// Distances in float32 for points that the filter could not label, or for all points where there is no filter.
#include "check.hpp"
#include "kernels.cuh"
#include "launch_early.cuh"
#include "pair_distances.cuh"
#include "settle.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
/// Of a slice of rows in shared memory.
constexpr int features = 16;

__global__ void __launch_bounds__(threads) all_whole(Pass pass, Work work) {
  let_next_begin();
  await_earlier();
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

/// Features that are added up before they are added to others.
constexpr int part_features = 2 * features;
__device__ constexpr int additions_by_parts(int d) { return part_features + (d + part_features - 1) / part_features; }

/// 16 * Rows points by 16 * Columns clusters a block, Rows points by Columns clusters a thread. A point meets the tiles of clusters in
/// different blocks; the smallest key wins whatever their order.
template <int Columns, int Rows>
__device__ __forceinline__ void compare_all(const Pass& pass, const Work& work, unsigned count, float* shared) {
  constexpr int rows = 16 * Rows, row_stride = rows + 4, tile = 16 * Columns, tile_stride = tile + 4;
  constexpr int vector = Columns < 4 ? Columns : 4;
  const auto points_of = [&](int buffer) { return shared + buffer * features * row_stride; };
  const auto centroids_of = [&](int buffer) { return shared + 2 * features * row_stride + buffer * features * tile_stride; };
  const int d = work.d;
  const int slices = (d + features - 1) / features;
  const unsigned tiles = static_cast<unsigned>((pass.k + tile - 1) / tile);
  const size_t items = static_cast<size_t>((count + rows - 1) / rows) * tiles;
  const int own_row = threadIdx.x / (16 / Rows), row_feature = threadIdx.x % (16 / Rows) * Rows;
  const int own_cluster = threadIdx.x / (16 / Columns), cluster_feature = threadIdx.x % (16 / Columns) * Columns;
  const int first_row = threadIdx.x / 16 * Rows, first_column = threadIdx.x % 16 * vector;

  for (size_t item = blockIdx.x; item < items; item += gridDim.x) {
    const unsigned row_base = static_cast<unsigned>(item / tiles) * rows;
    const int cluster_base = static_cast<int>(item % tiles) * tile;
    const unsigned slot = row_base + own_row;
    const float* row = slot < count ? work.x + work.row_of(work.whole[slot].point) * d : nullptr;
    const int cluster = cluster_base + own_cluster;
    const float* centroid = cluster < pass.k ? pass.centroids + static_cast<size_t>(cluster) * d : nullptr;
    float next_point[Rows], next_centroid[Columns];
    const auto fetch = [&](int slice) {
      load_features(next_point, row, slice * features + row_feature, d);
      load_features(next_centroid, centroid, slice * features + cluster_feature, d);
    };
    const auto store = [&](int buffer) {
#pragma unroll
      for (int j = 0; j < Rows; j++) points_of(buffer)[(row_feature + j) * row_stride + own_row] = next_point[j];
#pragma unroll
      for (int j = 0; j < Columns; j++) centroids_of(buffer)[(cluster_feature + j) * tile_stride + own_cluster] = next_centroid[j];
    };
    float distance[Rows][Columns] = {}, part[Rows][Columns] = {};
    __syncthreads();
    fetch(0);
    store(0);
    __syncthreads();
    for (int slice = 0; slice < slices; slice++) {
      if (slice + 1 < slices) fetch(slice + 1);
      const float* x = points_of(slice % 2) + first_row;
      const float* c = centroids_of(slice % 2) + first_column;
#pragma unroll 4
      for (int j = 0; j < features; j++) {
        float own[Rows], other[Columns];
#pragma unroll
        for (int i = 0; i < Rows; i++) own[i] = x[j * row_stride + i];
#pragma unroll
        for (int i = 0; i < Columns; i++) other[i] = c[j * tile_stride + i / vector * 64 + i % vector];
#pragma unroll
        for (int i = 0; i < Rows; i++) {
#pragma unroll
          for (int l = 0; l < Columns; l++) part[i][l] = add_square(part[i][l], own[i], other[l]);
        }
      }
      if (slice + 1 < slices) store((slice + 1) % 2);
      if (slice % 2 != 0 || slice + 1 == slices) {
#pragma unroll
        for (int i = 0; i < Rows; i++) {
#pragma unroll
          for (int l = 0; l < Columns; l++) {
            distance[i][l] += part[i][l];
            part[i][l] = 0;
          }
        }
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < Rows; i++) {
      ThreeNearest nearest;
#pragma unroll
      for (int l = 0; l < Columns; l++) {
        const int candidate = cluster_base + first_column + l / vector * 64 + l % vector;
        // No number is none of the pass.
        if (candidate < pass.k && !isnan(distance[i][l])) nearest.offer(key_of(distance[i][l], static_cast<unsigned>(candidate)));
      }
      nearest.merge(16);
      const unsigned at = row_base + first_row + i;
      if (threadIdx.x % 16 == 0 && at < count) nearest.join(work, at);
    }
  }
}

/// Points of a thread; where points are so few that most multiprocessors would have none.
constexpr int rows_of_many = 8, rows_of_few = 2;

template <int Columns>
__global__ void __launch_bounds__(threads) nearest_of_all(Pass pass, Work work) {
  constexpr int tile = 16 * Columns;
  __shared__ __align__(16) float shared[2 * features * (16 * rows_of_many + 4 + tile + 4)];
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  const unsigned count = *work.whole_count;
  const unsigned items = (count + 16 * rows_of_many - 1) / (16 * rows_of_many) * static_cast<unsigned>((pass.k + tile - 1) / tile);
  if (count >= threads * gridDim.x || items * 12 > gridDim.x) compare_all<Columns, rows_of_many>(pass, work, count, shared);
  else compare_all<Columns, rows_of_few>(pass, work, count, shared);
}

/// The cluster of a point of the list whose distances are known, exactly where they leave it in doubt. By a whole warp.
/// @param limit of distances whose features are added in order, which go through more additions than those known.
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

/// For the next pass.
__device__ inline void measure_spread(Spread& spread, float of_points) {
  const float narrower = of_points - spread.logarithms / spread.clusters;
  spread.halvings = static_cast<int>(fminf(fmaxf(rintf(narrower), 0.0f), static_cast<float>(max_halvings)));
  spread.logarithms = spread.clusters = 0;
}

__global__ void __launch_bounds__(threads) take_keys(Pass pass, Work work) {
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  if (work.spread != nullptr && blockIdx.x == 0 && threadIdx.x == 0) measure_spread(*work.spread, work.point_logarithm);
  const unsigned count = *work.whole_count;
  const bool notes = takes_notes(work.records, pass);
  const TieMargin margin(work.d, additions_by_parts(work.d)), in_order(work.d, max(work.d, additions_by_parts(work.d)));
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
      label = decide_key(work.x + row * work.d, pass.centroids, work.d, pass.k, in_doubt, key, second, are_two || pass.k == 2,
                         in_order.limit(distance_of(key)));
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

/// Squared distance to a member of a group, by one lane. Four sums side by side: none waits for another, and each is rounded but once in
/// four features.
__device__ __forceinline__ float distance_of_member(const float* x, const float4* centroid, int d) {
  float4 sums{};
  if (d % 4 == 0) {
    const float4* own = reinterpret_cast<const float4*>(x);
#pragma unroll 8
    for (int j = 0; j < d / 4; j++) add_apart(sums, __ldg(own + j), centroid[j * group_size]);
  } else {
    for (int j = 0; j < d / 4; j++, x += 4, centroid += group_size) add_apart(sums, {x[0], x[1], x[2], x[3]}, *centroid);
    add_apart(sums, first_of_four(x, d % 4), *centroid);
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
}

/// Features from which a distance is made by sixteen lanes.
constexpr int min_by_lanes = 128;

/// Half a warp a point: one lane for each of the sixteen clusters of the two groups, or all of them for one after another.
__global__ void __launch_bounds__(threads) nearest_of_open(Pass pass, Work work) {
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  const unsigned segment = blockIdx.x % work.segments, count = work.listed[segment].open;
  const bool notes = takes_notes(work.records, pass);
  const int lane = threadIdx.x % 16;
  const int fours = fours_of(work.d);
  const bool by_lanes = work.d >= min_by_lanes;
  const TieMargin margin(work.d, by_lanes ? additions_by_lanes<16>(work.d) : fours + 2);
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
    const bool exists = asked && at < static_cast<unsigned>(pass.k);
    const float* const x = work.x + row * work.d;
    unsigned long long key = ~0ull;
    if (by_lanes) {
      const unsigned cluster = exists ? work.cluster_at(at) : 0, all = __ballot_sync(full_warp, exists);
      float distance = 0;
      // Halves of the warp may have different numbers of them.
      for (unsigned left = all >> (threadIdx.x & 16) & 0xffff; __any_sync(full_warp, left != 0); left &= left - 1) {
        const int number = max(__ffs(static_cast<int>(left)) - 1, 0);
        const unsigned its = __shfl_sync(full_warp, cluster, number, 16);
        const float found = distance_by_lanes<16>(x, pass.centroids + static_cast<size_t>(its) * work.d, work.d);
        if (left != 0 && lane == number) distance = found;
      }
      if (exists) key = key_of(distance, cluster);
    } else if (exists) {
      key = key_of(distance_of_member(x, work.grouped + static_cast<size_t>(group) * fours * group_size + lane % group_size, work.d),
                   work.cluster_at(at));
    }
    __syncwarp();
    unsigned long long nearest = smallest_key(key, 16);
    const bool is_close = key != ~0ull && distance_of(key) <= margin.limit(distance_of(nearest));
    const unsigned close = __ballot_sync(full_warp, is_close), here = close >> (threadIdx.x & 16) & 0xffff;
    if (__any_sync(full_warp, (here & (here - 1)) != 0)) {
      nearest = decide_halves(x, pass.centroids, work.d, close, key, nearest);
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
  launch_in_turn(work.is_early, all_whole, static_cast<unsigned>((pass.count + threads - 1) / threads), threads, 0, pass.stream, pass, work);
}

void enqueue_open(const Work& work, const Pass& pass) {
  launch_in_turn(work.is_early, nearest_of_open, work.segments * segment_blocks, threads, 0, pass.stream, pass, work);
}

void enqueue_whole(const Work& work, const Pass& pass, int multiprocessors) {
  const auto blocks = static_cast<unsigned>(multiprocessors * 4);
  const auto kernel = pass.k <= 32 ? nearest_of_all<2> : pass.k <= 64 ? nearest_of_all<4> : nearest_of_all<8>;
  launch_in_turn(work.is_early, kernel, blocks, threads, 0, pass.stream, pass, work);
  launch_in_turn(work.is_early, take_keys, blocks, threads, 0, pass.stream, pass, work);
}

}  // namespace centroid_lab::cuda::matrix_filter

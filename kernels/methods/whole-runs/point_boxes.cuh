// How a block of the regime for the smallest data labels the points in its registers and adds them up. Points lie in the order of
// a curve through space: those of a warp lie in a small box, those of a block in a larger one. Which centroids can be nearest
// to a point of a box is told by bounds that the computed distances themselves obey (proof.md), so that labels are those of
// all distances, to the last bit.
#pragma once

#include <cstddef>

#include "settle.cuh"

namespace centroid_lab::cuda::whole_runs {

constexpr unsigned everyone = 0xffffffffU;
constexpr unsigned infinite_bits = 0x7f800000U;
/// Up to so many clusters every warp looks at them all.
constexpr int max_unlisted = 64;
/// A warp of fewer points is left out of its block's box.
constexpr int min_near = 8;
/// Parts of a list, of a lane each, whose bounds are worked out together.
constexpr int at_once = 4;
/// Points of a warp whose low halves of this many bits add up within 32 bits.
constexpr int low_bits = 27;
/// More points than this have high halves that a warp adds up within 32 bits.
constexpr std::size_t max_unreduced = 256;

template <int D>
struct Layout {
  static constexpr int row_width = D < 4 ? 4 : 8;

  static std::size_t bytes(int k, unsigned threads) {
    const std::size_t rows = static_cast<std::size_t>(threads) * row_width * sizeof(float);
    return rows + static_cast<std::size_t>(k) * ((D + 1) * sizeof(long long) + D * sizeof(float) + sizeof(int));
  }
};

/// The block's share of shared memory.
template <int D>
struct Shared {
  /// (threads): of each warp the centroids it chose from the list, each with its place there.
  float* chosen;
  /// (k, D + 1): sums and number of members of each listed cluster; zero while nobody adds.
  long long* sums;
  /// (k, D)
  float* centroids;
  /// (k): the clusters that may be nearest to a point of the block, in ascending order.
  int* list;
};

template <int D>
__device__ Shared<D> share_out(char* memory, int k) {
  Shared<D> shared;
  shared.chosen = reinterpret_cast<float*>(memory);
  shared.sums = reinterpret_cast<long long*>(shared.chosen + blockDim.x * Layout<D>::row_width);
  shared.centroids = reinterpret_cast<float*>(shared.sums + static_cast<size_t>(k) * (D + 1));
  shared.list = reinterpret_cast<int*>(shared.centroids + static_cast<size_t>(k) * D);
  return shared;
}

__device__ __forceinline__ unsigned lowest_of_warp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(everyone, value);
#else
  for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(everyone, value, step));
  return value;
#endif
}

__device__ __forceinline__ int warp_total(int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(everyone, value);
#else
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
#endif
}

/// The smallest box around some points; an empty one is inside out.
template <int D>
struct Box {
  float low[D], high[D];
};

/// The box around the points of the lanes that have one.
template <int D>
__device__ Box<D> box_of_warp(const float (&x)[D], bool exists) {
  Box<D> box;
#pragma unroll
  for (int j = 0; j < D; j++) {
    box.low[j] = exists ? x[j] : INFINITY;
    box.high[j] = exists ? x[j] : -INFINITY;
    for (int step = 16; step > 0; step /= 2) {
      box.low[j] = fminf(box.low[j], __shfl_xor_sync(everyone, box.low[j], step));
      box.high[j] = fmaxf(box.high[j], __shfl_xor_sync(everyone, box.high[j], step));
    }
  }
  return box;
}

/// Whether a warp is better left out of the box around its block: it has few points, or a box four times as large as most of
/// the others' are. Synchronises.
template <int D>
__device__ bool is_far(const Box<D>& box, int points) {
  __shared__ float sizes[32];
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  float size = 0;
#pragma unroll
  for (int j = 0; j < D; j++) size += box.high[j] - box.low[j];
  if (lane == 0) sizes[threadIdx.x / 32] = points > 0 ? size : -1;
  __syncthreads();
  const float other = lane < warps ? sizes[lane] : -1;
  const int smaller = __popc(__ballot_sync(everyone, other >= 0 && 4 * other < size));
  const int working = __popc(__ballot_sync(everyone, other >= 0));
  return points > 0 && (points < min_near || 2 * smaller > working);
}

/// Writes the box around those of the warps that count. Synchronises.
template <int D>
__device__ void box_of_block(const Box<D>& mine, bool counts, Box<D>& box) {
  __shared__ Box<D> boxes[32];
  __shared__ bool counting[32];
  if (threadIdx.x % 32 == 0) boxes[threadIdx.x / 32] = mine, counting[threadIdx.x / 32] = counts;
  __syncthreads();
  if (threadIdx.x < D) {
    float low = INFINITY, high = -INFINITY;
    for (unsigned warp = 0; warp < blockDim.x / 32; warp++) {
      if (!counting[warp]) continue;
      low = fminf(low, boxes[warp].low[threadIdx.x]);
      high = fmaxf(high, boxes[warp].high[threadIdx.x]);
    }
    box.low[threadIdx.x] = low;
    box.high[threadIdx.x] = high;
  }
  __syncthreads();
}

/// No computed distance from a point of the box to the centroid is below `least` or above `most`: they are computed as it is,
/// and each step of that is monotonic after rounding too.
template <int D>
__device__ __forceinline__ void bounds_of(const Box<D>& box, const float (&centroid)[D], float& least, float& most) {
  least = most = 0;
#pragma unroll
  for (int j = 0; j < D; j++) {
    const float below = box.low[j] - centroid[j];
    const float above = centroid[j] - box.high[j];
    const float near = fmaxf(fmaxf(below, above), 0.0F);
    const float far = fmaxf(fabsf(below), fabsf(above));
    least = fmaf(near, near, least);
    most = fmaf(far, far, most);
  }
}

template <int D>
__device__ __forceinline__ void load_centroid(const Shared<D>& shared, int c, float (&to)[D]) {
#pragma unroll
  for (int j = 0; j < D; j++) to[j] = shared.centroids[c * D + j];
}

/// Lists the clusters that may be nearest to a point of the box. A thread looks at the centroids it has put into shared memory
/// itself: those of clusters threadIdx.x, threadIdx.x + blockDim.x and so on. Synchronises. @returns their number.
template <int D>
__device__ __forceinline__ int list_clusters(const Shared<D>& shared, const Box<D>& box, int k) {
  __shared__ unsigned closest[32], kept[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float least = 0, most = 0;
  unsigned smallest = infinite_bits;
  for (int c = threadIdx.x; c < k; c += blockDim.x) {
    float centroid[D];
    load_centroid(shared, c, centroid);
    bounds_of(box, centroid, least, most);
    smallest = min(smallest, __float_as_uint(most));
  }
  smallest = lowest_of_warp(smallest);
  if (lane == 0) closest[warp] = smallest;
  __syncthreads();
  const float limit = TieMargin(D).limit(__uint_as_float(lowest_of_warp(lane < warps ? closest[lane] : infinite_bits)));
  int listed = 0;
  for (int first = 0; first < k; first += blockDim.x) {
    const int c = first + static_cast<int>(threadIdx.x);
    if (k > static_cast<int>(blockDim.x) && c < k) {
      float centroid[D];
      load_centroid(shared, c, centroid);
      bounds_of(box, centroid, least, most);
    }
    const unsigned keepers = __ballot_sync(everyone, c < k && least <= limit);
    if (lane == 0) kept[warp] = __popc(keepers);
    __syncthreads();
    const int others = lane < warps ? static_cast<int>(kept[lane]) : 0;
    const int before = warp_total(lane < warp ? others : 0);
    if (keepers >> lane & 1) shared.list[listed + before + __popc(keepers & ((1U << lane) - 1))] = c;
    listed += warp_total(others);
    __syncthreads();
  }
  return listed;
}

/// Goes on with the search for the nearest among the rows that a warp has chosen.
template <int D>
__device__ __forceinline__ void search_chosen(const float* chosen, int count, const float (&x)[D], NearestWithGap& nearest) {
  constexpr int width = Layout<D>::row_width;
#pragma unroll 2
  for (int at = 0; at < count; at++) {
    float row[width];
#pragma unroll
    for (int part = 0; part < width; part += 4) {
      const float4 four = *reinterpret_cast<const float4*>(chosen + at * width + part);
      row[part] = four.x, row[part + 1] = four.y, row[part + 2] = four.z, row[part + 3] = four.w;
    }
    float distance = 0;
#pragma unroll
    for (int j = 0; j < D; j++) distance = fmaf(x[j] - row[j], x[j] - row[j], distance);
    nearest.offer(__float_as_int(row[width - 1]), distance);
  }
}

/// Centroids by their place in a list, or without one.
template <int D>
struct ListedRows {
  const float* centroids;
  const int* list;

  __device__ __forceinline__ Strided operator()(int slot) const {
    return {centroids + (list == nullptr ? slot : list[slot]) * D, 1};
  }
};

/// Which of the `listed` clusters is truly nearest to the lane's point, the first of those equally near; its place in the list. Without
/// a list all clusters are.
template <int D>
__device__ __forceinline__ int find_nearest(const Shared<D>& shared, const int* list, int listed, const Box<D>& box,
                                            const float (&x)[D]) {
  constexpr int width = Layout<D>::row_width;
  const int lane = threadIdx.x % 32;
  float* chosen = shared.chosen + (threadIdx.x - lane) * width;
  const auto load = [&](int slot, float(&to)[D]) { load_centroid(shared, list == nullptr ? slot : list[slot], to); };
  float least = 0, most = 0;
  unsigned smallest = infinite_bits;
#pragma unroll 4
  for (int slot = lane; slot < listed; slot += 32) {
    float centroid[D];
    load(slot, centroid);
    bounds_of(box, centroid, least, most);
    smallest = min(smallest, __float_as_uint(most));
  }
  constexpr TieMargin margin(D);
  const float limit = margin.limit(__uint_as_float(lowest_of_warp(smallest)));
  NearestWithGap nearest;
  for (int base = 0; base < listed; base += 32 * at_once) {
    // The last of one round are those just looked at.
    float leasts[at_once] = {least, least, least, least};
#pragma unroll
    for (int part = 0; part < at_once; part++) {
      const int slot = base + part * 32 + lane;
      if (listed <= 32 || slot >= listed) continue;
      float centroid[D];
      load(slot, centroid);
      bounds_of(box, centroid, leasts[part], most);
    }
#pragma unroll
    for (int part = 0; part < at_once; part++) {
      const int slot = base + part * 32 + lane;
      const bool keeps = slot < listed && leasts[part] <= limit;
      const unsigned keepers = __ballot_sync(everyone, keeps);
      if (keepers == 0) continue;
      if (keeps) {
        float centroid[D];
        load(slot, centroid);
        float* row = chosen + __popc(keepers & ((1U << lane) - 1)) * width;
#pragma unroll
        for (int j = 0; j < D; j++) row[j] = centroid[j];
        row[width - 1] = __int_as_float(slot);
      }
      __syncwarp();
      search_chosen<D>(chosen, __popc(keepers), x, nearest);
      __syncwarp();
    }
  }
  // Places in a list are in the order of clusters. Nothing is called: see decide_points_by_lane.
  if (margin.is_doubtful(nearest.distance, nearest.gap)) {
    nearest.cluster = decide_by_lane(D, Copied<D>(x), ListedRows<D>{shared.centroids, list}, listed, AllInOrder{}, nearest.cluster,
                                     margin.limit(nearest.distance));
  }
  __syncwarp();
  return nearest.cluster;
}

/// Adds to a 64-bit number in shared memory, in two halves with the carry by hand: the hardware adds 32 bits there.
__device__ inline void add_shared(long long* sum, long long value) {
  auto* halves = reinterpret_cast<unsigned*>(sum);
  const auto low = static_cast<unsigned>(value);
  const unsigned before = atomicAdd(halves, low);
  const unsigned high = static_cast<unsigned>(value >> 32) + (before + low < low ? 1 : 0);
  if (high != 0) atomicAdd(halves + 1, high);
}

__device__ inline void add_global(long long* sum, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

/// The fixed-point coordinates of a lane's point in two halves, each of which a warp adds up within 32 bits. Zero where the lane
/// adds nothing.
template <int D>
struct Halves {
  unsigned low[D];
  int high[D];

  __device__ Halves(const float (&x)[D], const float* scale, bool adds) {
#pragma unroll
    for (int j = 0; j < D; j++) {
      const long long value = adds ? __float2ll_rn(x[j] * scale[j]) : 0;
      low[j] = static_cast<unsigned>(value) & ((1U << low_bits) - 1);
      high[j] = static_cast<int>(value >> low_bits);
    }
  }

  /// What the `members` of the warp add up to: lane j has that of feature j, lane D their number.
  __device__ __forceinline__ long long total(bool is_member, unsigned members, int lane) const {
    long long mine = __popc(members);
#pragma unroll
    for (int j = 0; j < D; j++) {
      const auto low_total = static_cast<unsigned>(warp_total(static_cast<int>(is_member ? low[j] : 0)));
      const int high_total = warp_total(is_member ? high[j] : 0);
      if (lane == j) mine = static_cast<long long>(high_total) * (1LL << low_bits) + low_total;
    }
    return mine;
  }
};

/// Adds up the points of the warp's lanes that add, `cluster` being each one's, by `add(cluster, feature, value)`, where feature D
/// is the number of members. `whole` is the total of all its points.
template <int D, class Add>
__device__ __forceinline__ void add_warp(const float (&x)[D], const float* scale, bool adds, long long whole, int cluster,
                                         const Add& add) {
  const int lane = threadIdx.x % 32;
  unsigned left = __ballot_sync(everyone, adds);
  if (left == 0) return;
  const int first = __shfl_sync(everyone, cluster, __ffs(left) - 1);
  if (__ballot_sync(everyone, adds && cluster == first) == left) {
    if (lane <= D) add(first, lane, whole);
    return;
  }
  const Halves<D> halves(x, scale, adds);
  constexpr int rounds = 32 / (D + 1);
  while (left != 0) {
    long long value = 0;
    int to = 0;
    // Several clusters' totals wait in different lanes for one addition.
    for (int round = 0; round < rounds && left != 0; round++) {
      const int next = __shfl_sync(everyone, cluster, __ffs(left) - 1);
      const bool is_member = adds && cluster == next;
      const unsigned members = __ballot_sync(everyone, is_member);
      left &= ~members;
      const int feature = lane - round * (D + 1);
      const long long total = halves.total(is_member, members, feature);
      if (feature >= 0 && feature <= D) {
        value = total;
        to = next;
      }
    }
    if (value != 0) add(to, lane % (D + 1), value);
  }
}

/// The same of the lane's point alone, where halves are no use: so few points that their fixed-point numbers fill 64 bits.
template <int D, class Add>
__device__ void add_lane(const float (&x)[D], const float* scale, int cluster, const Add& add) {
#pragma unroll
  for (int j = 0; j < D; j++) add(cluster, j, __float2ll_rn(x[j] * scale[j]));
  add(cluster, D, 1);
}

/// The block's sums into `set (D + 1, k)`; shared memory is zero after. The block must be synchronised.
template <int D>
__device__ __forceinline__ void flush_sums(const Shared<D>& shared, int listed, int k, long long* set) {
  for (int at = threadIdx.x; at < listed * (D + 1); at += blockDim.x) {
    const long long value = shared.sums[at];
    if (value == 0) continue;
    shared.sums[at] = 0;
    const int slot = at / (D + 1);
    add_global(set + (at - slot * (D + 1)) * k + shared.list[slot], value);
  }
}

}  // namespace centroid_lab::cuda::whole_runs

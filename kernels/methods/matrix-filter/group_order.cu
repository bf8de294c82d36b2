// Points in the order of their groups: counts, starts, places. Which of a group comes first is left to chance, and sums
// of integers do not show it.
#include "check.hpp"
#include "kernels.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int scan_threads = 1024;
/// With more groups than this, counters in shared memory cost more than collisions in global memory.
constexpr int max_shared_groups = 8192;

/// Points of a block: enough to be worth as many counters.
constexpr int points_per_block(int groups) { return groups <= 256 ? 1024 : 4096; }

__device__ inline unsigned first_of_block(unsigned& last, const Pass& pass) {
  const int points = points_per_block(groups_of(pass.k));
  const size_t first = static_cast<size_t>(blockIdx.x) * points;
  last = static_cast<unsigned>(min(pass.count, first + points));
  return static_cast<unsigned>(first);
}

/// Counts the block's points in `counters`; by all threads.
__device__ inline void count_block(unsigned* counters, int groups, unsigned first, unsigned last, const Work& work) {
  for (int group = threadIdx.x; group < groups; group += threads) counters[group] = 0;
  __syncthreads();
  for (unsigned i = first + threadIdx.x; i < last; i += threads) atomicAdd(counters + work.group_of[i], 1u);
  __syncthreads();
}

__global__ void __launch_bounds__(threads) count_groups(Pass pass, Work work, int shared_groups) {
  extern __shared__ unsigned counters[];
  if (*pass.halted != 0) return;
  unsigned last;
  const unsigned first = first_of_block(last, pass);
  if (shared_groups == 0) {
    for (unsigned i = first + threadIdx.x; i < last; i += threads) atomicAdd(work.group_counts + work.group_of[i], 1u);
    return;
  }
  count_block(counters, shared_groups, first, last, work);
  for (int group = threadIdx.x; group < shared_groups; group += threads) {
    if (counters[group] > 0) atomicAdd(work.group_counts + group, counters[group]);
  }
}

struct Totals {
  unsigned points;
  unsigned chunks;
};

__device__ inline Totals add(Totals a, Totals b) { return {a.points + b.points, a.chunks + b.chunks}; }

/// Sum over all threads before this one.
__device__ inline Totals sum_before(Totals own, Totals* warps) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Totals sum = own;
  for (int step = 1; step < 32; step *= 2) {
    const Totals other{__shfl_up_sync(full_warp, sum.points, step), __shfl_up_sync(full_warp, sum.chunks, step)};
    if (lane >= step) sum = add(sum, other);
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  Totals before{sum.points - own.points, sum.chunks - own.chunks};
  for (int other = 0; other < warp; other++) before = add(before, warps[other]);
  return before;
}

/// Where each group starts, in points and in chunks; one block.
__global__ void __launch_bounds__(scan_threads) find_starts(Pass pass, Work work) {
  __shared__ Totals warps[scan_threads / 32];
  if (*pass.halted != 0) return;
  const int groups = groups_of(pass.k);
  const int share = (groups + scan_threads - 1) / scan_threads;
  const int first = min(groups, static_cast<int>(threadIdx.x) * share), last = min(groups, first + share);
  const auto of = [&](int group) {
    const unsigned count = work.group_counts[group];
    return Totals{count, (count + chunk_points - 1) / chunk_points};
  };
  Totals own{0, 0};
  for (int group = first; group < last; group++) own = add(own, of(group));
  Totals start = sum_before(own, warps);
  for (int group = first; group < last; group++) {
    work.group_starts[group] = work.group_cursors[group] = start.points;
    work.chunk_starts[group] = start.chunks;
    start = add(start, of(group));
  }
  if (threadIdx.x == scan_threads - 1) {
    work.group_starts[groups] = start.points;
    work.chunk_starts[groups] = start.chunks;
  }
}

__global__ void __launch_bounds__(threads) scatter_points(Pass pass, Work work, int shared_groups) {
  extern __shared__ unsigned counters[];
  if (*pass.halted != 0) return;
  unsigned last;
  const unsigned first = first_of_block(last, pass);
  unsigned* cursors = work.group_cursors;
  if (shared_groups > 0) {
    count_block(counters, shared_groups, first, last, work);
    for (int group = threadIdx.x; group < shared_groups; group += threads) {
      const unsigned count = counters[group];
      if (count > 0) counters[group] = atomicAdd(work.group_cursors + group, count);
    }
    __syncthreads();
    cursors = counters;
  }
  for (unsigned i = first + threadIdx.x; i < last; i += threads) {
    const auto row = static_cast<unsigned>(work.row_of(pass.first + i));
    work.order[atomicAdd(cursors + work.group_of[i], 1u)] = row;
  }
}

/// There is one group only.
__global__ void __launch_bounds__(threads) keep_order(Pass pass, Work work) {
  if (*pass.halted != 0) return;
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < pass.count) work.order[i] = static_cast<unsigned>(work.row_of(pass.first + i));
  if (i == 0) {
    work.group_starts[0] = work.chunk_starts[0] = 0;
    work.group_starts[1] = static_cast<unsigned>(pass.count);
    work.chunk_starts[1] = static_cast<unsigned>((pass.count + chunk_points - 1) / chunk_points);
  }
}

}  // namespace

void enqueue_order(const Work& work, const Pass& pass) {
  const int groups = groups_of(pass.k);
  if (groups == 1) {
    keep_order<<<static_cast<unsigned>((pass.count + threads - 1) / threads), threads, 0, pass.stream>>>(pass, work);
    return check_launch("fused: keep_order");
  }
  const std::size_t points = static_cast<std::size_t>(points_per_block(groups));
  const auto blocks = static_cast<unsigned>((pass.count + points - 1) / points);
  const int shared_groups = groups <= max_shared_groups ? groups : 0;
  const std::size_t bytes = static_cast<std::size_t>(shared_groups) * sizeof(unsigned);
  count_groups<<<blocks, threads, bytes, pass.stream>>>(pass, work, shared_groups);
  check_launch("fused: count_groups");
  find_starts<<<1, scan_threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: find_starts");
  scatter_points<<<blocks, threads, bytes, pass.stream>>>(pass, work, shared_groups);
  check_launch("fused: scatter_points");
}

}  // namespace centroid_lab::cuda::matrix_filter

// Completes an iteration of few clusters with one wait for memory behind the one for the blocks.
#pragma once

#include "finish.cuh"

namespace centroid_lab::cuda {

/// What a thread reads for one coordinate.
struct CoordinateBefore {
  unsigned count;
  long long fixed;
  float centroid;
  double unit;
  double mean;
};

__device__ __forceinline__ CoordinateBefore read_coordinate(const FinishArguments& to, int item, int features) {
  CoordinateBefore before{1, 0, 0, 0, 0};
  if (item >= to.k * features) return before;
  before.count = __ldcg(to.counts + item / features);
  before.fixed = __ldcg(to.fixed_sums + item);
  before.centroid = __ldcg(to.centroids + item);
  before.unit = to.unit[item % features];
  if (to.mean != nullptr) before.mean = to.mean[item % features];
  return before;
}

/// As `finish_row`, a thread a coordinate, features of a cluster in neighbouring lanes. By whole warps.
template <int D>
__device__ __forceinline__ RowTotals finish_coordinate(const FinishArguments& to, int item, const CoordinateBefore& before, long long slot) {
  const bool mine = item < to.k * D;
  const double members = before.count;
  double inertia = 0, squared = 0, largest = 0;
  float after = before.centroid;
  if (mine && before.count > 0) {
    const double sum = __ll2double_rn(before.fixed) * before.unit;
    to.fixed_sums[item] = 0;
    after = static_cast<float>(sum / members);
    if (to.mean != nullptr) inertia = inertia_of(before.centroid, before.mean, members, sum);
    const double change = static_cast<double>(after) - static_cast<double>(before.centroid);
    squared = __dmul_rn(change, change);
    largest = fabs(change);
    to.centroids[item] = after;
  }
  if (mine && item % D == 0) to.counts[item / D] = 0;
  if (mine && to.history != nullptr) to.history[static_cast<size_t>(slot) * to.k * D + item] = after;
#pragma unroll
  for (int step = D / 2; step > 0; step /= 2) {
    inertia += __shfl_xor_sync(0xffffffffU, inertia, step);
    squared += __shfl_xor_sync(0xffffffffU, squared, step);
    largest = fmax(largest, __shfl_xor_sync(0xffffffffU, largest, step));
  }
  return {inertia, squared, squared, largest, before.count == 0 ? 1 : 0};
}

/// Completes an iteration by the block that comes last, for fixed-point sums of up to two coordinates a thread. By all threads of all blocks once their sums are added. `rows` is shared memory for k of them.
template <int D>
__device__ inline void finish_few(const FinishArguments& to, RowTotals* rows) {
  static_assert(D == 1 || D == 2 || D == 4, "the features of a cluster lie in one warp");
  constexpr int turns = 2;
  if (to.state == nullptr || !arrive_last(*to.state)) return;
  CoordinateBefore before[turns];
  bool empty = false;
#pragma unroll
  for (int turn = 0; turn < turns; turn++) {
    before[turn] = read_coordinate(to, turn * blockDim.x + threadIdx.x, D);
    empty |= before[turn].count == 0;
  }
  const RunState state = *to.state;
  const unsigned changed = *to.changed;
  if (__syncthreads_or(to.halt_on_empty && empty)) {
    if (threadIdx.x == 0) to.state->halted = empty_cluster;
    return;
  }
#pragma unroll
  for (int turn = 0; turn < turns; turn++) {
    const int item = turn * blockDim.x + threadIdx.x;
    if (item / 32 * 32 >= to.k * D) continue;
    const RowTotals row = finish_coordinate<D>(to, item, before[turn], state.iteration % to.ring);
    if (item < to.k * D && item % D == 0) rows[item / D] = row;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const RowTotals totals = totals_of_rows(rows, to.k);
  if (threadIdx.x == 0) note_iteration(to, totals, state.iteration % to.ring, state, changed);
}

}  // namespace centroid_lab::cuda

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

/// A cluster's features have `Lanes` neighbouring lanes, a power of two of which there are no fewer than features.
struct Coordinate {
  int cluster, feature;
  bool exists;

  __device__ __forceinline__ Coordinate(const FinishArguments& to, int item, int lanes)
      : cluster(item / lanes), feature(item % lanes), exists(cluster < to.k && feature < to.d) {}
  __device__ __forceinline__ int position(const FinishArguments& to) const { return cluster * to.d + feature; }
};

__device__ __forceinline__ CoordinateBefore read_coordinate(const FinishArguments& to, const Coordinate& own) {
  CoordinateBefore before{1, 0, 0, 0, 0};
  if (!own.exists) return before;
  before.count = __ldcg(to.counts + own.cluster);
  before.fixed = __ldcg(to.fixed_sums + own.position(to));
  before.centroid = __ldcg(to.centroids + own.position(to));
  before.unit = to.unit[own.feature];
  if (to.mean != nullptr) before.mean = to.mean[own.feature];
  return before;
}

/// As `finish_row`, a thread a coordinate. By whole warps.
template <int Lanes>
__device__ __forceinline__ RowTotals finish_coordinate(const FinishArguments& to, const Coordinate& own, const CoordinateBefore& before,
                                                       long long slot) {
  const double members = before.count;
  double inertia = 0, squared = 0, largest = 0;
  float after = before.centroid;
  if (own.exists && before.count > 0) {
    const double sum = __ll2double_rn(before.fixed) * before.unit;
    to.fixed_sums[own.position(to)] = 0;
    after = static_cast<float>(sum / members);
    if (to.mean != nullptr) inertia = inertia_of(before.centroid, before.mean, members, sum);
    const double change = static_cast<double>(after) - static_cast<double>(before.centroid);
    squared = __dmul_rn(change, change);
    largest = fabs(change);
    to.centroids[own.position(to)] = after;
  }
  if (own.exists && own.feature == 0) to.counts[own.cluster] = 0;
  if (own.exists && to.history != nullptr) to.history[static_cast<size_t>(slot) * to.k * to.d + own.position(to)] = after;
#pragma unroll
  for (int step = Lanes / 2; step > 0; step /= 2) {
    inertia += __shfl_xor_sync(0xffffffffU, inertia, step);
    squared += __shfl_xor_sync(0xffffffffU, squared, step);
    largest = fmax(largest, __shfl_xor_sync(0xffffffffU, largest, step));
  }
  return {inertia, squared, squared, largest, before.count == 0 ? 1 : 0};
}

/// Coordinates of a thread.
constexpr int few_turns = 2;

/// Completes an iteration by the block that comes last, for fixed-point sums of up to `few_turns` coordinates a thread, where a cluster
/// has as many as `Lanes`. By all threads of all blocks once their sums are added. `rows` is shared memory for k of them.
template <int Lanes>
__device__ inline void finish_few(const FinishArguments& to, RowTotals* rows) {
  static_assert(Lanes == 1 || Lanes == 2 || Lanes == 4, "the features of a cluster lie in one warp");
  if (to.state == nullptr || !arrive_last(*to.state)) return;
  CoordinateBefore before[few_turns];
  bool empty = false;
#pragma unroll
  for (int turn = 0; turn < few_turns; turn++) {
    before[turn] = read_coordinate(to, Coordinate(to, turn * blockDim.x + threadIdx.x, Lanes));
    empty |= before[turn].count == 0;
  }
  const RunState state = *to.state;
  const unsigned changed = *to.changed;
  if (__syncthreads_or(to.halt_on_empty && empty)) {
    if (threadIdx.x == 0) to.state->halted = empty_cluster;
    return;
  }
#pragma unroll
  for (int turn = 0; turn < few_turns; turn++) {
    const int item = turn * blockDim.x + threadIdx.x;
    if (item / 32 * 32 >= to.k * Lanes) continue;
    const Coordinate own(to, item, Lanes);
    const RowTotals row = finish_coordinate<Lanes>(to, own, before[turn], state.iteration % to.ring);
    if (own.exists && own.feature == 0) rows[own.cluster] = row;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const RowTotals totals = totals_of_rows(rows, to.k);
  if (threadIdx.x == 0) note_iteration(to, totals, state.iteration % to.ring, state, changed);
}

}  // namespace centroid_lab::cuda

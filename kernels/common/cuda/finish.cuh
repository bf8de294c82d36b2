// Device functions that complete an iteration; `finish.cu` launches them, persistent kernels call them themselves.
#pragma once

#include "finish.hpp"

namespace centroid_lab::cuda {

/// Threads of a block that works on rows; every function below is called by all of a block's threads.
constexpr int finish_threads = 256;

__device__ inline RowTotals no_totals() { return {0, 0, 0, 0, 0}; }

/// `later` must hold rows after those of `totals`: the order of float64 additions is part of the result.
__device__ inline void add_totals(RowTotals& totals, const RowTotals& later) {
  totals.inertia += later.inertia;
  totals.shift_squared += later.shift_squared;
  totals.max_squared_norm = fmax(totals.max_squared_norm, later.max_squared_norm);
  totals.max_coordinate = fmax(totals.max_coordinate, later.max_coordinate);
  totals.empty_clusters += later.empty_clusters;
}

/// The sum over a warp in a fixed order; every lane gets it.
__device__ inline double warp_sum(double value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

__device__ inline double warp_max(double value) {
  for (int step = 16; step > 0; step /= 2) value = fmax(value, __shfl_xor_sync(0xffffffffu, value, step));
  return value;
}

__device__ inline double take_sum(const FinishArguments& to, size_t at, int feature) {
  if (to.fixed_sums != nullptr) {
    const double sum = __ll2double_rn(to.fixed_sums[at]) * to.unit[feature];
    to.fixed_sums[at] = 0;
    return sum;
  }
  const double sum = to.real_sums[at];
  to.real_sums[at] = 0;
  return sum;
}

/// New centroid, shift and inertia of one cluster, by one warp. Takes its sums and leaves them zero; its count stays
/// until `conclude`, as other blocks may still look at it.
__device__ inline RowTotals finish_row(const FinishArguments& to, int cluster, long long slot) {
  const int lane = threadIdx.x % 32;
  const unsigned count = to.counts[cluster];
  const double members = count;
  double inertia = 0, squared = 0, largest = 0;
  for (int feature = lane; feature < to.d; feature += 32) {
    const size_t at = static_cast<size_t>(cluster) * to.d + feature;
    const float before = to.centroids[at];
    float after = before;
    if (count > 0) {
      const double sum = take_sum(to, at, feature);
      after = static_cast<float>(sum / members);
      if (to.mean != nullptr) {
        const double centre = before - to.mean[feature];
        inertia += centre * (members * centre - 2 * (sum - members * to.mean[feature]));
      }
      const double change = static_cast<double>(after) - static_cast<double>(before);
      squared += change * change;
      largest = fmax(largest, fabs(change));
      to.centroids[at] = after;
    }
    if (to.history != nullptr) to.history[static_cast<size_t>(slot) * to.k * to.d + at] = after;
  }
  squared = warp_sum(squared);
  return {warp_sum(inertia), squared, squared, warp_max(largest), count == 0 ? 1 : 0};
}

/// Rows first .. last - 1, added in their order. `shared` holds a RowTotals for each warp of the block. All threads
/// get the answer; the block is synchronised on return.
__device__ inline RowTotals finish_rows(const FinishArguments& to, int first, int last, long long slot,
                                        RowTotals* shared) {
  const int warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  const int share = (last - first + warps - 1) / warps;
  RowTotals totals = no_totals();
  for (int row = first + warp * share; row < min(last, first + (warp + 1) * share); row++) {
    add_totals(totals, finish_row(to, row, slot));
  }
  if (threadIdx.x % 32 == 0) shared[warp] = totals;
  __syncthreads();
  totals = no_totals();
  for (int other = 0; other < warps; other++) add_totals(totals, shared[other]);
  __syncthreads();
  return totals;
}

/// Whether the iteration must be left to the host: it has an empty cluster and the policy is not `keep`. All threads
/// of the block get the answer.
__device__ inline bool has_empty_cluster(const FinishArguments& to) {
  if (!to.halt_on_empty) return false;
  bool empty = false;
  for (int cluster = threadIdx.x; cluster < to.k; cluster += blockDim.x) empty |= to.counts[cluster] == 0;
  return __syncthreads_or(empty) != 0;
}

__device__ inline bool rule_is_met(const FinishArguments& to, const FinishedIteration& done) {
  if (to.stop == StopRule::none) return false;
  if (done.max_coordinate == 0) return true;
  switch (to.stop) {
    case StopRule::relative_shift:
      return done.shift_squared <= to.threshold;
    case StopRule::coordinate_shift:
      return done.max_coordinate <= to.threshold;
    case StopRule::inertia:
      return done.iteration > 1 && to.state->inertia_before - done.inertia < to.threshold;
    case StopRule::labels:
      return static_cast<double>(done.changed) <= to.threshold * static_cast<double>(to.n);
    case StopRule::none:
      break;
  }
  return false;
}

/// Notes the iteration in its slot of the ring and decides whether to go on, by one thread. @param before the state so far.
/// @param changed labels that changed.
__device__ inline void note_iteration(const FinishArguments& to, const RowTotals& totals, long long slot, const RunState& before,
                                      unsigned changed) {
  FinishedIteration done;
  done.iteration = before.iteration + 1;
  done.inertia = to.mean == nullptr ? -1 : fmax(0.0, to.squares + totals.inertia);
  done.shift_squared = totals.shift_squared;
  done.max_squared_norm = totals.max_squared_norm;
  done.max_coordinate = totals.max_coordinate;
  done.changed = done.iteration == 1 ? to.n : static_cast<long long>(changed);
  done.empty_clusters = totals.empty_clusters;
  const bool met = rule_is_met(to, done);
  done.rule_met = met ? 1 : 0;
  to.finished[slot] = done;
  *to.changed = 0;
  to.state->inertia_before = done.inertia;
  to.state->iteration = done.iteration;
  if (met) to.state->halted = rule_met;
  else if (done.iteration >= before.limit) to.state->halted = limit_reached;
}

__device__ inline void note_iteration(const FinishArguments& to, const RowTotals& totals, long long slot) {
  note_iteration(to, totals, slot, *to.state, *to.changed);
}

/// True for the whole block that comes last of all; what the others wrote is then seen by it.
__device__ inline bool arrive_last(RunState& state) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(&state.ticket, 1) == gridDim.x - 1;
    if (is_last) state.ticket = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

/// The last of an iteration, by all threads of one block, after the rows of all blocks are done.
__device__ inline void conclude(const FinishArguments& to, const RowTotals& totals) {
  for (int cluster = threadIdx.x; cluster < to.k; cluster += blockDim.x) to.counts[cluster] = 0;
  if (threadIdx.x == 0) note_iteration(to, totals, to.state->iteration % to.ring);
}

/// Completes an iteration of few clusters by the block that comes last of a kernel's; called by all threads of all blocks once
/// their sums are added. `shared` holds a RowTotals for each warp.
__device__ inline void finish_by_last(const FinishArguments& to, RowTotals* shared) {
  if (!arrive_last(*to.state)) return;
  if (has_empty_cluster(to)) {
    if (threadIdx.x == 0) to.state->halted = empty_cluster;
    return;
  }
  conclude(to, finish_rows(to, 0, to.k, to.state->iteration % to.ring, shared));
}

}  // namespace centroid_lab::cuda

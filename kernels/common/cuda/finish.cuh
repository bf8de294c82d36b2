// Device functions that complete an iteration; `finish.cu` launches them, persistent kernels call them themselves.
#pragma once

#include "finish.hpp"

namespace centroid_lab::cuda {

/// Threads of a block that works on rows; every function below is called by all of a block's threads.
constexpr int finish_threads = 256;
/// Features of a lane that are on their way together.
constexpr int finish_together = 4;

__device__ inline RowTotals no_totals() { return {0, 0, 0, 0, 0}; }

/// `later` must hold rows after those of `totals` in a lane: the order of float64 additions is part of the result.
__device__ inline void add_totals(RowTotals& totals, const RowTotals& later) {
  totals.inertia += later.inertia;
  totals.shift_squared += later.shift_squared;
  totals.max_squared_norm = fmax(totals.max_squared_norm, later.max_squared_norm);
  totals.max_coordinate = fmax(totals.max_coordinate, later.max_coordinate);
  totals.empty_clusters += later.empty_clusters;
}

/// What a coordinate of a cluster adds to J: see inertia_from_sums of common/moments.cpp. Nothing is contracted.
__device__ inline double inertia_of(float centroid, double mean, double members, double sum) {
  const double centre = __dsub_rn(centroid, mean);
  const double others = __dsub_rn(sum, __dmul_rn(members, mean));
  return __dmul_rn(centre, __dsub_rn(__dmul_rn(members, centre), __dmul_rn(2, others)));
}

/// The sum over a warp by halves, as the contract orders it; every lane gets it.
__device__ inline double warp_sum(double value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

__device__ inline double warp_max(double value) {
  for (int step = 16; step > 0; step /= 2) value = fmax(value, __shfl_xor_sync(0xffffffffu, value, step));
  return value;
}

__device__ inline double sum_at(const FinishArguments& to, size_t at, int feature) {
  return to.fixed_sums != nullptr ? __ll2double_rn(to.fixed_sums[at]) * to.unit[feature] : to.real_sums[at];
}

__device__ inline void clear_sum(const FinishArguments& to, size_t at) {
  if (to.keeps_sums) return;
  if (to.fixed_sums != nullptr) to.fixed_sums[at] = 0;
  else to.real_sums[at] = 0;
}

/// New centroid, shift and inertia of one cluster, by one warp. Takes its sums and leaves them zero; its count stays
/// until `conclude`, as other blocks may still look at it.
__device__ inline RowTotals finish_row(const FinishArguments& to, int cluster, long long slot) {
  const int lane = threadIdx.x % 32;
  const unsigned count = to.counts[cluster];
  const double members = count;
  double inertia = 0, squared = 0, largest = 0;
  for (int first = lane; first < to.d; first += 32 * finish_together) {
    double sums[finish_together], means[finish_together];
    float befores[finish_together];
    // Side by side: answers take long.
#pragma unroll
    for (int i = 0; i < finish_together; i++) {
      const int feature = first + 32 * i;
      const size_t at = static_cast<size_t>(cluster) * to.d + feature;
      const bool exists = feature < to.d;
      befores[i] = exists ? to.centroids[at] : 0;
      sums[i] = exists && count > 0 ? sum_at(to, at, feature) : 0;
      means[i] = exists && to.mean != nullptr ? to.mean[feature] : 0;
    }
#pragma unroll
    for (int i = 0; i < finish_together; i++) {
      const int feature = first + 32 * i;
      if (feature >= to.d) break;
      const size_t at = static_cast<size_t>(cluster) * to.d + feature;
      float after = befores[i];
      if (count > 0) {
        after = static_cast<float>(sums[i] / members);
        if (to.mean != nullptr) inertia += inertia_of(befores[i], means[i], members, sums[i]);
        const double change = static_cast<double>(after) - static_cast<double>(befores[i]);
        squared = __dadd_rn(squared, __dmul_rn(change, change));
        largest = fmax(largest, fabs(change));
        to.centroids[at] = after;
        clear_sum(to, at);
      }
      if (to.history != nullptr) to.history[static_cast<size_t>(slot) * to.k * to.d + at] = after;
    }
  }
  squared = warp_sum(squared);
  return {warp_sum(inertia), squared, squared, warp_max(largest), count == 0 ? 1 : 0};
}

/// Completes rows first .. last - 1, whose figures go to `to.totals`.
__device__ inline void finish_rows(const FinishArguments& to, int first, int last, long long slot) {
  const int warps = static_cast<int>(blockDim.x) / 32;
  for (int row = first + static_cast<int>(threadIdx.x) / 32; row < last; row += warps) {
    const RowTotals totals = finish_row(to, row, slot);
    if (threadIdx.x % 32 == 0) to.totals[row] = totals;
  }
}

/// The figures of a warp's lanes together.
__device__ inline RowTotals totals_of_warp(RowTotals totals) {
  totals.inertia = warp_sum(totals.inertia);
  totals.shift_squared = warp_sum(totals.shift_squared);
  totals.max_squared_norm = warp_max(totals.max_squared_norm);
  totals.max_coordinate = warp_max(totals.max_coordinate);
  for (int step = 16; step > 0; step /= 2) totals.empty_clusters += __shfl_xor_sync(0xffffffffU, totals.empty_clusters, step);
  return totals;
}

/// Of all `count` rows, as the contract orders sums over clusters; by one warp.
__device__ inline RowTotals totals_of_rows(const RowTotals* rows, int count) {
  RowTotals totals = no_totals();
#pragma unroll 4
  for (int row = static_cast<int>(threadIdx.x % 32); row < count; row += 32) add_totals(totals, rows[row]);
  return totals_of_warp(totals);
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
__device__ inline void conclude(const FinishArguments& to) {
  for (int cluster = threadIdx.x; cluster < to.k && !to.keeps_sums; cluster += blockDim.x) to.counts[cluster] = 0;
  if (threadIdx.x >= 32) return;
  const RowTotals totals = totals_of_rows(to.totals, to.k);
  if (threadIdx.x == 0) note_iteration(to, totals, to.state->iteration % to.ring);
}

/// A whole iteration, by all threads of one block that comes after all others: few clusters, or it takes longer than another launch.
__device__ inline void complete_alone(const FinishArguments& to) {
  if (has_empty_cluster(to)) {
    if (threadIdx.x == 0) to.state->halted = empty_cluster;
    return;
  }
  finish_rows(to, 0, to.k, to.state->iteration % to.ring);
  __syncthreads();
  conclude(to);
}

}  // namespace centroid_lab::cuda

// Running sums of float64 numbers, each addition rounded as if one thread added them in order, by a whole thread block at once.
//
// While the sum stays between two powers of two, it is a whole number of steps of one size. Adding a value then adds a whole number of
// steps too: the value over the step, rounded. Only a value half way between two steps asks whether the sum is even or odd. A value
// is thus a function of that parity, such functions compose, and a scan composes them all. Where the sum passes a power of two, one
// addition is made as it stands, and the scan goes on from there with the next size of step.
#pragma once

#include <cuda_runtime_api.h>

#include "seeding_points.cuh"

namespace centroid_lab::cuda {

/// Values that one call sums at most, four a thread.
constexpr int ordered_values = 4 * seeding_threads;

/// What one or more values add to an even sum and to an odd one, a whole number of steps; at the next power of two all is lost anyway.
struct Steps {
  double even = 0;
  double odd = 0;
};

/// The steps of a sum: it is at least `power`, two to some power, and below twice that; a step is the last bit of both.
struct Grid {
  double power;
  double step;

  /// Whether so many steps are an odd number: added to the power they show in its last bit.
  __device__ __forceinline__ bool odd(double steps) const { return (__double2loint(__dadd_rn(power, steps)) & 1) != 0; }
  /// Additions round to whole steps, half ones to the even sum.
  __device__ __forceinline__ Steps of(double value) const {
    const double after = __dadd_rn(power, step);
    return {__dsub_rn(__dadd_rn(power, value), power), __dsub_rn(__dadd_rn(after, value), after)};
  }
  __device__ __forceinline__ Steps then(const Steps& first, const Steps& second) const {
    return {__dadd_rn(first.even, odd(first.even) ? second.odd : second.even),
            __dadd_rn(first.odd, odd(first.odd) ? second.even : second.odd)};
  }
};

__device__ __forceinline__ Steps from_lane_below(const Steps& steps, int by) {
  return {__shfl_up_sync(0xffffffffu, steps.even, by), __shfl_up_sync(0xffffffffu, steps.odd, by)};
}

/// What a thread's predecessors in the block add together.
__device__ __forceinline__ Steps steps_before(const Grid& grid, Steps own) {
  constexpr int warps = seeding_threads / 32;
  __shared__ Steps of_warp[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const Steps together = grid.then(from_lane_below(own, by), own);
    if (lane >= by) own = together;
  }
  Steps before = from_lane_below(own, 1);
  if (lane == 0) before = {};
  if (lane == 31) of_warp[warp] = own;
  __syncthreads();
  // Warps in the lanes, once more.
  Steps warps_before = lane < warps ? of_warp[lane] : Steps{};
#pragma unroll
  for (int by = 1; by < warps; by *= 2) {
    const Steps together = grid.then(from_lane_below(warps_before, by), warps_before);
    if (lane >= by) warps_before = together;
  }
  const int last = warp > 0 ? warp - 1 : 0;
  Steps of_warps{__shfl_sync(0xffffffffu, warps_before.even, last), __shfl_sync(0xffffffffu, warps_before.odd, last)};
  if (warp == 0) of_warps = {};
  return grid.then(of_warps, before);
}

/// Additions one by one by thread 0, while the sum is young and doubles again and again. @returns the sum to all.
__device__ __forceinline__ double add_in_turn(double sum, const double* values, int first, int last, double* running) {
  constexpr int ahead = 8;
  if (threadIdx.x == 0) {
    int i = first;
    for (; i + ahead <= last; i += ahead) {
      double some[ahead];
#pragma unroll
      for (int l = 0; l < ahead; l++) some[l] = values[i + l];
#pragma unroll
      for (int l = 0; l < ahead; l++) some[l] = sum = __dadd_rn(sum, some[l]);
#pragma unroll
      for (int l = 0; l < ahead; l++) running[i + l] = some[l];
    }
    for (; i < last; i++) running[i] = sum = __dadd_rn(sum, values[i]);
  }
  __syncthreads();
  return running[last - 1];
}

/// running[i] = start + values[0] + ... + values[i], added in that order, by the whole block.
/// @param values (count) at least 0, either 0 or far from where float64 ends, at most `ordered_values`; in shared memory like `running`.
__device__ __forceinline__ void ordered_sums(double start, const double* values, int count, double* running) {
  constexpr int in_turn = 128;
  constexpr int own = ordered_values / seeding_threads;
  __shared__ int passing;
  double sum = start;
  for (int at = 0; at < count;) {
    if (sum == 0) {
      const int until = min(count, at + in_turn);
      sum = add_in_turn(sum, values, at, until, running);
      at = until;
      continue;
    }
    const long long bits = __double_as_longlong(sum);
    const Grid grid{__longlong_as_double(bits >> 52 << 52), __longlong_as_double(((bits >> 52) - 52) << 52)};
    Steps inclusive[own];
    Steps all;
#pragma unroll
    for (int l = 0; l < own; l++) {
      const int i = threadIdx.x * own + l;
      if (i >= at && i < count) all = grid.then(all, grid.of(values[i]));
      inclusive[l] = all;
    }
    if (threadIdx.x == 0) passing = count;
    const Steps before = steps_before(grid, all);
    int first_passing = count;
#pragma unroll
    for (int l = own - 1; l >= 0; l--) {
      const int i = threadIdx.x * own + l;
      if (i < at || i >= count) continue;
      const Steps steps = grid.then(before, inclusive[l]);
      const double reached = __dadd_rn(sum, (bits & 1) != 0 ? steps.odd : steps.even);
      if (reached >= 2 * grid.power) first_passing = i;
      else running[i] = reached;
    }
    if (first_passing < count) atomicMin(&passing, first_passing);
    __syncthreads();
    const int until = passing;
    if (until > at) sum = running[until - 1];
    if (until < count) sum = __dadd_rn(sum, values[until]);
    at = until + 1;
    __syncthreads();
    if (until < count && threadIdx.x == 0) running[until] = sum;
  }
  __syncthreads();
}

}  // namespace centroid_lab::cuda

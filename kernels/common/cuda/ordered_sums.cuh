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

/// Steps that one or more values add to an even sum and to an odd one; what passes the next power of two anyway is cut.
struct Steps {
  long long even = 0;
  long long odd = 0;
};

constexpr long long steps_to_pass = 1ll << 53;

__device__ __forceinline__ Steps then(const Steps& first, const Steps& second) {
  const long long even = first.even + ((first.even & 1) != 0 ? second.odd : second.even);
  const long long odd = first.odd + ((first.odd & 1) != 0 ? second.even : second.odd);
  return {even < steps_to_pass ? even : steps_to_pass, odd < steps_to_pass ? odd : steps_to_pass};
}

/// @param value in steps, not rounded.
__device__ __forceinline__ Steps steps_of(double value) {
  if (!(value < static_cast<double>(steps_to_pass))) return {steps_to_pass, steps_to_pass};
  const long long whole = __double2ll_rd(value);
  const double rest = value - static_cast<double>(whole);
  if (rest < 0.5) return {whole, whole};
  if (rest > 0.5) return {whole + 1, whole + 1};
  // To the even one of the two.
  return {whole + (whole & 1), whole + 1 - (whole & 1)};
}

__device__ __forceinline__ Steps from_lane_below(const Steps& steps, int by) {
  return {__shfl_up_sync(0xffffffffu, steps.even, by), __shfl_up_sync(0xffffffffu, steps.odd, by)};
}

/// What a thread's predecessors in the block add together.
__device__ __forceinline__ Steps steps_before(Steps own) {
  constexpr int warps = seeding_threads / 32;
  __shared__ Steps of_warp[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int by = 1; by < 32; by *= 2) {
    const Steps below = from_lane_below(own, by);
    if (lane >= by) own = then(below, own);
  }
  Steps before = from_lane_below(own, 1);
  if (lane == 0) before = {};
  if (lane == 31) of_warp[warp] = own;
  __syncthreads();
  Steps of_warps;
  for (int w = 0; w < warp; w++) of_warps = then(of_warps, of_warp[w]);
  return then(of_warps, before);
}

/// Additions one by one by thread 0, while the sum is young and doubles again and again. @returns the sum to all.
__device__ __forceinline__ double add_in_turn(double sum, const double* values, int first, int last, double* running) {
  if (threadIdx.x == 0) {
    for (int i = first; i < last; i++) running[i] = sum = __dadd_rn(sum, values[i]);
  }
  __syncthreads();
  return running[last - 1];
}

/// running[i] = start + values[0] + ... + values[i], added in that order, by the whole block.
/// @param values (count) at least 0, either 0 or far from where float64 ends, at most `ordered_values`; in shared memory like `running`.
__device__ __forceinline__ void ordered_sums(double start, const double* values, int count, double* running) {
  constexpr int in_turn = 64;
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
    // 2^52 / (the power of two below the sum), and the other way round.
    const double to_steps = __longlong_as_double((2 * 1023ll + 52 - (bits >> 52)) << 52);
    const double to_value = __longlong_as_double(((bits >> 52) - 52) << 52);
    const long long sum_steps = (bits & ((1ll << 52) - 1)) | (1ll << 52);
    Steps inclusive[own];
    Steps all;
#pragma unroll
    for (int l = 0; l < own; l++) {
      const int i = threadIdx.x * own + l;
      if (i >= at && i < count) all = then(all, steps_of(values[i] * to_steps));
      inclusive[l] = all;
    }
    if (threadIdx.x == 0) passing = count;
    const Steps before = steps_before(all);
    int first_passing = count;
#pragma unroll
    for (int l = own - 1; l >= 0; l--) {
      const int i = threadIdx.x * own + l;
      if (i < at || i >= count) continue;
      const Steps steps = then(before, inclusive[l]);
      const long long reached = sum_steps + ((sum_steps & 1) != 0 ? steps.odd : steps.even);
      if (reached >= steps_to_pass) first_passing = i;
      else running[i] = static_cast<double>(reached) * to_value;
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

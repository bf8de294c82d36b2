// The sums of the candidates of a round. Float64 decides wherever something cheaper cannot:
//
// Float32 s = sum (x - c)^2, with fused additions, against the exact sum t. A difference is rounded once, its square is in s to
// twice that, each of the d additions is rounded once: s <= t (1 + u)^(d+2) + d 2^-149, u = 2^-24, the last term for results below
// the normal numbers. The float64 distance is at least t (1 - u^2)^(d+2). So it is at least s (1 - (d+3) u) - d 2^-148, and
// where that is D2 or more, the candidate leaves D2 as it is. Where s overflows, the largest float32 stands for it.
//
// Bytes, where points have a sketch (seeding_sketch.hpp): a point is within its error of what its bytes say, so |x - c| is at least
// the distance that the bytes say, less both errors. The bytes' distance is a whole number of steps, squared, and exact.
//
// The triangle inequality, for a point whose nearest centre m is known: where |c - m| >= 2 |x - m|, |x - c| >= |x - m|. With
// |c - m|^2 / 4 lower by 2^-20, which is more than all float64 roundings of up to 2^30 features, the float64 distances are in that
// order too. Most points are passed over that way where the points lie in clusters or have few features.
#pragma once

#include <cfloat>
#include <climits>

#include "greedy_state.cuh"

namespace centroid_lab::cuda {
namespace {

/// Brings the thread's own points to the centres chosen so far, and writes down what changes.
__device__ void settle(const Greedy& g, int round, std::size_t block, Own& points, std::uint16_t* list, double* values) {
  const std::size_t first = block * block_points + threadIdx.x * own;
  load_distances(g.at.nearest, first, points.nearest);
  const int4 centres = *reinterpret_cast<const int4*>(g.nearest_centre + first);
  points.centre[0] = centres.x, points.centre[1] = centres.y, points.centre[2] = centres.z, points.centre[3] = centres.w;
  if (round == 0) return;
  const unsigned lowered = lower_to_latest(g, round - 1, block, *g.best, points.nearest, list, values);
#pragma unroll
  for (int l = 0; l < own; l++) {
    if (((lowered >> l) & 1) == 0) continue;
    g.at.nearest[first + l] = points.nearest[l];
    g.nearest_centre[first + l] = points.centre[l] = round - 1;
  }
}

/// For each own point the candidates that may lower its D2, by float32 distances of all of them.
template <int C>
__device__ __forceinline__ void compare_all(const Greedy& g, std::size_t block, const float* candidates,
                                            const float (&bounds)[own], unsigned (&undecided)[own]) {
  const float* point = g.x.of_block(block) + threadIdx.x * own;
  float sums[own][C];
#pragma unroll
  for (int l = 0; l < own; l++) {
#pragma unroll
    for (int c = 0; c < C; c++) sums[l][c] = 0;
  }
#pragma unroll 4
  for (int j = 0; j < g.x.d; j++) {
    const float4 four = *reinterpret_cast<const float4*>(point + j * block_points);
    const float coordinates[own] = {four.x, four.y, four.z, four.w};
    float others[(C + 3) / 4 * 4];
#pragma unroll
    for (int c = 0; c < C; c += 4) {
      const float4 some = *reinterpret_cast<const float4*>(candidates + j * candidate_stride + c);
      others[c] = some.x, others[c + 1] = some.y, others[c + 2] = some.z, others[c + 3] = some.w;
    }
#pragma unroll
    for (int l = 0; l < own; l++) {
#pragma unroll
      for (int c = 0; c < C; c++) {
        const float difference = coordinates[l] - others[c];
        sums[l][c] = fmaf(difference, difference, sums[l][c]);
      }
    }
  }
#pragma unroll
  for (int l = 0; l < own; l++) {
    unsigned near = 0;
#pragma unroll
    for (int c = 0; c < C; c++) {
      // A bound that is not a number decides nothing.
      if (!(sums[l][c] >= bounds[l])) near |= 1u << c;
    }
    undecided[l] &= near;
  }
}

/// Squared steps between bytes from which on a point is no nearer to any candidate than `nearest`, with room for float64's roundings.
__device__ __forceinline__ int enough_steps(double nearest, float errors, float size) {
  const float away = __fadd_ru(__fsqrt_ru(__fmul_ru(__double2float_ru(nearest), 1 + 0x1p-19f)), errors);
  const float steps = __fdiv_ru(away, size);
  const float squared = __fmul_ru(steps, steps);
  // Neither what is infinite nor what is no number is ever enough.
  return squared < 0x1p30f ? __float2int_ru(squared) : INT_MAX;
}

/// For each own point the candidates that may lower its D2, by the bytes of all of them.
template <int C>
__device__ __forceinline__ void compare_bytes(const Greedy& g, int round, std::size_t block, const double (&nearest)[own],
                                              unsigned (&undecided)[own]) {
  const std::uint32_t* point = g.sketch.of_block(block) + threadIdx.x * own;
  const std::uint32_t* candidates = g.words_of(round);
  int products[own][C] = {};
#pragma unroll 4
  for (int w = 0; w < g.sketch.words_a_point; w++) {
    const uint4 four = *reinterpret_cast<const uint4*>(point + w * block_points);
    const int words[own] = {static_cast<int>(four.x), static_cast<int>(four.y), static_cast<int>(four.z), static_cast<int>(four.w)};
    int others[(C + 3) / 4 * 4];
#pragma unroll
    for (int c = 0; c < C; c += 4) {
      const int4 some = *reinterpret_cast<const int4*>(candidates + w * candidate_stride + c);
      others[c] = some.x, others[c + 1] = some.y, others[c + 2] = some.z, others[c + 3] = some.w;
    }
#pragma unroll
    for (int l = 0; l < own; l++) {
#pragma unroll
      for (int c = 0; c < C; c++) products[l][c] = __dp4a(words[l], others[c], products[l][c]);
    }
  }
  const int* squares = g.candidate_squares + (round & 1) * candidate_stride;
  const float* errors = g.candidate_errors + (round & 1) * candidate_stride;
  float error = 0;
  for (int c = 0; c < g.count; c++) error = fmaxf(error, errors[c]);
#pragma unroll
  for (int l = 0; l < own; l++) {
    const std::size_t i = block * block_points + threadIdx.x * own + l;
    const int enough = enough_steps(nearest[l], __fadd_ru(g.sketch.errors[i], error), *g.sketch.size);
    unsigned near = 0;
#pragma unroll
    for (int c = 0; c < C; c++) {
      if (g.sketch.squares[i] + squares[c] - 2 * products[l][c] < enough) near |= 1u << c;
    }
    undecided[l] &= near;
  }
}

__device__ __forceinline__ bool any(const unsigned (&undecided)[own]) {
  return (undecided[0] | undecided[1] | undecided[2] | undecided[3]) != 0;
}

/// For each own point the candidates that may lower its D2: `undecided` comes with those to look at, all or none.
template <int C>
__device__ __forceinline__ void narrow(const Greedy& g, int round, std::size_t block, const Own& points,
                                       unsigned (&undecided)[own]) {
  if (__syncthreads_count(any(undecided)) >= many_threads) {
    if (g.sketch.words != nullptr && round > 0) {
      if (any(undecided)) compare_bytes<C>(g, round, block, points.nearest, undecided);
      if (__syncthreads_count(any(undecided)) < many_threads) return;
    }
    float bounds[own];
#pragma unroll
    for (int l = 0; l < own; l++) {
      const float bound = __fmaf_ru(__double2float_ru(points.nearest[l]), g.margin.grow, g.margin.slack);
      bounds[l] = bound <= FLT_MAX ? bound : NAN;
    }
    if (any(undecided)) compare_all<C>(g, block, g.candidates_of(round), bounds, undecided);
    return;
  }
#pragma unroll
  for (int l = 0; l < own; l++) {
    if (undecided[l] == 0) continue;
    const float nearest = __double2float_ru(points.nearest[l]);
    const float* reaches = g.reaches + static_cast<std::size_t>(points.centre[l]) * candidate_stride;
#pragma unroll
    for (int c = 0; c < C; c++) {
      if (nearest <= reaches[c]) undecided[l] &= ~(1u << c);
    }
  }
}

/// Sums of up to four candidates of a block, from `first` on: D2 wherever no distance is smaller. By the whole block.
/// @param undecided comes with the candidates to look at and goes with those that lower D2.
__device__ __forceinline__ void sum_candidates(const Greedy& g, std::size_t block, const float* candidates, int first, int count,
                                               const Own& points, unsigned (&undecided)[own], std::uint16_t* list,
                                               double* values) {
  __shared__ int listed;
  constexpr unsigned four = (1u << together) - 1;
  const int mine = threadIdx.x * own;
  unsigned pairs = 0;
#pragma unroll
  for (int l = 0; l < own; l++) pairs |= ((undecided[l] >> first) & four) << (l * together);
  if (threadIdx.x == 0) listed = 0;
  if (__syncthreads_or(pairs != 0) == 0) {
    if (threadIdx.x < count) g.sums[(first + threadIdx.x) * g.at.blocks + block] = g.at.block_sums[block];
    return;
  }
#pragma unroll
  for (int c = 0; c < together; c++) {
    double2* to = reinterpret_cast<double2*>(values + c * value_stride + mine);
    to[0] = make_double2(points.nearest[0], points.nearest[1]);
    to[1] = make_double2(points.nearest[2], points.nearest[3]);
  }
  if (pairs != 0) {
    int to = atomicAdd(&listed, __popc(pairs));
    for (unsigned left = pairs; left != 0; left &= left - 1) {
      const int bit = __ffs(static_cast<int>(left)) - 1;
      list[to++] = static_cast<std::uint16_t>((bit % together) * block_points + mine + bit / together);
    }
  }
  __syncthreads();
  const int here = listed;
  for (int at = threadIdx.x; at < here; at += threads) {
    const int c = list[at] / block_points, p = list[at] % block_points;
    const double distance = exact_distance(g.x.of_block(block) + p, candidates + first + c, g.x.d);
    double& value = values[c * value_stride + p];
    if (distance < value) value = distance;
  }
  __syncthreads();
  if (pairs != 0) {
#pragma unroll
    for (int l = 0; l < own; l++) {
#pragma unroll
      for (int c = 0; c < together; c++) {
        if (!(values[c * value_stride + mine + l] < points.nearest[l])) undecided[l] &= ~(1u << (first + c));
      }
    }
  }
  if (threadIdx.x < together * sum_lanes) {
    const int c = threadIdx.x / sum_lanes, lane = threadIdx.x % sum_lanes;
    const double sum = lane_sum(values + c * value_stride, g.x.points_of(block), lane);
    if (lane == 0 && c < count) g.sums[(first + c) * g.at.blocks + block] = sum;
  }
  __syncthreads();
}

__device__ __forceinline__ void note_improved(const Greedy& g, std::size_t block, const unsigned (&improved)[own]) {
  __shared__ unsigned all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  if (any(improved)) atomicOr(&all, improved[0] | improved[1] | improved[2] | improved[3]);
  __syncthreads();
  if (threadIdx.x == 0) g.improving[block] = static_cast<std::uint16_t>(all);
  if (all == 0) return;
  const auto bits = [&](int l) { return static_cast<unsigned short>(improved[l]); };
  *reinterpret_cast<ushort4*>(g.improved + block * block_points + threadIdx.x * own) =
      make_ushort4(bits(0), bits(1), bits(2), bits(3));
}

/// The sums of every candidate, a block of points each; before that, the block's points are brought to the latest centre.
template <int C>
__global__ void __launch_bounds__(threads) sift(Greedy g, int round) {
  __shared__ __align__(16) double values[together * value_stride];
  __shared__ std::uint16_t list[together * block_points];
  await_earlier();
  if (!running(g, round)) return;
  let_next_begin();
  const std::size_t block = blockIdx.x;
  const int count = candidates_in(g, round);
  Own points;
  settle(g, round, block, points, list, values);
  // The sum that this block had with the candidate that became a centre.
  if (threadIdx.x == 0 && round > 0) g.at.block_sums[block] = g.sums[*g.best * g.at.blocks + block];
  unsigned undecided[own];
#pragma unroll
  for (int l = 0; l < own; l++) {
    const bool passed_over = __double2float_ru(points.nearest[l]) <= g.least_reaches[points.centre[l]];
    undecided[l] = passed_over ? 0 : (1u << count) - 1;
  }
  narrow<C>(g, round, block, points, undecided);
  for (int first = 0; first < count; first += together) {
    sum_candidates(g, block, g.candidates_of(round), first, min(together, count - first), points, undecided, list, values);
  }
  note_improved(g, block, undecided);
}

}  // namespace
}  // namespace centroid_lab::cuda

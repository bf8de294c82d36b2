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
__device__ void lower_distances(const Greedy& g, int round, std::size_t block, Own& points, std::uint16_t* list, double* values) {
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
  if (__syncthreads_count(any(undecided)) >= many_threads || g.x.d <= few_features) {
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

/// Shared memory of `filter`.
struct Room {
  __align__(16) double values[together * value_stride];
  std::uint16_t list[together * block_points];
};

/// Pairs of a block, a point and a candidate each, in the order of the candidates: their distances lie side by side, and what
/// lies where is found by counting bits.
struct Pairs {
  /// Pairs that there is room for.
  static constexpr int most = 2 * block_points;
  /// [candidate][warp][own point] a bit a lane: point 128 warp + 4 lane + own.
  std::uint32_t bits[max_candidates * block_points / 32];
  std::uint16_t first[max_candidates * block_points / 32];
};
static_assert((block_points + Pairs::most) * sizeof(double) + sizeof(Pairs) <= sizeof(Room::values));
static_assert(Pairs::most <= together * block_points);

/// How many values precede a thread's own among those of the block, and how many there are; by the whole block.
__device__ __forceinline__ int count_before(int value, int& all) {
  constexpr int warps = threads / 32;
  __shared__ int of_warp[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int until = value;
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, until, by);
    if (lane >= by) until += below;
  }
  if (lane == 31) of_warp[warp] = until;
  __syncthreads();
  int before = until - value;
  all = 0;
#pragma unroll
  for (int w = 0; w < warps; w++) {
    if (w == warp) before += all;
    all += of_warp[w];
  }
  return before;
}

/// Numbers the undecided pairs. @returns how many there are; by the whole block.
template <int C>
__device__ __forceinline__ int number_pairs(const unsigned (&undecided)[own], Pairs& pairs) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int c = 0; c < C; c++) {
#pragma unroll
    for (int l = 0; l < own; l++) {
      const unsigned bits = __ballot_sync(0xffffffffu, ((undecided[l] >> c) & 1) != 0);
      if (lane == (c * own + l) % 32) pairs.bits[c * 32 + warp * own + l] = bits;
    }
  }
  __syncthreads();
  constexpr int mine = (C * 32 + threads - 1) / threads;
  int counts[mine], sum = 0, all = 0;
#pragma unroll
  for (int w = 0; w < mine; w++) {
    const int word = threadIdx.x * mine + w;
    counts[w] = word < C * 32 ? __popc(pairs.bits[word]) : 0;
    sum += counts[w];
  }
  int before = count_before(sum, all);
#pragma unroll
  for (int w = 0; w < mine; w++) {
    const int word = threadIdx.x * mine + w;
    if (word < C * 32) pairs.first[word] = static_cast<std::uint16_t>(min(before, Pairs::most));
    before += counts[w];
  }
  return all;
}

/// Calls visit(own point, candidate, number) for a thread's own undecided pairs.
template <int C, class Visit>
__device__ __forceinline__ void for_each_pair(const unsigned (&undecided)[own], const Pairs& pairs, const Visit& visit) {
  if (!any(undecided)) return;
  const unsigned below = (1u << threadIdx.x % 32) - 1;
#pragma unroll
  for (int l = 0; l < own; l++) {
#pragma unroll
    for (int c = 0; c < C; c++) {
      if (((undecided[l] >> c) & 1) == 0) continue;
      const int word = c * 32 + threadIdx.x / 32 * own + l;
      visit(l, c, pairs.first[word] + __popc(pairs.bits[word] & below));
    }
  }
}

/// The sum of a block with a candidate: `nearest` but for the candidate's pairs. By eight threads side by side, by whole warps.
__device__ __forceinline__ double sum_with(const double* nearest, const double* distances, const Pairs& pairs, int candidate,
                                           int lane) {
  double sum = 0;
  for (int warp = 0; warp < threads / 32; warp++) {
    const int word = candidate * 32 + warp * own + lane % own;
    const unsigned bits = pairs.bits[word] >> lane / own;
    const double* from = nearest + warp * 32 * own + lane;
    double values[16];
#pragma unroll
    for (int s = 0; s < 16; s++) values[s] = from[s * sum_lanes];
    if ((bits & 0x55555555u) != 0) {
#pragma unroll
      for (int s = 0; s < 16; s++) {
        const unsigned below = (1u << (2 * s + lane / own)) - 1;
        if (((bits >> (2 * s)) & 1) != 0) values[s] = distances[pairs.first[word] + __popc(pairs.bits[word] & below)];
      }
    }
#pragma unroll
    for (int s = 0; s < 16; s++) sum = __dadd_rn(sum, values[s]);
  }
  for (int step = 1; step < sum_lanes; step *= 2) sum = __dadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, step));
  return sum;
}

/// Sums of all candidates of a block, where few pairs are undecided. By the whole block.
/// @param undecided comes with the candidates to look at and goes with those that lower D2.
/// @returns false, and nothing is done, where there are too many.
template <int C>
__device__ __forceinline__ bool sum_few(const Greedy& g, int round, std::size_t block, int count, const Own& points,
                                        unsigned (&undecided)[own], Room& room) {
  double* nearest = room.values;
  double* distances = nearest + block_points;
  Pairs& pairs = *reinterpret_cast<Pairs*>(distances + Pairs::most);
  const int mine = threadIdx.x * own;
  const int here = number_pairs<C>(undecided, pairs);
  if (here > Pairs::most) return false;
  if (here == 0) {
    if (threadIdx.x < count) g.sums[threadIdx.x * g.at.blocks + block] = g.at.block_sums[block];
    return true;
  }
  double2* to = reinterpret_cast<double2*>(nearest + mine);
  to[0] = make_double2(points.nearest[0], points.nearest[1]);
  to[1] = make_double2(points.nearest[2], points.nearest[3]);
  __syncthreads();
  for_each_pair<C>(undecided, pairs, [&](int l, int c, int number) {
    room.list[number] = static_cast<std::uint16_t>(c * block_points + mine + l);
  });
  __syncthreads();
  for (int at = threadIdx.x; at < here; at += threads) {
    const int c = room.list[at] / block_points, p = room.list[at] % block_points;
    const double distance = exact_distance(g.x.row(block * block_points + p), g.candidate_row(round, c), g.x.d);
    distances[at] = min(distance, nearest[p]);
  }
  __syncthreads();
  for_each_pair<C>(undecided, pairs, [&](int l, int c, int number) {
    if (!(distances[number] < points.nearest[l])) undecided[l] &= ~(1u << c);
  });
  if (threadIdx.x < (C * sum_lanes + 31) / 32 * 32) {
    const int c = threadIdx.x / sum_lanes, lane = threadIdx.x % sum_lanes;
    const double sum = sum_with(nearest, distances, pairs, min(c, C - 1), lane);
    if (lane == 0 && c < count) g.sums[c * g.at.blocks + block] = sum;
  }
  return true;
}

/// Sums of up to four candidates of a block, from `first` on: D2 wherever no distance is smaller. By the whole block.
/// @param undecided comes with the candidates to look at and goes with those that lower D2.
__device__ __forceinline__ void sum_four(const Greedy& g, int round, std::size_t block, int first, int count,
                                         const Own& points, unsigned (&undecided)[own], Room& room) {
  __shared__ int listed;
  double* values = room.values;
  std::uint16_t* list = room.list;
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
    const double distance = exact_distance(g.x.row(block * block_points + p), g.candidate_row(round, first + c), g.x.d);
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
__global__ void __launch_bounds__(threads) filter(Greedy g, int round) {
  __shared__ Room room;
  await_earlier();
  if (!running(g, round)) return;
  let_next_begin();
  const std::size_t block = blockIdx.x;
  const int count = candidates_in(g, round);
  Own points;
  lower_distances(g, round, block, points, room.list, room.values);
  // The sum that this block had with the candidate that became a centre.
  if (threadIdx.x == 0 && round > 0) g.at.block_sums[block] = g.sums[*g.best * g.at.blocks + block];
  unsigned undecided[own];
#pragma unroll
  for (int l = 0; l < own; l++) {
    const bool passed_over = __double2float_ru(points.nearest[l]) <= g.min_reaches[points.centre[l]];
    undecided[l] = passed_over ? 0 : (1u << count) - 1;
  }
  narrow<C>(g, round, block, points, undecided);
  if (!sum_few<C>(g, round, block, count, points, undecided, room)) {
    for (int first = 0; first < count; first += together) {
      sum_four(g, round, block, first, min(together, count - first), points, undecided, room);
    }
  }
  note_improved(g, block, undecided);
}

}  // namespace
}  // namespace centroid_lab::cuda

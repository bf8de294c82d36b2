// What a round does between the sums of its candidates and those of the next.
#pragma once

#include <cfloat>
#include <cmath>

#include "greedy_state.cuh"
#include "ordered_sums.cuh"

namespace centroid_lab::cuda {
namespace {

/// The sums of all blocks so far, a candidate a thread block. What centres reach is forgotten.
__global__ void __launch_bounds__(threads) add_blocks(Greedy g, int round) {
  __shared__ double values[ordered_values];
  __shared__ double sums[ordered_values];
  let_next_begin();
  await_earlier();
  if (!running(g, round)) return;
  for (int centre = blockIdx.x * threads + threadIdx.x; centre <= round; centre += gridDim.x * threads) {
    g.min_reaches[centre] = FLT_MAX;
  }
  const double* from = g.sums + blockIdx.x * g.at.blocks;
  double* to = g.running + blockIdx.x * g.at.blocks;
  double sum = 0;
  for (std::size_t first = 0; first < g.at.blocks; first += ordered_values) {
    const int here = static_cast<int>(min(static_cast<std::size_t>(ordered_values), g.at.blocks - first));
    for (int i = threadIdx.x; i < here; i += threads) values[i] = from[first + i];
    __syncthreads();
    ordered_sums(sum, values, here, sums);
    for (int i = threadIdx.x; i < here; i += threads) to[first + i] = sums[i];
    sum = sums[here - 1];
    __syncthreads();
  }
}

/// The first of a list of numbers that never fall that is above `target`, or their count. By the whole block.
__device__ std::size_t first_above(const double* values, std::size_t count, double target) {
  std::size_t first = 0, last = count;
  while (first < last) {
    // The range is cut into equal parts, and those whose last number is not above are passed.
    const std::size_t part = (last - first + threads - 1) / threads;
    const std::size_t end = first + (threadIdx.x + 1) * part;
    const int passed = __syncthreads_count(end <= last && !(values[end - 1] > target));
    first += passed * part;
    last = part == 1 ? first : min(last, first + part);
  }
  return first;
}

/// D2 of a block of points with the latest centre, into shared memory. By the whole block.
__device__ void load_lowered(const Greedy& g, int round, std::size_t block, int best, std::uint16_t* list, double* values) {
  double nearest[own];
  load_distances(g.at.nearest, block * block_points + threadIdx.x * own, nearest);
  lower_to_latest(g, round, block, best, nearest, list, values);
#pragma unroll
  for (int l = 0; l < own; l++) values[threadIdx.x * own + l] = nearest[l];
  __syncthreads();
}

/// The first point of a block with D2 > 0 whose running sum is above `target`, or -1; by the whole block.
__device__ int point_above(const double* values, const double* sums, int count, double target) {
  __shared__ int found;
  if (threadIdx.x == 0) found = block_points;
  __syncthreads();
  for (int l = own - 1; l >= 0; l--) {
    const int i = threadIdx.x * own + l;
    if (i < count && sums[i] > target && values[i] > 0) atomicMin(&found, i);
  }
  __syncthreads();
  const int answer = found;
  __syncthreads();
  return answer < block_points ? answer : -1;
}

/// The last point of a block with D2 > 0, or -1; by the whole block.
__device__ int last_point(const double* values, int count) {
  __shared__ int found;
  if (threadIdx.x == 0) found = -1;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += threads) {
    if (values[i] > 0) atomicMax(&found, i);
  }
  __syncthreads();
  const int answer = found;
  __syncthreads();
  return answer;
}

/// The row where the running sum passes the target; by the whole block. @param running of the best candidate.
__device__ std::size_t row_above(const Greedy& g, int round, int best, const double* running, double target) {
  __shared__ __align__(16) double values[block_points];
  __shared__ double sums[block_points];
  __shared__ std::uint16_t list[block_points];
  for (std::size_t block = first_above(running, g.at.blocks, target); block < g.at.blocks; block++) {
    load_lowered(g, round, block, best, list, values);
    const int count = g.x.points_of(block);
    ordered_sums(block == 0 ? 0 : running[block - 1], values, count, sums);
    const int found = point_above(values, sums, count, target);
    if (found >= 0) return block * block_points + found;
  }
  for (std::size_t block = g.at.blocks; block-- > 0;) {
    load_lowered(g, round, block, best, list, values);
    const int found = last_point(values, g.x.points_of(block));
    if (found >= 0) return block * block_points + found;
  }
  return g.x.n - 1;
}

/// The candidate with the least sum, ties to the first, and that sum. By whole warps.
__device__ __forceinline__ int best_candidate(const Greedy& g, int count, double& least) {
  const int lane = threadIdx.x % 32;
  const double mine = lane < count ? g.running[(lane + 1) * g.at.blocks - 1] : INFINITY;
  int best = 0;
  least = __shfl_sync(0xffffffffu, mine, 0);
  for (int c = 1; c < count; c++) {
    const double other = __shfl_sync(0xffffffffu, mine, c);
    if (!(other < least)) continue;
    least = other;
    best = c;
  }
  return best;
}

/// Writes down that the best candidate is a centre; by one thread block.
__device__ void choose(const Greedy& g, int round, int best, double total) {
  for (int j = threadIdx.x; j < g.x.d; j += threads) {
    g.centres[static_cast<std::size_t>(j) * (g.rounds + 1) + round] = g.candidate_row(round, best)[j];
  }
  if (threadIdx.x != 0) return;
  g.chosen[round] = g.drawn[(round & 1) * g.count + best];
  g.totals[round] = total;
  *g.best = best;
  *g.at.total = total;
}

/// How far the points of up to 256 centres reach without being nearer to a candidate of the next round, a thread a centre.
/// @param best the candidate that is about to become the centre `round`. @param row of the candidate of the next round.
__device__ void reach(const Greedy& g, int round, int best, int first, int candidate, std::size_t row) {
  const int centre = first + threadIdx.x;
  if (centre > round) return;
  const float* from = g.centres + centre;
  std::size_t step = g.rounds + 1;
  // That one may not be written down yet.
  if (centre == round) from = g.candidate_row(round, best), step = 1;
  const float* point = g.x.row(row);
  float sum = 0;
#pragma unroll 16
  for (int j = 0; j < g.x.d; j++) {
    const float difference = from[j * step] - point[j];
    sum = fmaf(difference, difference, sum);
  }
  const float reached = fmaxf(__fmaf_rd(fminf(sum, FLT_MAX), g.margin.quarter, -g.margin.slack), 0.0f);
  g.reaches[static_cast<std::size_t>(centre) * candidate_stride + candidate] = reached;
  // No negative number is among them: they are in the order of their bits.
  atomicMin(reinterpret_cast<int*>(g.min_reaches + centre), __float_as_int(reached));
}

/// Makes the best candidate a centre. The next ones are drawn, each by so many thread blocks as compare it with all centres.
__global__ void __launch_bounds__(threads) pick(Greedy g, int round) {
  let_next_begin();
  await_earlier();
  if (!running(g, round)) return;
  double total = 0;
  const int best = best_candidate(g, candidates_in(g, round), total);
  const double* sums = g.running + best * g.at.blocks;
  if (blockIdx.x == 0) choose(g, round, best, total);
  if (!(total > 0) || round == g.rounds) return;
  const int candidate = blockIdx.x % g.count, part = blockIdx.x / g.count;
  const double target = __dmul_rn(g.uniforms[static_cast<std::size_t>(round) * g.count + candidate], total);
  const std::size_t row = row_above(g, round, best, sums, target);
  reach(g, round, best, part * threads, candidate, row);
  if (part == 0) set_candidate(g, round + 1, candidate, row);
}

}  // namespace
}  // namespace centroid_lab::cuda

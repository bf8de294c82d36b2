// What the kernels of greedy_seeding.cu share.
#pragma once

#include "launch_early.cuh"
#include "greedy_seeding.hpp"
#include "seeding_points.cuh"
#include "seeding_sketch.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = seeding_threads;
/// Points of a block that are a thread's own, side by side.
constexpr int own = block_points / threads;
/// Candidates whose sums are added together: they fill one warp.
constexpr int together = 4;
/// Floats from one feature of the candidates to the next, and from one centre's reaches to the next one's.
constexpr int candidate_stride = static_cast<int>(max_candidates);
/// Threads of a block with points to compare from which all its points are compared.
constexpr int many_threads = threads / 4;
/// Features up to which float32 costs less than to find out which candidates of a point to look at.
constexpr int few_features = 16;

/// What float32 can say for certain of a sum of d squares; candidate_filter.cuh has the proof.
struct Margin {
  /// A float32 sum of at least D2 times this, plus slack, is no smaller than D2.
  float grow;
  /// A float32 sum times this, less slack, is at most a quarter of the square, with room for the triangle inequality.
  float quarter;
  float slack;
};

struct Greedy {
  Coordinates x;
  Distances at;
  Sketch sketch;
  Margin margin;
  /// Candidates of a round, and centres after the first.
  int count;
  int rounds;
  /// (n) the centre nearest to each point, as a number from 0 on.
  std::int32_t* nearest_centre;
  /// (n) candidates of this round that lower a point's D2, a bit each, of blocks that have any.
  std::uint16_t* improved;
  /// (blocks) candidates that lower the D2 of some point.
  std::uint16_t* improving;
  /// (count, blocks) sums of min(D2, distance to a candidate), and those added in order.
  double* sums;
  double* running;
  /// (2, d, stride) candidates of this round and of the next, in turns; (2, count) their rows.
  float* candidates;
  std::int32_t* drawn;
  /// (2, words, stride), (2, stride), (2, stride) what the sketch has of them.
  std::uint32_t* candidate_words;
  std::int32_t* candidate_squares;
  float* candidate_errors;
  /// (d, rounds + 1) centres, and their rows.
  float* centres;
  std::int32_t* chosen;
  /// The candidate that became the latest centre.
  int* best;
  /// (rounds + 1) the sum of D2 with that many centres and one; 0 where no round was.
  double* totals;
  /// (rounds + 1, stride) of each centre: D2 up to which its points are nearer to it than to a candidate; the least of those.
  float* reaches;
  float* min_reaches;
  double* uniforms;

  __device__ const float* candidates_of(int round) const {
    return candidates + static_cast<std::size_t>(round & 1) * x.d * candidate_stride;
  }
  __device__ const float* candidate_row(int round, int c) const { return x.row(drawn[(round & 1) * count + c]); }
  __device__ const std::uint32_t* words_of(int round) const {
    return candidate_words + static_cast<std::size_t>(round & 1) * sketch.words_a_point * candidate_stride;
  }
};

/// False where every point is a centre already: then nothing is done any more.
__device__ __forceinline__ bool running(const Greedy& g, int round) { return round == 0 || g.totals[round - 1] > 0; }
__device__ __forceinline__ int candidates_in(const Greedy& g, int round) { return round == 0 ? 1 : g.count; }

/// Makes a row a candidate of a round; by the whole thread block.
__device__ __forceinline__ void set_candidate(const Greedy& g, int round, int candidate, std::size_t row) {
  const int turn = round & 1;
  if (threadIdx.x == 0) g.drawn[turn * g.count + candidate] = static_cast<std::int32_t>(row);
  float* to = g.candidates + static_cast<std::size_t>(turn) * g.x.d * candidate_stride + candidate;
  for (int j = threadIdx.x; j < g.x.d; j += threads) to[j * candidate_stride] = g.x.row(row)[j];
  if (g.sketch.words == nullptr) return;
  const std::uint32_t* from = g.sketch.of_block(row / block_points) + row % block_points;
  std::uint32_t* words = g.candidate_words + static_cast<std::size_t>(turn) * g.sketch.words_a_point * candidate_stride + candidate;
  for (int w = threadIdx.x; w < g.sketch.words_a_point; w += threads) words[w * candidate_stride] = from[w * block_points];
  if (threadIdx.x != 0) return;
  g.candidate_squares[turn * candidate_stride + candidate] = g.sketch.squares[row];
  g.candidate_errors[turn * candidate_stride + candidate] = g.sketch.errors[row];
}

/// The exact distance of two points, row by row. Loads are made ahead of the sum, which waits for each addition.
__device__ __forceinline__ double exact_distance(const float* point, const float* candidate, int d) {
  constexpr int ahead = 8;
  double sum = 0;
  int j = 0;
  if (d % 4 == 0) {
    const float4* points = reinterpret_cast<const float4*>(point);
    const float4* candidates = reinterpret_cast<const float4*>(candidate);
    for (; j + ahead * 4 <= d; j += ahead * 4) {
      float4 some[ahead];
#pragma unroll
      for (int l = 0; l < ahead; l++) some[l] = points[j / 4 + l];
#pragma unroll
      for (int l = 0; l < ahead; l++) {
        const float4 other = candidates[j / 4 + l];
        sum = __dadd_rn(sum, squared_difference(some[l].x, other.x));
        sum = __dadd_rn(sum, squared_difference(some[l].y, other.y));
        sum = __dadd_rn(sum, squared_difference(some[l].z, other.z));
        sum = __dadd_rn(sum, squared_difference(some[l].w, other.w));
      }
    }
  }
#pragma unroll 8
  for (; j < d; j++) sum = __dadd_rn(sum, squared_difference(point[j], candidate[j]));
  return sum;
}

/// D2 and nearest centres of a thread's own points.
struct Own {
  double nearest[own];
  std::int32_t centre[own];
};

__device__ __forceinline__ void load_distances(const double* nearest, std::size_t first, double (&to)[own]) {
  static_assert(own == 4);
  const double2 low = *reinterpret_cast<const double2*>(nearest + first);
  const double2 high = *reinterpret_cast<const double2*>(nearest + first + 2);
  to[0] = low.x, to[1] = low.y, to[2] = high.x, to[3] = high.y;
}

/// Bit by bit what `round` found out about a thread's own points.
__device__ __forceinline__ void load_improved(const Greedy& g, std::size_t first, unsigned (&to)[own]) {
  const ushort4 bits = *reinterpret_cast<const ushort4*>(g.improved + first);
  to[0] = bits.x, to[1] = bits.y, to[2] = bits.z, to[3] = bits.w;
}

/// Lowers D2 of a block's points to the distance to the latest centre, where it was found to be smaller. By the whole block.
/// @param round that found it out. @param list, values (1024) in shared memory.
/// @returns the thread's own points that were lowered, a bit each.
__device__ unsigned lower_to_latest(const Greedy& g, int round, std::size_t block, int best, double (&nearest)[own],
                                    std::uint16_t* list, double* values) {
  __shared__ int listed;
  if (((g.improving[block] >> best) & 1) == 0) return 0;
  const int mine = threadIdx.x * own;
  unsigned bits[own];
  load_improved(g, block * block_points + mine, bits);
  if (threadIdx.x == 0) listed = 0;
  __syncthreads();
  unsigned lowered = 0;
#pragma unroll
  for (int l = 0; l < own; l++) lowered |= ((bits[l] >> best) & 1) << l;
  if (lowered != 0) {
    int to = atomicAdd(&listed, __popc(lowered));
    for (int l = 0; l < own; l++) {
      if (((lowered >> l) & 1) != 0) list[to++] = static_cast<std::uint16_t>(mine + l);
    }
  }
  __syncthreads();
  const int count = listed;
  const float* centre = g.candidate_row(round, best);
  for (int at = threadIdx.x; at < count; at += threads) {
    values[list[at]] = exact_distance(g.x.row(block * block_points + list[at]), centre, g.x.d);
  }
  __syncthreads();
#pragma unroll
  for (int l = 0; l < own; l++) {
    if (((lowered >> l) & 1) != 0) nearest[l] = values[mine + l];
  }
  __syncthreads();
  return lowered;
}

}  // namespace
}  // namespace centroid_lab::cuda

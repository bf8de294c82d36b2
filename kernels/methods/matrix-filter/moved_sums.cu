// Sums by the points that moved: what each came to gets it, what it left loses it, in 64-bit fixed point, in which the order of adding
// does not show. A block sorts its moves by cluster, so that those of a cluster, however many, are added as one.
#include <algorithm>

#include "check.hpp"
#include "kernels.cuh"
#include "launch_early.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
/// Moves that a block takes at a time; each is an addition, and mostly a subtraction, too.
constexpr int batch_moves = 128;
constexpr int entries = 2 * batch_moves;
static_assert(entries == threads);
/// Low bits of an entry: the move, and whether it is taken away. Above them is the cluster.
constexpr int move_bits = 8;
constexpr unsigned nothing = ~0u;
/// Entries whose coordinates are on their way together.
constexpr int together = 4;
/// Features of a block, at most: with more of them there are others for the same moves.
constexpr int block_features = 64;

__device__ inline bool is_taken_away(unsigned entry) { return entry & 1; }
__device__ inline unsigned move_of(unsigned entry) { return entry >> 1 & (batch_moves - 1); }
__device__ inline unsigned cluster_of_entry(unsigned entry) { return entry >> move_bits; }

/// Sorts an entry a thread, ascending; by all threads.
__device__ inline unsigned sorted_entry(unsigned entry, unsigned* exchange) {
  const unsigned own = threadIdx.x;
  for (unsigned length = 2; length <= entries; length *= 2) {
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      unsigned other;
      if (distance >= 32) {
        __syncthreads();
        exchange[own] = entry;
        __syncthreads();
        other = exchange[own ^ distance];
      } else {
        other = __shfl_xor_sync(full_warp, entry, static_cast<int>(distance));
      }
      const bool ascends = (own & length) == 0, is_lower = (own & distance) == 0;
      entry = ascends == is_lower ? min(entry, other) : max(entry, other);
    }
  }
  return entry;
}

/// A lane an entry: those of a cluster in a warp are counted together.
__device__ inline void count_members(unsigned entry, const Work& work) {
  const unsigned cluster = entry == nothing ? nothing : cluster_of_entry(entry);
  const unsigned alike = __match_any_sync(full_warp, cluster);
  const unsigned taken = __ballot_sync(full_warp, is_taken_away(entry)) & alike;
  if (cluster == nothing || static_cast<int>(threadIdx.x % 32) != __ffs(static_cast<int>(alike)) - 1) return;
  const int more = __popc(alike) - 2 * __popc(taken);
  if (more != 0) atomicAdd(work.kept_counts + cluster, static_cast<unsigned>(more));
}

/// Adds entries begin .. end - 1 up for one feature, cluster by cluster.
__device__ inline void add_stretch(const unsigned* sorted, const unsigned* rows, int begin, int end, int feature, const Work& work) {
  const float scale = work.scale[feature];
  const float* const x = work.x + feature;
  long long sum = 0;
  unsigned cluster = cluster_of_entry(sorted[begin]);
  const auto hand_on = [&] {
    if (sum != 0) atomicAdd(work.kept_sums + static_cast<size_t>(cluster) * work.d + feature, static_cast<unsigned long long>(sum));
  };
  for (int at = begin; at < end; at += together) {
    unsigned of[together];
    float values[together];
#pragma unroll
    for (int i = 0; i < together; i++) {
      of[i] = at + i < end ? sorted[at + i] : nothing;
      values[i] = of[i] == nothing ? 0.0f : __ldg(x + static_cast<size_t>(rows[move_of(of[i])]) * work.d);
    }
#pragma unroll
    for (int i = 0; i < together; i++) {
      if (of[i] == nothing) continue;
      if (cluster_of_entry(of[i]) != cluster) {
        hand_on();
        cluster = cluster_of_entry(of[i]);
        sum = 0;
      }
      const long long value = __float2ll_rn(values[i] * scale);
      sum += is_taken_away(of[i]) ? -value : value;
    }
  }
  hand_on();
}

__global__ void __launch_bounds__(threads, 4) sum_moves(Pass pass, Work work, int lanes) {
  __shared__ unsigned exchange[entries], sorted[entries], rows[batch_moves];
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  const unsigned segment = blockIdx.x % work.segments, moves = work.listed[segment].moves;
  const unsigned first = blockIdx.x / work.segments * batch_moves, step = gridDim.x / work.segments * batch_moves;
  const Move* const list = work.moves + work.start_of(segment);
  const int stretches = threads / lanes, own_stretch = static_cast<int>(threadIdx.x) / lanes;
  for (unsigned base = first; base < moves; base += step) {
    const unsigned number = threadIdx.x / 2;
    unsigned entry = nothing;
    __syncthreads();
    if (base + number < moves) {
      const Move move = list[base + number];
      const unsigned cluster = threadIdx.x % 2 == 0 ? move.to : move.from;
      if (cluster != 0) entry = (cluster - 1) << move_bits | number << 1 | threadIdx.x % 2;
      if (threadIdx.x % 2 == 0) rows[number] = move.row;
    }
    entry = sorted_entry(entry, exchange);
    sorted[threadIdx.x] = entry;
    if (blockIdx.y == 0) count_members(entry, work);
    const int count = __syncthreads_count(entry != nothing);
    const int length = (count + stretches - 1) / stretches;
    const int begin = own_stretch * length, end = min(count, begin + length);
    const int feature = static_cast<int>(blockIdx.y) * block_features + static_cast<int>(threadIdx.x) % lanes;
    if (begin < end && feature < work.d) add_stretch(sorted, rows, begin, end, feature, work);
  }
}

/// What is kept is the pass's.
__global__ void __launch_bounds__(threads) hand_over(Pass pass, Work work) {
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  const size_t first = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x, step = static_cast<size_t>(gridDim.x) * threads;
  const size_t sums = static_cast<size_t>(pass.k) * work.d;
  for (size_t at = first; at < sums; at += step) pass.fixed_sums[at] = static_cast<long long>(work.kept_sums[at]);
  for (size_t at = first; at < static_cast<size_t>(pass.k); at += step) pass.counts[at] = work.kept_counts[at];
}

/// Lanes that share a stretch of entries, a feature each: a power of two.
int lanes_for(int d) {
  int lanes = 8;
  while (lanes < d && lanes < block_features) lanes *= 2;
  return lanes;
}

}  // namespace

void enqueue_moves(const Work& work, const Pass& pass) {
  const auto of_features = static_cast<unsigned>((work.d + block_features - 1) / block_features);
  const dim3 blocks(work.segments * std::max(1u, segment_blocks / of_features), of_features);
  launch_in_turn(work.is_early, sum_moves, blocks, threads, 0, pass.stream, pass, work, lanes_for(work.d));
}

void enqueue_hand_over(const Work& work, const Pass& pass) {
  const std::size_t sums = static_cast<std::size_t>(pass.k) * static_cast<std::size_t>(work.d);
  const auto copies = static_cast<unsigned>(std::min((sums + threads - 1) / threads, std::size_t{work.segments} * 4));
  launch_in_turn(work.is_early, hand_over, copies, threads, 0, pass.stream, pass, work);
}

}  // namespace centroid_lab::cuda::matrix_filter

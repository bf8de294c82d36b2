// What the filter keeps of a point: its three best groups. The accumulators of a matrix instruction give a thread, of
// two points, columns 2t and 2t + 1 of every eight; `column_of` has put all of a group into four such pairs.
#pragma once

#include "fused_high.cuh"

namespace centroid_lab::cuda::high {

/// Scores of groups that were never seen.
constexpr float unseen = 3e38f;
/// A threshold beyond this decides nothing.
constexpr float hopeless = 1e30f;

/// Smallest scores of a thread's groups, the index among them in their low bits.
struct Best {
  float first = unseen;
  float second = unseen;
  float third = unseen;

  __device__ void offer(float score) {
    third = fminf(third, fmaxf(second, score));
    second = fminf(second, fmaxf(first, score));
    first = fminf(first, score);
  }
};

/// The least of a group's scores with the group's index: truncated, which `Bound::pi` covers.
__device__ inline float least_of(const float (&scores)[group_size], unsigned index, unsigned mask) {
  const float low = fminf(fminf(scores[0], scores[1]), fminf(scores[2], scores[3]));
  const float high = fminf(fminf(scores[4], scores[5]), fminf(scores[6], scores[7]));
  return __uint_as_float((__float_as_uint(fminf(low, high)) & ~mask) | index);
}

/// Scores of the groups of several threads, with their numbers.
struct Merged {
  float first;
  float second;
  float third;
  unsigned first_group;
  unsigned second_group;

  __device__ void offer(float score, unsigned group) {
    if (score < first) {
      third = second;
      second = first, second_group = first_group;
      first = score, first_group = group;
    } else if (score < second) {
      third = second;
      second = score, second_group = group;
    } else {
      third = fminf(third, score);
    }
  }
  __device__ void offer(const Merged& other) {
    offer(other.first, other.first_group);
    offer(other.second, other.second_group);
    third = fminf(third, other.third);
  }
};

/// The best of the four lanes that share a point; valid in the first of them.
__device__ inline Merged merge_four(const Best& best, unsigned mask) {
  const unsigned lane = threadIdx.x % 4;
  const auto group_of = [&](float score) { return (__float_as_uint(score) & mask) * 4 + lane; };
  Merged merged{best.first, best.second, best.third, group_of(best.first), group_of(best.second)};
#pragma unroll
  for (int step = 1; step < 4; step *= 2) {
    Merged other;
    other.first = __shfl_xor_sync(full_warp, merged.first, step);
    other.second = __shfl_xor_sync(full_warp, merged.second, step);
    other.third = __shfl_xor_sync(full_warp, merged.third, step);
    other.first_group = __shfl_xor_sync(full_warp, merged.first_group, step);
    other.second_group = __shfl_xor_sync(full_warp, merged.second_group, step);
    merged.offer(other);
  }
  return merged;
}

/// The next free place of a list for the lanes that want one; by all lanes of a warp.
__device__ inline unsigned reserve(unsigned* length, bool wanted) {
  const unsigned lanes = __ballot_sync(full_warp, wanted);
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (lanes == 0) return 0;
  const int leader = __ffs(static_cast<int>(lanes)) - 1;
  unsigned base = 0;
  if (lane == leader) base = atomicAdd(length, static_cast<unsigned>(__popc(lanes)));
  return __shfl_sync(full_warp, base, leader) + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)));
}

/// Decides on a point or notes it as undecided. `real`: this lane has one. By all lanes of a warp.
__device__ inline void place_point(const Merged& best, size_t point, bool real, const Pass& pass, const Work& work) {
  bool pair = false, whole = false;
  const unsigned number = static_cast<unsigned>(point - pass.first);
  if (real) {
    const float doubt = static_cast<float>(2.02 * work.bound.theta) * best.first;
    const float threshold = 1.0001f * (work.point_slack[point] + work.group_slack[best.first_group] + doubt);
    if (best.second - best.first > threshold) work.group_of[number] = best.first_group;
    else if (best.third - best.first > threshold && threshold < hopeless) pair = true;
    else whole = true;
  }
  const unsigned at_pairs = reserve(&work.undecided->pairs, pair);
  if (pair) work.pairs[at_pairs] = {number, best.first_group, best.second_group};
  const unsigned at_whole = reserve(&work.undecided->whole, whole);
  if (whole) {
    work.whole[at_whole] = number;
    work.keys[at_whole] = ~0ull;
  }
}

}  // namespace centroid_lab::cuda::high

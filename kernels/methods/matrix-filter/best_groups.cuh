// What the filter keeps of a point: its three best groups. The accumulators of a matrix instruction give a thread, of
// two points, columns 2t and 2t + 1 of every eight; `column_of` has put all of a group into four such pairs.
#pragma once

#include "kernels.cuh"

namespace centroid_lab::cuda::matrix_filter {

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
__device__ inline float min_of(const float (&scores)[group_size], unsigned index, unsigned mask) {
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

/// What is known of a point once its scores are compared.
enum class Verdict : int { none, decided, pair, whole };

__device__ inline Verdict judge(const Merged& best, size_t point, const float2* group_slack, const Work& work) {
  const float doubt = static_cast<float>(2.02 * work.bound.theta) * best.first;
  const float2 own = work.point_slack[point], group = group_slack[best.first_group];
  // The best centroid's norm is at most the point's and their distance: an outlier in its group does not count.
  const float distance = fmaxf(own.y + 2 * (best.first + group.x) + own.x, 0.0f) + 1e-6f * own.y;
  const float norm = sqrtf(own.y) + sqrtf(distance);
  const float slack = fminf(group.x, group.y * (1.0001f * norm * norm));
  const float threshold = 1.0001f * (own.x + slack + doubt);
  if (best.second - best.first > threshold) return Verdict::decided;
  return best.third - best.first > threshold && threshold < hopeless ? Verdict::pair : Verdict::whole;
}

/// From a score of a group from above whose clusters, and all of higher scores, are at least as far as this.
__device__ inline float distance_of_score(float score, size_t point, size_t list, const Work& work) {
  const float2 own = work.point_slack[point];
  // The slack has room for the point's error; rounding here is far below 2^-20 of either norm.
  const float squared = own.y * (1 - 0x1p-20f) + 2 * score - own.x;
  float distance = squared > 0 ? sqrtf(squared) * (1 - 0x1p-20f) : 0.0f;
  if (work.left_out != nullptr) distance = fminf(distance, work.left_out[list]);
  return distance * static_cast<float>(1 / work.unit);
}

/// No point of any pass.
constexpr size_t nobody = ~size_t{0};

/// The point in a place of an item.
__device__ inline size_t point_of(const Item& item, int slot) {
  return static_cast<unsigned>(slot) < item.count ? item.first + static_cast<size_t>(slot) : nobody;
}

/// Whether places from `slot` on, `count` of them, have points of the pass.
__device__ inline bool is_wanted(const Item& item, int slot, int count, const Pass& pass) {
  const size_t first = item.first + static_cast<size_t>(slot);
  const size_t end = item.first + static_cast<size_t>(min(item.count, static_cast<unsigned>(slot + count)));
  return first < end && first < pass.first + pass.count && end > pass.first;
}

/// Decides on the points of a warp, Count a lane, or notes them as undecided: one atomic addition reserves the places
/// of all of them in both lists. `points` beyond the pass are left out; all are of one cell. By all lanes.
template <int Count>
__device__ inline void scatter_points(const Merged (&best)[Count], const size_t (&points)[Count], unsigned cell, size_t list,
                                    const Pass& pass, const Work& work) {
  const float2* group_slack = work.group_slack_in(cell);
  const bool notes = takes_notes(work.records, pass);
  const int lane = static_cast<int>(threadIdx.x % 32);
  Verdict verdicts[Count];
  unsigned pairs[Count], wholes[Count], all_pairs = 0, all_wholes = 0;
#pragma unroll
  for (int i = 0; i < Count; i++) {
    const bool real = points[i] >= pass.first && points[i] < pass.first + pass.count;
    verdicts[i] = real ? judge(best[i], points[i], group_slack, work) : Verdict::none;
    pairs[i] = __ballot_sync(full_warp, verdicts[i] == Verdict::pair);
    wholes[i] = __ballot_sync(full_warp, verdicts[i] == Verdict::whole);
    all_pairs += static_cast<unsigned>(__popc(pairs[i]));
    all_wholes += static_cast<unsigned>(__popc(wholes[i]));
  }
  unsigned long long slots = 0;
  if (lane == 0 && all_pairs + all_wholes > 0) {
    // Little-endian: `pairs` is the low word. Neither count can carry.
    slots = atomicAdd(reinterpret_cast<unsigned long long*>(work.undecided),
                       static_cast<unsigned long long>(all_wholes) << 32 | all_pairs);
  }
  slots = __shfl_sync(full_warp, slots, 0);
  unsigned at_pairs = static_cast<unsigned>(slots), at_wholes = static_cast<unsigned>(slots >> 32);
  const unsigned before = (1u << lane) - 1;
#pragma unroll
  for (int i = 0; i < Count; i++) {
    const unsigned number = static_cast<unsigned>(points[i] - pass.first);
    if (notes && verdicts[i] != Verdict::none) {
      const float score = verdicts[i] == Verdict::decided ? best[i].second : best[i].third;
      const bool known = verdicts[i] != Verdict::whole;
      work.records.outside[work.row_of(points[i])] = known ? distance_of_score(score, points[i], list, work) : 0.0f;
    }
    if (verdicts[i] == Verdict::decided) work.group_of[number] = best[i].first_group;
    if (verdicts[i] == Verdict::pair) {
      work.pairs[at_pairs + __popc(pairs[i] & before)] = {number, best[i].first_group, best[i].second_group};
    }
    if (verdicts[i] == Verdict::whole) {
      const unsigned at = at_wholes + __popc(wholes[i] & before);
      work.whole[at] = number;
      work.keys[at] = ~0ull;
    }
    at_pairs += static_cast<unsigned>(__popc(pairs[i]));
    at_wholes += static_cast<unsigned>(__popc(wholes[i]));
  }
}

}  // namespace centroid_lab::cuda::matrix_filter

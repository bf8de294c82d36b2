// What the filter keeps of a point: its three best groups, and the scores of all members of the best. The accumulators of a matrix
// instruction give a thread, of two points, columns 2t and 2t + 1 of every eight; `column_of` has put all of a group into four such
// pairs.
#pragma once

#include "kernels.cuh"

namespace centroid_lab::cuda::matrix_filter {

/// Scores of groups that were never seen.
constexpr float unseen = 3e38f;
/// The four lanes of a point have groups of their own, whose numbers the lane completes.
constexpr unsigned index_step = 4;
/// A threshold beyond this decides nothing.
constexpr float hopeless = 1e30f;

/// Smallest scores of a thread's groups, the index among them in their low bits, and the scores in the first.
struct Best {
  float first = unseen;
  float second = unseen;
  float third = unseen;
  float members[group_size] = {};

  /// A group's scores, each the sum of two numbers. Members are added up once more where they are taken over: that is done where
  /// there is room, while minima are what the comparisons wait for.
  __device__ void offer(float least, const float (&starts)[group_size], const float (&products)[group_size]) {
    asm("{\n"
        ".reg .pred better;\n"
        "setp.lt.f32 better, %8, %9;\n"
        "@better add.rn.f32 %0, %10, %18;\n"
        "@better add.rn.f32 %1, %11, %19;\n"
        "@better add.rn.f32 %2, %12, %20;\n"
        "@better add.rn.f32 %3, %13, %21;\n"
        "@better add.rn.f32 %4, %14, %22;\n"
        "@better add.rn.f32 %5, %15, %23;\n"
        "@better add.rn.f32 %6, %16, %24;\n"
        "@better add.rn.f32 %7, %17, %25;\n"
        "}\n"
        : "+f"(members[0]), "+f"(members[1]), "+f"(members[2]), "+f"(members[3]), "+f"(members[4]), "+f"(members[5]),
          "+f"(members[6]), "+f"(members[7])
        : "f"(least), "f"(first), "f"(starts[0]), "f"(starts[1]), "f"(starts[2]), "f"(starts[3]), "f"(starts[4]), "f"(starts[5]),
          "f"(starts[6]), "f"(starts[7]), "f"(products[0]), "f"(products[1]), "f"(products[2]), "f"(products[3]), "f"(products[4]),
          "f"(products[5]), "f"(products[6]), "f"(products[7]));
    third = fminf(third, fmaxf(second, least));
    second = fminf(second, fmaxf(first, least));
    first = fminf(first, least);
  }
};

/// The least of a group's scores with the group's index: truncated, which `Bound::pi` covers.
__device__ inline float min_of(const float (&scores)[group_size], unsigned index, unsigned mask) {
  const float low = fminf(fminf(scores[0], scores[1]), fminf(scores[2], scores[3]));
  const float high = fminf(fminf(scores[4], scores[5]), fminf(scores[6], scores[7]));
  return __uint_as_float((__float_as_uint(fminf(low, high)) & ~mask) | index);
}

/// The least scores of groups of several threads in their order, with the groups in their low bits. Whoever has offered the first has its
/// members' scores.
struct Merged {
  float first;
  float second;
  float third;

  __device__ void merge(const Merged& other) {
    third = fminf(fminf(third, other.third), fminf(fmaxf(second, other.first), fmaxf(first, other.second)));
    second = fminf(fminf(second, other.second), fmaxf(first, other.first));
    first = fminf(first, other.first);
  }
};

__device__ inline unsigned group_of(float score, unsigned mask) { return __float_as_uint(score) & mask; }

/// The best of the four lanes that share a point; all of them get it.
__device__ inline Merged merge_four(const Best& best) {
  const unsigned lane = threadIdx.x % index_step;
  const auto of_lane = [&](float score) { return __uint_as_float(__float_as_uint(score) | lane); };
  Merged merged{of_lane(best.first), of_lane(best.second), of_lane(best.third)};
#pragma unroll
  for (int step = 1; step < 4; step *= 2) {
    merged.merge({__shfl_xor_sync(full_warp, merged.first, step), __shfl_xor_sync(full_warp, merged.second, step),
                  __shfl_xor_sync(full_warp, merged.third, step)});
  }
  return merged;
}

/// What a block is told of a point: a member's score each, beside the best groups.
struct alignas(16) Judged {
  Merged best;
  float unused;
  float members[group_size];
};

/// Writes what four lanes found of their point. By all lanes of a warp.
__device__ inline void write_judged(const Best& best, Judged* to) {
  const Merged merged = merge_four(best);
  if (threadIdx.x % index_step == 0) *reinterpret_cast<float4*>(to) = {merged.first, merged.second, merged.third, 0};
  if (threadIdx.x % index_step != group_of(merged.first, index_step - 1)) return;
#pragma unroll
  for (int i = 0; i < group_size; i += 4) {
    *reinterpret_cast<float4*>(to->members + i) = {best.members[i], best.members[i + 1], best.members[i + 2], best.members[i + 3]};
  }
}

/// What is known of a point once its scores are compared: its label; members of the first group and perhaps the second that it lies
/// among; nothing.
enum class Verdict : int { none, decided, open, whole };

struct Judgement {
  Verdict verdict = Verdict::none;
  unsigned members = 0;
  unsigned second = no_group;
  /// In its group, where `decided`.
  unsigned label = 0;
  /// All clusters that are not in question have no lower score.
  float beyond = 0;
};

/// @param mask of the groups in scores. @param slack of the point. @param cluster_slack of the cell's clusters in their places. @param by_distance: what is certain of its
/// group, too, is left to distances.
__device__ inline Judgement judge(const Judged& of, unsigned mask, float slack, const float* cluster_slack, bool by_distance) {
  const Merged& best = of.best;
  // The best of the group.
  Judgement found;
  const unsigned group = group_of(best.first, mask);
  float least = of.members[0];
#pragma unroll
  for (int i = 1; i < group_size; i++) {
    if (of.members[i] < least) least = of.members[i], found.label = static_cast<unsigned>(i);
  }
  const float threshold = 1.0001f * (slack + cluster_slack[group * group_size + found.label]);
  if (best.second - best.first > threshold) {
    found.beyond = best.second;
  } else if (best.third - best.first > threshold && threshold < hopeless) {
    found.second = group_of(best.second, mask);
    found.beyond = best.third;
  } else {
    found.verdict = Verdict::whole;
    return found;
  }
#pragma unroll
  for (int i = 0; i < group_size; i++) {
    // What is no number is in question.
    if (!(of.members[i] - best.first > threshold)) found.members |= 1u << i;
  }
  found.members |= 1u << found.label;
  if (by_distance) found.members = all_members;
  const bool is_alone = (found.members & (found.members - 1)) == 0 && found.second == no_group;
  found.verdict = is_alone ? Verdict::decided : Verdict::open;
  return found;
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

/// What there is of a point before its scores are.
struct Known {
  size_t point;
  size_t row = 0;
  float2 slack{};
  unsigned before = 0;
  /// One of the pass.
  bool real;
};

__device__ inline Known know(size_t point, const Pass& pass, const Work& work) {
  Known known;
  known.point = point;
  known.real = point >= pass.first && point < pass.first + pass.count;
  if (!known.real) return known;
  known.row = work.row_of(point);
  known.slack = work.point_slack[point];
  known.before = kept_of(point, pass, work);
  return known;
}

/// Labels the points of a warp, Count a lane, or puts them on a list; all are of one cell. By all lanes.
/// @param listed lengths of the segment's lists, as far as this kernel knows.
/// @param width as `width_of_centroids`.
template <int Count>
__device__ __forceinline__ void label_or_list(const Judged* const (&of)[Count], const Known (&known)[Count], unsigned cell, size_t list,
                                             float width, Listed* listed, unsigned segment, const Pass& pass, const Work& work) {
  const bool notes = takes_notes(work.records, pass);
  const unsigned lane = threadIdx.x % 32, before = (1u << lane) - 1;
  Judgement found[Count];
  unsigned labels[Count], open[Count], whole[Count], moving[Count];
  unsigned all_open = 0, all_whole = 0, all_moving = 0;
#pragma unroll
  for (int i = 0; i < Count; i++) {
    if (known[i].real) found[i] = judge(*of[i], work.index_mask, width * known[i].slack.x, work.cluster_slack_in(cell), notes);
    const bool is_decided = found[i].verdict == Verdict::decided;
    labels[i] = is_decided ? work.cluster_at(group_of(of[i]->best.first, work.index_mask) * group_size + found[i].label) : 0;
    open[i] = __ballot_sync(full_warp, found[i].verdict == Verdict::open);
    whole[i] = __ballot_sync(full_warp, found[i].verdict == Verdict::whole);
    moving[i] = __ballot_sync(full_warp, is_decided && pass.accumulate && known[i].before != labels[i] + 1);
    all_open += static_cast<unsigned>(__popc(open[i]));
    all_whole += static_cast<unsigned>(__popc(whole[i]));
    all_moving += static_cast<unsigned>(__popc(moving[i]));
  }
  unsigned slot = 0;
  // Side by side: answers take long.
  if (lane == 0 && all_open > 0) slot = atomicAdd(&listed->open, all_open);
  if (lane == 1 && all_moving > 0) slot = atomicAdd(&listed->moves, all_moving);
  if (lane == 2 && all_whole > 0) slot = atomicAdd(work.whole_count, all_whole);
#pragma unroll
  for (int i = 0; i < Count; i++) {
    const bool is_decided = found[i].verdict == Verdict::decided;
    count_changes(is_decided && note_label(pass, known[i].row, static_cast<std::int32_t>(labels[i])) != 0, pass);
    if (!notes || !known[i].real) continue;
    const bool is_whole = found[i].verdict == Verdict::whole;
    work.records.outside[known[i].row] = is_whole ? 0.0f : distance_of_score(found[i].beyond, known[i].point, list, work);
  }
  if (all_open + all_whole + all_moving == 0) return;
  unsigned at_open = __shfl_sync(full_warp, slot, 0), at_moves = __shfl_sync(full_warp, slot, 1), at_whole = __shfl_sync(full_warp, slot, 2);
#pragma unroll
  for (int i = 0; i < Count; i++) {
    const auto point = static_cast<unsigned>(known[i].point);
    if (found[i].verdict == Verdict::open) {
      const size_t at = work.start_of(segment) + at_open + __popc(open[i] & before);
      work.open[at] = {point, group_of(of[i]->best.first, work.index_mask), found[i].second, found[i].members};
    }
    if (found[i].verdict == Verdict::whole) {
      const unsigned at = at_whole + __popc(whole[i] & before);
      work.whole[at] = {point, segment};
      work.keys[at] = ~0ull;
      work.seconds[at] = ~0ull;
      work.thirds[at] = ~0u;
    }
    if (moving[i] >> lane & 1) {
      move(known[i].point, known[i].row, labels[i], known[i].before, segment, at_moves + __popc(moving[i] & before), work);
    }
    at_open += static_cast<unsigned>(__popc(open[i]));
    at_whole += static_cast<unsigned>(__popc(whole[i]));
    at_moves += static_cast<unsigned>(__popc(moving[i]));
  }
}

}  // namespace centroid_lab::cuda::matrix_filter

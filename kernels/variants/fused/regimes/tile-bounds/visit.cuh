// The parts of a tile's visit: its points, the search among candidates, and the moves between sums.
#pragma once

#include "settle.cuh"
#include "tiles.cuh"

namespace centroid_lab::cuda {

constexpr unsigned whole_warp = 0xffffffffU;
/// Candidates that are compared at once where points do not stay in registers.
constexpr int candidates_at_once = 8;

/// The sum, and the smallest, of the lanes' numbers; one instruction from compute capability 8.0 on.
template <class Value>
__device__ inline Value sum_of_lanes(Value value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(whole_warp, value);
#else
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(whole_warp, value, step);
  return value;
#endif
}

__device__ inline unsigned smallest_of_lanes(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(whole_warp, value);
#else
  for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(whole_warp, value, step));
  return value;
#endif
}

/// Bounded error: 2^-23 of itself, which `slack_of` has room for.
__device__ inline float fast_root(float value) {
  float root;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(value));
  return root;
}

/// One feature's share of a distance; features are added up in their order, as `fused` does.
__device__ inline float add_difference(float distance, float a, float b) {
  const float difference = a - b;
  return fmaf(difference, difference, distance);
}

/// What one visit of a tile knows of it.
struct Visit {
  std::size_t tile;
  /// Bounds of the tile, less `travelled` of their centroid and this drift: leads as they are now.
  float* leads;
  float drift;
};

/// A bound as it is kept, from a lead as it is now.
__device__ inline float kept_lead(const TileArguments& to, const Visit& visit, int c, float lead) {
  return __fadd_rd(__fadd_rd(lead, to.travelled[c]), visit.drift);
}

__device__ inline float lead_now(const TileArguments& to, const Visit& visit, int c) {
  return __fsub_rd(__fsub_rd(visit.leads[c], to.travelled[c]), visit.drift);
}

/// The nearest centroid of each point of a lane, beginning with its label.
struct Search {
  float smallest[points_per_lane];
  int nearest[points_per_lane];
  /// As in NearestWithGap, of centroids other than the label.
  float gap[points_per_lane];
  int label[points_per_lane];
  /// Distance to the label, with room for rounding. proof.md, "Leads", has the proof.
  float near[points_per_lane];
  /// Smallest lead of the candidates so far.
  float lead = INFINITY;
  float keep;

  /// Rows past the end have a distance that nothing can beat, and any lead.
  __device__ void begin(const TileArguments& to, int p, bool is_point, int its_label, float distance) {
    const float slack = 16 * slack_of(to.d);
    keep = 1 - slack;
    label[p] = nearest[p] = its_label;
    gap[p] = INFINITY;
    smallest[p] = is_point ? distance : -1.0F;
    near[p] = is_point ? fast_root(distance) * (1 + slack) + 4 * tiny_distance : -INFINITY;
  }
  /// Compares one candidate, and keeps its lead.
  __device__ void offer(const TileArguments& to, const Visit& visit, int candidate, const float (&distance)[points_per_lane]) {
    float its_lead = INFINITY;
#pragma unroll
    for (int p = 0; p < points_per_lane; p++) {
      const float lead_of_point = fmaf(fast_root(distance[p]), keep, -near[p]);
      if (label[p] != candidate) {
        its_lead = fminf(its_lead, lead_of_point);
        gap[p] = fminf(gap[p], fabsf(distance[p] - smallest[p]));
      }
      if (distance[p] < smallest[p]) {
        smallest[p] = distance[p];
        nearest[p] = candidate;
      }
    }
    // Floats that are not negative are ordered like integers.
    its_lead = __uint_as_float(smallest_of_lanes(__float_as_uint(fmaxf(its_lead, 0.0F))));
    if (threadIdx.x % 32 == 0) visit.leads[candidate] = kept_lead(to, visit, candidate, its_lead);
    lead = fminf(lead, its_lead);
  }
};

/// A lane's points of a tile, feature by feature.
struct PointsOfTile {
  const float* first;

  __device__ __forceinline__ Strided operator()(int p) const { return {first + p * 32, tile_points}; }
};

/// The points of a tile in registers, up to D features.
template <int D>
struct TilePoints {
  float x[points_per_lane][D];

  __device__ TilePoints(const TileArguments& to, std::size_t tile) {
    const float* from = to.points + tile * to.d * tile_points + threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < D; j++) {
#pragma unroll
      for (int p = 0; p < points_per_lane; p++) x[p][j] = j < to.d ? from[j * tile_points + p * 32] : 0.0F;
    }
  }
  __device__ float distance_to(const TileArguments& to, int p, int c) const {
    float row[D];
    load_row(to.rows + static_cast<std::size_t>(c) * D, row);
    return squared_distance(x[p], row);
  }
  __device__ void offer(const TileArguments& to, const Visit& visit, int candidate, Search& search) {
    float row[D];
    float distance[points_per_lane];
    load_row(to.rows + static_cast<std::size_t>(candidate) * D, row);
#pragma unroll
    for (int p = 0; p < points_per_lane; p++) distance[p] = squared_distance(x[p], row);
    search.offer(to, visit, candidate, distance);
  }
  __device__ void finish(const TileArguments&, const Visit&, Search&) {}
};

/// Any number of features: points are read again for every eight candidates.
template <>
struct TilePoints<0> {
  const float* from;
  int waiting = 0;
  int mine = 0;

  __device__ TilePoints(const TileArguments& to, std::size_t tile)
      : from(to.points + tile * to.d * tile_points + threadIdx.x % 32) {}

  __device__ float distance_to(const TileArguments& to, int p, int c) const {
    const float* row = to.rows + static_cast<std::size_t>(c) * to.width;
    float distance = 0;
#pragma unroll 4
    for (int j = 0; j < to.d; j++) distance = add_difference(distance, from[j * tile_points + p * 32], row[j]);
    return distance;
  }
  __device__ void offer(const TileArguments& to, const Visit& visit, int candidate, Search& search) {
    if (static_cast<int>(threadIdx.x % 32) == waiting) mine = candidate;
    if (++waiting == candidates_at_once) finish(to, visit, search);
  }
  /// Compares the candidates that wait.
  __device__ void finish(const TileArguments& to, const Visit& visit, Search& search) {
    if (waiting == 0) return;
    const float* rows[candidates_at_once];
#pragma unroll
    for (int c = 0; c < candidates_at_once; c++) {
      rows[c] = to.rows + static_cast<std::size_t>(__shfl_sync(whole_warp, mine, min(c, waiting - 1))) * to.width;
    }
    float distances[candidates_at_once][points_per_lane] = {};
    for (int j = 0; j < to.d; j += 4) {
      float x[points_per_lane][4];
#pragma unroll
      for (int l = 0; l < 4; l++) {
#pragma unroll
        for (int p = 0; p < points_per_lane; p++) x[p][l] = j + l < to.d ? from[(j + l) * tile_points + p * 32] : 0.0F;
      }
#pragma unroll
      for (int c = 0; c < candidates_at_once; c++) {
        const float4 row = *reinterpret_cast<const float4*>(rows[c] + j);
#pragma unroll
        for (int p = 0; p < points_per_lane; p++) {
          float& distance = distances[c][p];
          distance = add_difference(distance, x[p][0], row.x);
          distance = add_difference(distance, x[p][1], row.y);
          distance = add_difference(distance, x[p][2], row.z);
          distance = add_difference(distance, x[p][3], row.w);
        }
      }
    }
#pragma unroll
    for (int c = 0; c < candidates_at_once; c++) {
      if (c < waiting) search.offer(to, visit, __shfl_sync(whole_warp, mine, c), distances[c]);
    }
    waiting = 0;
  }
};

/// Adds to the exact sums of `label`, those kept and those handed out.
__device__ inline void add_to_sums(const TileArguments& to, const Pass& pass, int label, int feature, long long value) {
  const std::size_t at = static_cast<std::size_t>(label) * to.d + feature;
  const auto bits = static_cast<unsigned long long>(value);
  atomicAdd(reinterpret_cast<unsigned long long*>(to.sums) + at, bits);
  atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + at, bits);
}

__device__ inline void add_to_counts(const TileArguments& to, const Pass& pass, int label, int members) {
  atomicAdd(to.counts + label, static_cast<unsigned>(members));
  atomicAdd(pass.counts + label, static_cast<unsigned>(members));
}

__device__ inline long long fixed_point(const TileArguments& to, const float* tile, int feature, int point) {
  return __float2ll_rn(tile[feature * tile_points + point] * to.scale[feature]);
}

/// Few points that change: one after another, a lane a feature.
__device__ inline void move_singly(const TileArguments& to, const Pass& pass, const float* tile,
                                   const bool (&moves)[points_per_lane], const int (&from)[points_per_lane],
                                   const int (&into)[points_per_lane]) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) {
    for (unsigned open = __ballot_sync(whole_warp, moves[p]); open != 0; open &= open - 1) {
      const int owner = __ffs(open) - 1;
      const int old = __shfl_sync(whole_warp, from[p], owner);
      const int label = __shfl_sync(whole_warp, into[p], owner);
      for (int j = lane; j < to.d; j += 32) {
        const long long value = fixed_point(to, tile, j, p * 32 + owner);
        add_to_sums(to, pass, label, j, value);
        if (old >= 0) add_to_sums(to, pass, old, j, -value);
      }
      if (lane == 0) add_to_counts(to, pass, label, 1);
      if (lane == 1 && old >= 0) add_to_counts(to, pass, old, -1);
    }
  }
}

/// Low bits that are added up apart: 32 lanes times four points of them, and what lies above, fit 32 bits for n > 2048.
constexpr int low_bits = 27;

/// The exact sum over a warp of numbers that are four coordinates each.
__device__ inline long long exact_sum(long long value) {
  const unsigned low = sum_of_lanes(static_cast<unsigned>(value) & ((1U << low_bits) - 1));
  const int high = sum_of_lanes(static_cast<int>(value >> low_bits));
  return (static_cast<long long>(high) << low_bits) + static_cast<long long>(low);
}

/// Many points: label by label, each label's points added up by the warp. `sign` is 1 or -1.
__device__ inline void move_together(const TileArguments& to, const Pass& pass, const float* tile,
                                     const bool (&moves)[points_per_lane], const int (&labels)[points_per_lane], int sign) {
  const int lane = threadIdx.x % 32;
  unsigned open = 0;
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) open |= moves[p] ? 1U << p : 0U;
  for (unsigned lanes = __ballot_sync(whole_warp, open != 0); lanes != 0; lanes = __ballot_sync(whole_warp, open != 0)) {
    int mine = 0;
#pragma unroll
    for (int p = points_per_lane - 1; p >= 0; p--) mine = (open >> p & 1) != 0 ? labels[p] : mine;
    const int label = __shfl_sync(whole_warp, mine, __ffs(lanes) - 1);
    unsigned taken = 0;
    int members = 0;
#pragma unroll
    for (int p = 0; p < points_per_lane; p++) {
      const bool takes = (open >> p & 1) != 0 && labels[p] == label;
      taken |= takes ? 1U << p : 0U;
      members += __popc(__ballot_sync(whole_warp, takes));
    }
    open &= ~taken;
    for (int first = 0; first < to.d; first += 32) {
      long long kept = 0;
      for (int j = first; j < min(to.d, first + 32); j++) {
        long long value = 0;
#pragma unroll
        for (int p = 0; p < points_per_lane; p++) {
          if ((taken >> p & 1) != 0) value += fixed_point(to, tile, j, p * 32 + lane);
        }
        const long long sum = exact_sum(value);
        if (j - first == lane) kept = sum;
      }
      if (first + lane < to.d) add_to_sums(to, pass, label, first + lane, sign * kept);
    }
    if (lane == 0) add_to_counts(to, pass, label, sign * members);
  }
}

}  // namespace centroid_lab::cuda

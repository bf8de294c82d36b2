// The parts of a visit: its points and their own distances, the centroids near enough, and what is known of both.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "kernels.cuh"

namespace centroid_lab::cuda::point_bounds {

constexpr int threads = 128;
/// Centroids that are compared at once by distances: four a thread, eight lanes.
constexpr int lanes = 8;
constexpr int own_centroids = 4;
constexpr int round_centroids = lanes * own_centroids;
constexpr int row_groups = threads / lanes;
constexpr int max_rows = visit_points / row_groups;
/// Keeps rows next to each other off each other's banks, in floats and in float16 numbers.
constexpr int padding = 4;
constexpr int half_padding = 8;
/// Points a warp takes to the matrix units, centroids of one of their instructions, and of a round.
constexpr int warp_points = 16;
constexpr int columns = 8;
constexpr int column_tiles = 8;
constexpr int screen_centroids = columns * column_tiles;
/// Scores of no centroid.
constexpr float no_score = 1e30f;
/// Coordinates of centroids that matter are far below.
constexpr float largest_half = 3e4f;
/// The largest distance of a point becomes less than two to this, for float16.
constexpr int largest_exponent = 7;

/// A point that has two centroids in question, all others being at least as far as `beyond`.
struct Contest {
  int row;
  int clusters[2];
  float beyond;
};

/// Shared memory of a visit, beside the features.
struct Visit {
  unsigned point[visit_points];
  /// Squared distance to the own centroid, as computed, and bounds of its root.
  float squared[visit_points];
  float upper[visit_points];
  int label[visit_points];
  /// Points still open, and those that distances must decide.
  int open[visit_points];
  int unclear[visit_points];
  Contest contests[visit_points];
  int open_count;
  int unclear_count;
  int contest_count;
  int moves;
  int candidates;
  /// Largest of the open points' distances, as bits; how far centroids are looked at.
  unsigned farthest;
  float limit;
  /// A round of the screen: what a score starts from, and how much too low it may come out.
  float half_norms[screen_centroids];
  float slacks[screen_centroids];
};

/// The nearest so far, and the second distance.
struct Two {
  unsigned long long key = ~0ull;
  float second = INFINITY;

  __device__ void offer(unsigned long long other) {
    second = fminf(second, distance_of(max(key, other)));
    key = min(key, other);
  }
};

/// The least scores so far, and of which candidates the first two are.
struct Least {
  float first = no_score;
  float second = no_score;
  float third = no_score;
  int candidate = 0;
  int other = 0;

  __device__ void offer(float score, int its_candidate) {
    third = fminf(third, fmaxf(second, score));
    other = score < first ? candidate : score < second ? its_candidate : other;
    second = fminf(second, fmaxf(first, score));
    if (score < first) first = score, candidate = its_candidate;
  }
  __device__ void merge(int step) {
    const float its_first = __shfl_xor_sync(full_warp, first, step), its_second = __shfl_xor_sync(full_warp, second, step);
    const float its_third = __shfl_xor_sync(full_warp, third, step);
    const int its_candidate = __shfl_xor_sync(full_warp, candidate, step), its_other = __shfl_xor_sync(full_warp, other, step);
    offer(its_first, its_candidate);
    offer(its_second, its_other);
    third = fminf(third, its_third);
  }
};

struct Space {
  float* points;
  float* own;
  float* centroids;
  __half* half_points;
  __half* half_centroids;
  unsigned short* list;
  int stride;
  /// Of rows in float16, and matrix instructions along the features.
  int half_stride;
  int steps;
};

/// Sets `count` rows of `width` floats on their way, half a warp a row; zeros from `filled` on.
template <class From>
__device__ inline void load_rows(float* to, int stride, int count, int width, int filled, const From& from) {
  constexpr int row_lanes = 16;
  const int lane = threadIdx.x % row_lanes;
  for (int row = threadIdx.x / row_lanes; row < count; row += threads / row_lanes) {
    const float* source = from(row);
    float* own = to + row * stride;
    if (filled % 4 == 0) {
      for (int j = lane * 4; j < width; j += 4 * row_lanes) __pipeline_memcpy_async(own + j, source + j, 16);
      continue;
    }
    for (int j = lane; j < width; j += row_lanes) {
      if (j < filled) __pipeline_memcpy_async(own + j, source + j, 4);
      else own[j] = 0;
    }
  }
  __pipeline_commit();
}

/// Until all rows that this thread has set on their way are there; by all threads.
__device__ inline void wait_for_rows() {
  __pipeline_wait_prior(0);
  __syncthreads();
}

/// Bounds of the points' own distances anew; the points still open; by all threads.
__device__ inline void tighten(const Arguments& to, Visit& visit, const Space& space, int cluster, int count, float lower) {
  const int row = threadIdx.x;
  if (row < count) {
    const float* x = space.points + row * space.stride;
    float distance = 0;
#pragma unroll 4
    for (int j = 0; j < to.width; j += 4) {
      distance = add_squares(distance, *reinterpret_cast<const float4*>(x + j), *reinterpret_cast<const float4*>(space.own + j));
    }
    const float upper = above(distance, to.d);
    visit.squared[row] = distance;
    visit.upper[row] = upper;
    if (surely_nearer(upper, lower, to.d)) {
      keep(to.records, visit.point[row], static_cast<unsigned>(cluster), upper, lower);
    } else {
      visit.open[atomicAdd(&visit.open_count, 1)] = row;
      atomicMax(&visit.farthest, __float_as_uint(upper));
    }
  }
  __syncthreads();
}

/// Lists the centroids that are near enough to the cluster's own; by all threads.
__device__ inline void gather(const Arguments& to, Visit& visit, const Space& space, int cluster, int k) {
  if (threadIdx.x == 0) {
    visit.limit = __fadd_ru(__fmul_ru(__uint_as_float(visit.farthest), far_enough), 16 * tiny_distance);
    visit.candidates = 0;
  }
  __syncthreads();
  constexpr int at_once = 8;
  const int lane = threadIdx.x % 32;
  for (int base = 0; base < k; base += threads * at_once) {
    float apart[at_once];
#pragma unroll
    for (int i = 0; i < at_once; i++) apart[i] = apart_now(to, cluster, min(base + i * threads + static_cast<int>(threadIdx.x), k - 1));
#pragma unroll
    for (int i = 0; i < at_once; i++) {
      const int c = base + i * threads + static_cast<int>(threadIdx.x);
      const bool near = c < k && (c == cluster || !(apart[i] >= visit.limit));
      const unsigned all = __ballot_sync(full_warp, near);
      if (all == 0) continue;
      int start = 0;
      if (lane == 0) start = atomicAdd(&visit.candidates, __popc(all));
      start = __shfl_sync(full_warp, start, 0);
      if (near) space.list[start + __popc(all & ((1u << lane) - 1))] = static_cast<unsigned short>(c);
    }
  }
  __syncthreads();
}

}  // namespace centroid_lab::cuda::point_bounds

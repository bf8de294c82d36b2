// What the kernels of bounds a point share. See proof.md.
#pragma once

#include <cstddef>

#include "methods/matrix-filter/kernels.cuh"
#include "device_variant.hpp"

namespace centroid_lab::cuda::point_bounds {

using namespace matrix_filter;

/// Points of a visit, all of one cluster.
constexpr int visit_points = 64;
/// Centroids farther from a point's own than so many times the distance between these two cannot matter; twice is the least.
constexpr float far_enough = 2.2f;

/// Nanoseconds of a pass with visits of nothing.
constexpr float fixed_time = 10000;

/// State of a run, in device memory; zero at its start. Nothing in a result depends on it.
struct PassState {
  /// Every point has bounds.
  int known;
  /// Distances between centroids are there.
  int measured;
  /// Bounds are looked at in this pass; brute force leaves bounds behind.
  int scanning;
  int noting;
  /// Kernels of brute force, and of visits, do nothing where these are not zero.
  int skip_brute;
  int skip_visits;
  /// Looks at bounds in a row that led to brute force; passes to be made without bounds, and how many the last time.
  int failures;
  int resting;
  int backoff;
  int passes;
  unsigned ticket;
  /// Largest shift of a centroid in this pass, rounded up; of the next.
  float largest_shift;
  float next_shift;
  /// Points whose label is open, and their visits.
  unsigned open;
  unsigned visits;
  /// Cycles that the visits of this pass are counted, and nanoseconds of one, of a pass by brute force, and at which this began.
  float work;
  float visit_rate;
  float brute_time;
  unsigned long long began;
};

/// A point whose label is open, and its place among those of its cluster.
struct Open {
  unsigned point;
  unsigned rank;
  unsigned cluster;
};

/// Counters apart from each other, so that atomic additions do not queue up.
struct alignas(32) Count {
  unsigned value;
};

/// Up to `visit_points` open points of a cluster: places first .. first + count - 1 of `order`.
struct alignas(16) VisitOf {
  unsigned cluster;
  unsigned first;
  unsigned count;
  unsigned unused;
};

struct Arguments {
  const float* x = nullptr;
  std::size_t n = 0;
  int d = 0;
  /// Clusters at the start: stride of `apart`.
  int k = 0;
  /// Features filled up with zeros to fours: stride of `rows`.
  int width = 0;
  const float* scale = nullptr;
  PassState* state = nullptr;
  Records records;
  /// (k) each, the former two behind `records`: motions in the whole run; in this pass; radius of the neighbourhood in which
  /// motions count; largest bound of a member; members of the neighbourhood.
  float* travelled = nullptr;
  float* approached = nullptr;
  float* shift = nullptr;
  float* nearby = nullptr;
  float* reach = nullptr;
  unsigned* neighbours = nullptr;
  /// (k, d): centroids of the pass before. (k, width): of this.
  float* before = nullptr;
  float* rows = nullptr;
  /// (k, k): distances of the centroids, from below, plus what both had travelled by then.
  float* apart = nullptr;
  /// (n) each: open points as they come, and by cluster.
  Open* open = nullptr;
  unsigned* order = nullptr;
  /// (k) each: open points of a cluster; where they start, in points and in visits. (n / visit_points + k)
  Count* open_counts = nullptr;
  unsigned* open_starts = nullptr;
  unsigned* visit_starts = nullptr;
  VisitOf* visits = nullptr;
  /// (k, d) and (k): exact sums and counts of the labels kept.
  long long* sums = nullptr;
  unsigned* counts = nullptr;
  /// Nanoseconds of a cycle of visits, expected before it was measured.
  float expected_rate = 0;
  /// Visits whatever they cost.
  bool always = false;
};

/// Measures motions, and decides whether bounds are looked at.
void enqueue_motion(const Arguments& to, const Pass& pass);
/// Finds the points whose label is open, and decides between visits and brute force.
void enqueue_scan(const Arguments& to, const Pass& pass);
/// Compares the open points of each cluster with the centroids around it.
void enqueue_visits(const Arguments& to, const Pass& pass, unsigned blocks);
/// Hands out sums and labels after visits, keeps them after brute force.
void enqueue_handover(const Arguments& to, const Pass& pass);
/// Blocks that fill the device with visits. Sets what their kernel needs.
unsigned visiting_blocks(const Arguments& to, const cudaDeviceProp& device);
/// Features that a visit has room for.
constexpr int max_features = 256;

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__device__ inline unsigned sum_of_lanes(unsigned value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(full_warp, value, step);
  return value;
}

/// Whether the run has ended before `pass`.
__device__ inline bool is_over(const Pass& pass) { return *pass.halted != 0; }

/// The distance of two centroids as it is now, from below.
__device__ inline float apart_now(const Arguments& to, int a, int c) {
  const float kept = to.apart[static_cast<size_t>(a) * to.k + c];
  return __fsub_rd(__fsub_rd(kept, to.travelled[a]), to.travelled[c]);
}

}  // namespace centroid_lab::cuda::point_bounds

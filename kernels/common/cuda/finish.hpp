// The end of an iteration on the device: new centroids, shift, inertia, stop rule. See kernels/contract.md, steps 2 to 5.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "../types.hpp"

namespace centroid_lab::cuda {

/// Why the loop on the device stands still.
enum Halt : int { running = 0, rule_met = 1, limit_reached = 2, empty_cluster = 3 };

/// The state of a run, in device memory, written by `finish` alone.
struct RunState {
  int halted;
  /// Blocks of `finish` that are done with their rows.
  unsigned ticket;
  /// Iterations completed since the start of the run.
  long long iteration;
  /// The iteration after which to halt.
  long long limit;
  /// J of the iteration before; negative when there is none.
  double inertia_before;
};

/// One iteration's figures, as they come back to the host.
struct FinishedIteration {
  long long iteration;
  double inertia;
  double shift_squared;
  double max_squared_norm;
  double max_coordinate;
  long long changed;
  long long empty_clusters;
  long long rule_met;
};

/// What the rows of some clusters add to an iteration's figures.
struct RowTotals {
  double inertia;
  double shift_squared;
  double max_squared_norm;
  double max_coordinate;
  long long empty_clusters;
};

/// What a run in one launch leaves to the host, in page-locked memory that the device writes to: copies would take longer than
/// a short run.
struct RunReport {
  RunState* state = nullptr;
  /// (ring), the iterations of this launch.
  FinishedIteration* finished = nullptr;
  /// (k, d)
  float* centroids = nullptr;
};

struct FinishArguments {
  int k = 0;
  int d = 0;
  long long n = 0;
  /// (k, d): before, and in place after.
  float* centroids = nullptr;
  /// (k, d), one of the two; zeroed once used.
  long long* fixed_sums = nullptr;
  double* real_sums = nullptr;
  /// Sums and counts are kept for the next pass, and not zeroed.
  bool keeps_sums = false;
  /// (d): value of one step of the fixed-point numbers.
  const double* unit = nullptr;
  /// (k) and one number; zeroed once used.
  unsigned* counts = nullptr;
  unsigned* changed = nullptr;
  /// (d) and a number: moments.hpp; null where the inertia is not asked for.
  const double* mean = nullptr;
  double squares = 0;
  /// Halt instead of completing an iteration that has an empty cluster: the policy is not `keep`.
  bool halt_on_empty = false;
  StopRule stop = StopRule::none;
  double threshold = 0;
  RunState* state = nullptr;
  /// (k): work space.
  RowTotals* totals = nullptr;
  /// (ring): iteration i is noted at (i - 1) % ring.
  FinishedIteration* finished = nullptr;
  /// (ring, k, d), the centroids after each iteration; null where nobody asked.
  float* history = nullptr;
  long long ring = 1;
  /// For a run in one launch, which begins with this and leaves `state` alone.
  RunState begin{};
  RunReport report;
};

/// What completes an iteration from sums that stay for the next one: where the host never needs those of the pass.
__host__ __device__ inline FinishArguments of_kept(FinishArguments finish, unsigned long long* sums, unsigned* counts) {
  finish.fixed_sums = reinterpret_cast<long long*>(sums);
  finish.counts = counts;
  finish.keeps_sums = true;
  return finish;
}

/// Clusters that one block of `finish` completes.
int finish_rows_per_block(int k, int d);
int finish_blocks(int k, int d);

/// Completes an iteration whose sums are there.
void enqueue_finish(const FinishArguments& arguments, cudaStream_t stream);

}  // namespace centroid_lab::cuda

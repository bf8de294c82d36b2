// Runs of a given number of iterations over the smallest data: one cooperative launch, one barrier of the grid an iteration.
// All blocks but the last are workers: they hold points, add to one of three sets of sums in turn (while one is read the
// next is empty already) and, past the barrier, work out the new centroids for themselves and go on. The last block is the
// scribe: it notes the iteration for the host while the workers are in the next one.
#pragma once

#include "finish.cuh"
#include "fused_tiny_points.cuh"

namespace centroid_lab::cuda::tiny {

constexpr int sets = 3;

struct ScribeJob {
  const float* x;
  const float* scale;
  /// (sets, k (D + 1) + 1): sums of each cluster, counts, and the labels that changed.
  long long* sets;
  /// Blocks that have come to a barrier since the launch.
  unsigned* arrived;
};

/// Comes to the barrier of all blocks. Called by all threads.
__device__ inline void arrive(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
}

/// Waits until all blocks have come `times` times; what they wrote before is then seen.
__device__ inline void wait(unsigned* arrived, unsigned times) {
  if (threadIdx.x == 0) {
    const unsigned all = times * gridDim.x;
    unsigned seen;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
    } while (static_cast<int>(seen - all) < 0);
  }
  __syncthreads();
}

/// `finish_row` of finish.cuh by one thread, with the additions in the same order.
template <int D>
__device__ RowTotals complete_row(const double* unit, const double* mean, float* centroid, const long long (&sums)[D],
                                  long long count, float* history) {
  double inertia[4] = {}, squared[4] = {};
  double largest = 0;
  const double members = static_cast<double>(count);
#pragma unroll
  for (int j = 0; j < D; j++) {
    const float before = centroid[j];
    float after = before;
    if (count > 0) {
      const double sum = __ll2double_rn(sums[j]) * unit[j];
      after = static_cast<float>(sum / members);
      if (mean != nullptr) {
        const double centre = before - mean[j];
        inertia[j] = centre * (members * centre - 2 * (sum - members * mean[j]));
      }
      const double change = static_cast<double>(after) - static_cast<double>(before);
      squared[j] = change * change;
      largest = fmax(largest, fabs(change));
      centroid[j] = after;
    }
    if (history != nullptr) history[j] = after;
  }
  const double shift = (squared[0] + squared[2]) + (squared[1] + squared[3]);
  return {(inertia[0] + inertia[2]) + (inertia[1] + inertia[3]), shift, shift, largest, count == 0 ? 1 : 0};
}

/// The sum over a warp's lanes, of which those from `lanes` (a power of two) on have nothing.
__device__ inline RowTotals totals_of_warp(RowTotals mine, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    RowTotals other;
    other.inertia = __shfl_xor_sync(everyone, mine.inertia, step);
    other.shift_squared = __shfl_xor_sync(everyone, mine.shift_squared, step);
    other.max_squared_norm = __shfl_xor_sync(everyone, mine.max_squared_norm, step);
    other.max_coordinate = __shfl_xor_sync(everyone, mine.max_coordinate, step);
    other.empty_clusters = __shfl_xor_sync(everyone, mine.empty_clusters, step);
    add_totals(mine, other);
  }
  return mine;
}

/// The sums of cluster c and its count, asked for together.
template <int D>
__device__ __forceinline__ long long load_sums(const long long* set, int k, int c, long long (&sums)[D]) {
  const long long count = __ldcg(set + k * D + c);
#pragma unroll
  for (int j = 0; j < D; j++) sums[j] = __ldcg(set + c * D + j);
  return count;
}

/// Leaves the sums to the host as a pass does.
template <int D>
__device__ void hand_over(const Pass& pass, const long long* set) {
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) pass.fixed_sums[at] = __ldcg(set + at);
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    pass.counts[c] = static_cast<unsigned>(__ldcg(set + pass.k * D + c));
  }
  if (threadIdx.x == 0) *pass.changed = static_cast<unsigned>(__ldcg(set + pass.k * (D + 1)));
}

/// The scribe's iteration past its barrier; `centroids` are its own. `read` is called once the sums are read.
template <int D, class Read>
__device__ __forceinline__ void note(const FinishArguments& to, const double (&unit)[D], const double* mean,
                                     float* centroids, const long long* set, long long slot, Read read) {
  __shared__ RowTotals warps[32];
  float* history = to.history != nullptr ? to.history + slot * to.k * D : nullptr;
  const auto changed = static_cast<unsigned>(__ldcg(set + to.k * (D + 1)));
  const int first = static_cast<int>(threadIdx.x);
  long long sums[D] = {};
  long long count = first < to.k ? load_sums<D>(set, to.k, first, sums) : 0;
  read();
  RowTotals totals = no_totals();
  for (int c = first; c < to.k; c += blockDim.x) {
    if (c != first) count = load_sums<D>(set, to.k, c, sums);
    add_totals(totals, complete_row<D>(unit, mean, centroids + c * D, sums, count,
                                       history != nullptr ? history + c * D : nullptr));
  }
  const int rows_warps = (min(static_cast<int>(blockDim.x), to.k) + 31) / 32;
  if (threadIdx.x / 32 < rows_warps) {
    totals = totals_of_warp(totals, to.k > 16 ? 32 : to.k > 8 ? 16 : 8);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = totals;
  }
  if (rows_warps > 1) __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll 1
  for (int warp = 1; warp < rows_warps; warp++) add_totals(totals, warps[warp]);
  *to.changed = changed;
  note_iteration(to, totals, slot);
}

/// All iterations of the scribe. `centroids (k, D)` is shared memory.
template <int D>
__device__ void keep_record(const ScribeJob& job, const Pass& pass, const FinishArguments& finish, float* centroids) {
  __shared__ RunState state;
  __shared__ unsigned changed_labels;
  __shared__ double means[D];
  FinishArguments to = finish;
  to.state = &state;
  to.changed = &changed_labels;
  if (threadIdx.x == 0) state = *finish.state;
  if (threadIdx.x < D) means[threadIdx.x] = finish.mean != nullptr ? finish.mean[threadIdx.x] : 0;
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) centroids[at] = pass.centroids[at];
  double unit[D];
#pragma unroll
  for (int j = 0; j < D; j++) unit[j] = finish.unit[j];
  __syncthreads();
  long long slot = state.iteration % finish.ring;
  const int size = pass.k * (D + 1) + 1;
  // The workers need only know that the sums are read.
  const bool hurries = !finish.halt_on_empty && pass.k <= static_cast<int>(blockDim.x);
  arrive(job.arrived);
  for (unsigned round = 0; state.halted == running && state.iteration < state.limit; round++) {
    wait(job.arrived, round + 1);
    // Read by all before this barrier, added to after the next.
    long long* next = job.sets + (round + 2) % sets * size;
    for (int at = threadIdx.x; at < size; at += blockDim.x) next[at] = 0;
    const long long* set = job.sets + round % sets * size;
    bool empty = false;
    if (finish.halt_on_empty) {
      for (int c = threadIdx.x; c < pass.k; c += blockDim.x) empty |= __ldcg(set + pass.k * D + c) == 0;
      empty = __syncthreads_or(empty) != 0;
    }
    if (empty) {
      hand_over<D>(pass, set);
      if (threadIdx.x == 0) state.halted = empty_cluster;
    } else {
      note<D>(to, unit, finish.mean != nullptr ? means : nullptr, centroids, set, slot, [&] {
        if (hurries) arrive(job.arrived);
      });
      slot = slot + 1 == finish.ring ? 0 : slot + 1;
    }
    if (!hurries) arrive(job.arrived);
    __syncthreads();
  }
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) finish.centroids[at] = centroids[at];
  if (threadIdx.x == 0) *finish.state = state;
}

/// What a worker does past the barrier of a round: `place(c, row)` is called for every new centroid, each by one thread.
/// Synchronises. @returns whether a cluster is empty and the host must decide, the same in all threads.
template <int D, class Place>
__device__ __forceinline__ bool renew(const Pass& pass, bool halt_on_empty, const double* unit, const long long* set,
                                      Place place) {
  bool empty = false;
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    long long sums[D];
    const long long count = load_sums<D>(set, pass.k, c, sums);
    float row[D];
#pragma unroll
    for (int j = 0; j < D; j++) {
      row[j] = static_cast<float>(__ll2double_rn(sums[j]) * unit[j] / static_cast<double>(count));
    }
    if (count > 0) place(c, row);
    else empty = true;
  }
  const bool leave = halt_on_empty && __syncthreads_or(empty) != 0;
  // racecheck takes the one above for no barrier.
  __syncthreads();
  return leave;
}

}  // namespace centroid_lab::cuda::tiny

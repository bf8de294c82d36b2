// The record of a run over the smallest data, kept by a block of its own (the coordinator) while the workers are in the next
// iteration, and the barrier of all blocks. There is one barrier an iteration: past that of round r the sums of round r are
// complete. Workers add to one of three sets of sums in turn, work out the new centroids for themselves and go on.
//
// Where a rule may stop the run, workers are ahead of the decision to stop: that on round r is published before the coordinator comes to
// barrier r + 2, so that past it all of them know. They look no earlier, so that all leave in the same round, and take back the
// labels of up to two rounds that do not count.
#pragma once

#include "finish.cuh"

namespace centroid_lab::cuda::whole_runs {

constexpr int sets = 3;
/// Rounds that workers may be ahead of the decision to stop.
constexpr unsigned max_ahead = 2;

/// Labels of a point in the last rounds, the latest first.
using Labels = int[max_ahead + 1];

/// That of the round which is followed by so many that do not count.
__device__ __forceinline__ int label_of(const Labels& labels, unsigned ahead) {
  return ahead == 0 ? labels[0] : ahead == 1 ? labels[1] : labels[2];
}

/// What the blocks of a launch tell each other; zero when it begins.
struct Exchange {
  /// Blocks that have come to a barrier.
  unsigned* arrived;
  /// Rounds that count, once that is known.
  unsigned* stop_decision;
  /// (sets, D + 1, k) and then the labels that changed: sums of each feature, and members.
  long long* sums;

  /// Words of 8 bytes.
  static std::size_t words(int k, int d) { return 1 + sets * (static_cast<std::size_t>(k) * (d + 1) + 1); }

  __host__ __device__ static Exchange at(long long* memory) {
    auto* first = reinterpret_cast<unsigned*>(memory);
    return {first, first + 1, memory + 1};
  }
  __device__ long long* set(unsigned round, int k, int d) const { return sums + round % sets * (k * (d + 1) + 1); }
};

/// Comes to the barrier of all blocks, after everything that the block has written. Called by all threads.
__device__ inline void arrive(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
}

/// The same of a block that has only read, and has what it read: it need not wait for its own writes, which takes longer than a
/// round of the workers.
__device__ inline void arrive_having_read(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
}

__device__ inline unsigned load_acquire(const unsigned* from) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

/// Waits until all blocks have come `times` times; what they wrote before is then seen.
__device__ inline void wait(const unsigned* arrived, unsigned times) {
  if (threadIdx.x == 0) {
    const unsigned all = times * gridDim.x;
    while (static_cast<int>(load_acquire(arrived) - all) < 0) {
    }
  }
  __syncthreads();
}

/// `finish_row` of finish.cuh by one thread, with the additions in the same order, which for up to four features is even ones and odd
/// ones apart. One feature after the other: registers spilt
/// in the coordinator's loop would come back from memory, as barriers empty the cache.
template <int D>
__device__ RowTotals complete_row(const double* unit, const double* mean, float* centroid, const volatile long long* sums,
                                  long long count, float* history) {
  double inertia[2] = {}, squared[2] = {};
  double largest = 0;
  const double members = static_cast<double>(count);
#pragma unroll
  for (int j = 0; j < D; j++) {
    const float before = centroid[j];
    float after = before;
    if (count > 0) {
      const double sum = __ll2double_rn(sums[j]) * unit[j];
      after = static_cast<float>(sum / members);
      if (mean != nullptr) inertia[j % 2] += inertia_of(before, mean[j], members, sum);
      const double change = static_cast<double>(after) - static_cast<double>(before);
      squared[j % 2] = __dadd_rn(squared[j % 2], __dmul_rn(change, change));
      largest = fmax(largest, fabs(change));
      centroid[j] = after;
    }
    if (history != nullptr) history[j] = after;
  }
  const double shift = squared[0] + squared[1];
  return {inertia[0] + inertia[1], shift, shift, largest, count == 0 ? 1 : 0};
}

/// `totals_of_warp` of finish.cuh, where lanes from `lanes` (a power of two) on have nothing.
__device__ inline RowTotals totals_of_lanes(RowTotals mine, int lanes) {
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
#pragma unroll
  for (int j = 0; j < D; j++) sums[j] = __ldcg(set + j * k + c);
  return __ldcg(set + D * k + c);
}

/// The same into shared memory.
template <int D>
__device__ __forceinline__ long long keep_sums(const long long* set, int k, int c, long long* to) {
  long long sums[D];
  const long long count = load_sums<D>(set, k, c, sums);
#pragma unroll
  for (int j = 0; j < D; j++) to[c * D + j] = sums[j];
  return count;
}

/// Leaves the sums to the host as a pass does.
template <int D>
__device__ void publish_totals(const Pass& pass, const long long* set) {
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) pass.fixed_sums[at] = __ldcg(set + at % D * pass.k + at / D);
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    pass.counts[c] = static_cast<unsigned>(__ldcg(set + pass.k * D + c));
  }
  if (threadIdx.x == 0) *pass.changed = static_cast<unsigned>(__ldcg(set + pass.k * (D + 1)));
}

/// Figures of rows, added up as the contract orders sums over clusters: lane l of the first warp has rows l, l + 32, and so on.
class RowLanes {
 public:
  /// @param pairs shared memory for two numbers a thread.
  __device__ RowLanes(double2* pairs, int k) : pairs_(pairs), k_(k) {}

  /// Rows first .. first + blockDim.x - 1, a thread each; by all threads.
  __device__ __forceinline__ void add(const RowTotals& row, int first) {
    const int lane = static_cast<int>(threadIdx.x);
    if (k_ <= 32) {
      own_ = row;
      return;
    }
    // What knows no order stays with its thread.
    own_.max_squared_norm = fmax(own_.max_squared_norm, row.max_squared_norm);
    own_.max_coordinate = fmax(own_.max_coordinate, row.max_coordinate);
    own_.empty_clusters += row.empty_clusters;
    pairs_[lane] = {row.inertia, row.shift_squared};
    __syncthreads();
    if (lane < 32) {
      const int count = min(static_cast<int>(blockDim.x), k_ - first);
#pragma unroll 4
      for (int at = lane; at < count; at += 32) {
        own_.inertia += pairs_[at].x;
        own_.shift_squared += pairs_[at].y;
      }
    }
    __syncthreads();
  }

  /// Of all rows; the first thread gets them. By all threads.
  __device__ __forceinline__ RowTotals total() {
    __shared__ RowTotals warps[32];
    const int rows_warps = (min(static_cast<int>(blockDim.x), k_) + 31) / 32;
    // Lanes without a row come here first. Left apart, each of the many exchanges below would wait for both (3 900 cycles instead of
    // some hundreds).
    __syncwarp();
    if (threadIdx.x / 32 < rows_warps) {
      own_ = totals_of_lanes(own_, k_ > 16 ? 32 : k_ > 8 ? 16 : 8);
      if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own_;
    }
    if (rows_warps > 1) __syncthreads();
    RowTotals all = own_;
    if (threadIdx.x != 0) return all;
    // Sums are the first warp's; others have none.
#pragma unroll 1
    for (int warp = 1; warp < rows_warps; warp++) add_totals(all, warps[warp]);
    return all;
  }

 private:
  double2* pairs_;
  int k_;
  RowTotals own_ = no_totals();
};

/// Notes the iteration whose rows have been added; called by all threads.
__device__ __forceinline__ void note_rows(const FinishArguments& to, RowLanes& rows, unsigned changed, long long slot) {
  const RowTotals totals = rows.total();
  if (threadIdx.x != 0) return;
  *to.changed = changed;
  note_iteration(to, totals, slot);
}

/// The coordinator's round past its barrier; `centroids (k, D)` and `sums (k, D)` are its own. `read` is called once the set is read.
template <int D, class Read>
__device__ __forceinline__ void note(const FinishArguments& to, const double* unit, const double* mean, float* centroids,
                                     long long* sums, double2* pairs, const long long* set, long long slot, Read read) {
  float* history = to.history != nullptr ? to.history + slot * to.k * D : nullptr;
  const auto changed = static_cast<unsigned>(__ldcg(set + to.k * (D + 1)));
  long long count = 0;
  if (static_cast<int>(threadIdx.x) < to.k) count = keep_sums<D>(set, to.k, static_cast<int>(threadIdx.x), sums);
  read();
  RowLanes rows(pairs, to.k);
  for (int first = 0; first < to.k; first += static_cast<int>(blockDim.x)) {
    const int c = first + static_cast<int>(threadIdx.x);
    RowTotals row = no_totals();
    if (c < to.k) {
      if (first > 0) count = keep_sums<D>(set, to.k, c, sums);
      row = complete_row<D>(unit, mean, centroids + c * D, sums + c * D, count, history != nullptr ? history + c * D : nullptr);
    }
    rows.add(row, first);
  }
  note_rows(to, rows, changed, slot);
}

/// What the host is told at the end. The block must be synchronised.
template <int D>
__device__ void report(const FinishArguments& finish, const RunState& state, const float* centroids) {
  for (int at = threadIdx.x; at < finish.k * D; at += blockDim.x) {
    finish.report.centroids[at] = finish.centroids[at] = centroids[at];
  }
  for (long long done = finish.begin.iteration + threadIdx.x; done < state.iteration; done += blockDim.x) {
    finish.report.finished[done % finish.ring] = finish.finished[done % finish.ring];
  }
  if (threadIdx.x == 0) *finish.report.state = state;
}

/// All rounds of the coordinator. `centroids (k, D)`, `sums (k, D)` and `pairs`, one a thread, are shared memory; `next`, so many words, is made ready for the
/// launch after this one, which may have more clusters.
template <int D>
__device__ void write_iterations(const Exchange& here, long long* next, size_t words, const Pass& pass, const FinishArguments& finish,
                            float* centroids, long long* sums, double2* pairs) {
  __shared__ RunState state;
  __shared__ unsigned changed_labels;
  __shared__ double unit[D], means[D];
  FinishArguments to = finish;
  to.state = &state;
  to.changed = &changed_labels;
  if (threadIdx.x == 0) state = finish.begin;
  if (threadIdx.x < D) means[threadIdx.x] = finish.mean != nullptr ? finish.mean[threadIdx.x] : 0;
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) centroids[at] = pass.centroids[at];
  if (threadIdx.x < D) unit[threadIdx.x] = finish.unit[threadIdx.x];
  __syncthreads();
  long long slot = state.iteration % finish.ring;
  // The workers need only know that the sums are read.
  const bool hurries = pass.k <= static_cast<int>(blockDim.x);
  arrive_having_read(here.arrived);
  unsigned round = 0;
  while (state.halted == running && state.iteration < state.limit) {
    wait(here.arrived, round + 1);
    const long long* set = here.set(round, pass.k, D);
    bool empty = false;
    if (finish.halt_on_empty) {
      for (int c = threadIdx.x; c < pass.k; c += blockDim.x) empty |= __ldcg(set + pass.k * D + c) == 0;
      empty = __syncthreads_or(empty) != 0;
    }
    if (empty) {
      publish_totals<D>(pass, set);
      if (threadIdx.x == 0) state.halted = empty_cluster;
    } else {
      note<D>(to, unit, finish.mean != nullptr ? means : nullptr, centroids, sums, pairs, set, slot, [&] {
        if (hurries) arrive_having_read(here.arrived);
      });
      slot = slot + 1 == finish.ring ? 0 : slot + 1;
      if (!hurries) arrive_having_read(here.arrived);
    }
    round++;
    __syncthreads();
  }
  if (threadIdx.x == 0) *here.stop_decision = round;
  // The workers are one round ahead, and to be let into the one in which they look; a barrier they have not all come to must not be
  // counted for.
  if (state.halted == rule_met && state.iteration < state.limit) wait(here.arrived, round + 1);
  arrive(here.arrived);
  for (size_t at = threadIdx.x; at < words; at += blockDim.x) next[at] = 0;
  report<D>(finish, state, centroids);
}

/// A worker's share in making the set of the next round ready: all have read it before the last barrier, and add to it after the
/// next one.
__device__ inline void clear_share(long long* set, int words) {
  const unsigned workers = gridDim.x - 1;
  for (unsigned at = blockIdx.x + threadIdx.x * workers; at < static_cast<unsigned>(words); at += blockDim.x * workers) set[at] = 0;
}

/// What a worker does past the barrier of a round: new centroids of the clusters that have members, each by the thread that looks at
/// it in `list_clusters`. @returns whether a cluster is empty and the host must decide, the same in all threads.
template <int D>
__device__ __forceinline__ bool renew(const Pass& pass, bool halt_on_empty, const double* unit, const long long* set,
                                      float* centroids) {
  bool empty = false;
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    long long sums[D];
    const long long count = load_sums<D>(set, pass.k, c, sums);
    if (count == 0) empty = true;
#pragma unroll
    for (int j = 0; j < D; j++) {
      const auto mean = static_cast<float>(__ll2double_rn(sums[j]) * unit[j] / static_cast<double>(count));
      if (count > 0) centroids[c * D + j] = mean;
    }
  }
  return halt_on_empty && __syncthreads_or(empty) != 0;
}

}  // namespace centroid_lab::cuda::whole_runs

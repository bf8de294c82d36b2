// `fused` for data so small that launches would outlast the work: one cooperative launch for many iterations, points in
// registers for all of it. Each iteration has one barrier of the grid: blocks add their sums to one of three sets in
// turn (while one is read the next is empty already), then every block completes all centroids for itself.
#include <algorithm>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "finish.cuh"
#include "fused_regimes.hpp"
#include "fused_tiny_points.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

using namespace tiny;

constexpr int sets = 3;
struct TinyJob {
  const float* x;
  const float* scale;
  /// (sets, k (D + 1) + 1): sums of each cluster, counts, and the labels that changed.
  long long* sets;
  /// Blocks that have come to a barrier since the launch.
  unsigned* arrived;
};

/// Waits until all blocks have come here `times` times; what they wrote before is then seen.
__device__ void meet(unsigned* arrived, unsigned times) {
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
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
__device__ RowTotals complete_row(const FinishArguments& to, float* centroid, const long long* sums, long long count,
                                  float* history) {
  double inertia[4] = {}, squared[4] = {};
  double largest = 0;
  const double members = static_cast<double>(count);
#pragma unroll
  for (int j = 0; j < D; j++) {
    const float before = centroid[j];
    float after = before;
    if (count > 0) {
      const double sum = __ll2double_rn(__ldcg(sums + j)) * to.unit[j];
      after = static_cast<float>(sum / members);
      if (to.mean != nullptr) {
        const double centre = before - to.mean[j];
        inertia[j] = centre * (members * centre - 2 * (sum - members * to.mean[j]));
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

__device__ RowTotals totals_of_warp(RowTotals mine) {
  for (int step = 16; step > 0; step /= 2) {
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

/// All centroids by this block from the sums of all; block 0 notes the iteration for the host. `to` names shared memory
/// for what is the block's own.
template <int D>
__device__ void complete(const FinishArguments& to, const Shared<D>& shared, const long long* set) {
  __shared__ RowTotals warps[32];
  const bool notes = blockIdx.x == 0 && to.history != nullptr;
  float* history = notes ? to.history + (to.state->iteration % to.ring) * shared.k * D : nullptr;
  // Asked for early, by the thread that notes it.
  const unsigned changed = threadIdx.x == 0 ? static_cast<unsigned>(__ldcg(set + shared.values)) : 0;
  RowTotals totals = no_totals();
  for (int c = threadIdx.x; c < shared.k; c += blockDim.x) {
    const long long count = __ldcg(set + shared.k * D + c);
    const RowTotals row = complete_row<D>(to, shared.centroids + c * D, set + c * D, count,
                                          notes ? history + c * D : nullptr);
    add_totals(totals, row);
  }
  const int rows_warps = min(static_cast<int>(blockDim.x), shared.k + 31) / 32;
  if (threadIdx.x / 32 < rows_warps) {
    totals = totals_of_warp(totals);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = totals;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    totals = no_totals();
    for (int warp = 0; warp < rows_warps; warp++) add_totals(totals, warps[warp]);
    *to.changed = changed;
    note_iteration(to, totals, to.state->iteration % to.ring);
  }
  __syncthreads();
}

/// Whether any cluster is empty and the host must decide; all threads get the answer.
template <int D>
__device__ bool host_must_decide(const FinishArguments& to, const Shared<D>& shared, const long long* set) {
  if (!to.halt_on_empty) return false;
  bool empty = false;
  for (int c = threadIdx.x; c < shared.k; c += blockDim.x) empty |= __ldcg(set + shared.k * D + c) == 0;
  return __syncthreads_or(empty) != 0;
}

/// Leaves the sums to the host as a pass does.
template <int D>
__device__ void hand_over(const Pass& pass, const Shared<D>& shared, const long long* set) {
  for (int at = threadIdx.x; at < shared.k * D; at += blockDim.x) pass.fixed_sums[at] = __ldcg(set + at);
  for (int c = threadIdx.x; c < shared.k; c += blockDim.x) {
    pass.counts[c] = static_cast<unsigned>(__ldcg(set + shared.k * D + c));
  }
  if (threadIdx.x == 0) *pass.changed = static_cast<unsigned>(__ldcg(set + shared.values));
}

template <int D, int L, int P>
__global__ void __launch_bounds__(Layout<D, L, P>::threads, 1) tiny_run(TinyJob job, Pass pass, FinishArguments finish) {
  using Form = Layout<D, L, P>;
  __shared__ RunState state;
  __shared__ FinishedIteration unread;
  __shared__ unsigned changed_labels;
  extern __shared__ long long memory[];
  Shared<D> shared;
  shared.k = pass.k;
  shared.values = pass.k * (D + 1);
  shared.sums = memory;
  shared.centroids =
      reinterpret_cast<float*>(memory + static_cast<size_t>(shared.values) * (Form::reduces ? Form::threads / 32 : 1));
  for (int at = threadIdx.x; at < shared.k * D; at += blockDim.x) shared.centroids[at] = pass.centroids[at];
  if (!Form::reduces) {
    for (int at = threadIdx.x; at < shared.values; at += blockDim.x) shared.sums[at] = 0;
  }
  if (threadIdx.x == 0) state = *finish.state;
  FinishArguments to = finish;
  to.state = &state;
  to.changed = &changed_labels;
  if (blockIdx.x != 0) {
    to.finished = &unread;
    to.ring = 1;
  }

  const size_t workers = static_cast<size_t>(gridDim.x) * (Form::threads / L);
  const size_t worker = static_cast<size_t>(blockIdx.x) * (Form::threads / L) + threadIdx.x / L;
  float x[P][D];
  int before[P];
#pragma unroll
  for (int p = 0; p < P; p++) {
    const size_t point = worker + p * workers;
    const bool exists = point < pass.count;
    before[p] = exists && pass.count_changes ? pass.labels[point] : -1;
#pragma unroll
    for (int j = 0; j < D; j++) x[p][j] = exists ? job.x[point * D + j] : 0.0F;
  }
  __syncthreads();
  const Halves<D, P> halves(x, job.scale);
  const size_t set_size = static_cast<size_t>(shared.values) + 1;
  for (unsigned round = 0; state.halted == running; round++) {
    long long* set = job.sets + round % sets * set_size;
    long long* next = job.sets + (round + 1) % sets * set_size;
    for (size_t at = blockIdx.x * Form::threads + threadIdx.x; at < set_size; at += gridDim.x * Form::threads) next[at] = 0;
    int label[P];
    label_points<D, L, P>(shared, x, label);
    int changed = 0;
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (worker + p * workers >= pass.count) label[p] = -1;
      if (threadIdx.x % L == 0 && label[p] != before[p]) changed++;
      before[p] = label[p];
    }
    if (pass.count_changes) {
      changed = warp_total(changed);
      if (threadIdx.x % 32 == 0) add_to(set + shared.values, changed);
    }
    if constexpr (Form::reduces) reduce_points<D, P>(shared, halves, label, set);
    else add_points<D, L, P>(shared, job.scale, x, label, set);
    meet(job.arrived, round + 1);
    if (host_must_decide<D>(to, shared, set)) {
      if (blockIdx.x == 0) hand_over<D>(pass, shared, set);
      if (threadIdx.x == 0) state.halted = empty_cluster;
      __syncthreads();
    } else {
      complete<D>(to, shared, set);
    }
  }
  if (pass.count_changes && threadIdx.x % L == 0) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (worker + p * workers < pass.count) pass.labels[worker + p * workers] = before[p];
    }
  }
  if (blockIdx.x != 0) return;
  for (int at = threadIdx.x; at < shared.k * D; at += blockDim.x) finish.centroids[at] = shared.centroids[at];
  if (threadIdx.x == 0) *finish.state = state;
}

template <int D, int L, int P>
class Tiny final : public DeviceVariant {
 public:
  using Form = Layout<D, L, P>;

  Tiny(const Problem& problem, std::unique_ptr<DeviceVariant> single)
      : single_(std::move(single)), sets_(sets * (static_cast<std::size_t>(Form::values(problem.k)) + 1)), arrived_(1),
        blocks_(blocks_for(problem.n)) {
    job_ = {problem.x, problem.scale, sets_.get(), arrived_.get()};
    allow_dynamic_shared(tiny_run<D, L, P>, Form::bytes(problem.k));
  }

  static unsigned blocks_for(std::size_t n) {
    constexpr std::size_t each = static_cast<std::size_t>(Form::threads / L) * P;
    return static_cast<unsigned>((n + each - 1) / each);
  }
  static bool holds(const Problem& problem) {
    return blocks_for(problem.n) <= static_cast<unsigned>(problem.device.multiProcessorCount) &&
           Form::bytes(problem.k) + 4096 <= problem.device.sharedMemPerBlockOptin;
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return single_->speed(); }
  bool runs_whole() const override { return true; }
  void enqueue_assign(const Pass& pass) override { single_->enqueue_assign(pass); }

  void enqueue_run(const Pass& pass, const FinishArguments& finish) override {
    sets_.clear(pass.stream);
    arrived_.clear(pass.stream);
    Pass whole = pass;
    FinishArguments to = finish;
    void* arguments[] = {&job_, &whole, &to};
    check(cudaLaunchCooperativeKernel(tiny_run<D, L, P>, dim3(blocks_), dim3(Form::threads), arguments,
                                      Form::bytes(pass.k), pass.stream),
          "cudaLaunchCooperativeKernel of fused, tiny");
  }

 private:
  std::unique_ptr<DeviceVariant> single_;
  Buffer<long long> sets_;
  Buffer<unsigned> arrived_;
  unsigned blocks_;
  TinyJob job_{};
};

template <int D, int L, int P>
bool try_make(const Problem& problem, std::unique_ptr<DeviceVariant>& single) {
  if (!Tiny<D, L, P>::holds(problem)) return false;
  single = std::make_unique<Tiny<D, L, P>>(problem, std::move(single));
  return true;
}

template <int D>
bool make_of(const Problem& problem, std::unique_ptr<DeviceVariant>& single) {
  // The low halves leave the high ones within 32 bits from 2^16 points on.
  const bool reducible = problem.k <= most_reduced && problem.n > 32768;
  if (reducible && try_make<D, 1, 4>(problem, single)) return true;
  if (problem.k > 64 && try_make<D, 16, 1>(problem, single)) return true;
  return try_make<D, 8, 4>(problem, single) || try_make<D, 4, 4>(problem, single);
}

}  // namespace

std::unique_ptr<DeviceVariant> make_fused_tiny(const Problem& problem, std::unique_ptr<DeviceVariant> single) {
  if (problem.device.cooperativeLaunch == 0) return single;
  switch (problem.d) {
    case 1: make_of<1>(problem, single); break;
    case 2: make_of<2>(problem, single); break;
    case 3: make_of<3>(problem, single); break;
    case 4: make_of<4>(problem, single); break;
    default: break;
  }
  return make_fused_tiny_scribe(problem, std::move(single));
}

}  // namespace centroid_lab::cuda

// `fused` for data so small that launches would outlast the work: one cooperative launch for many iterations, points in
// registers for all of it. Each iteration has one barrier of the grid: blocks add their sums to one of three sets in
// turn (while one is read the next is empty already), then every block completes all centroids for itself.
#include <algorithm>

#include "check.hpp"
#include "finish.cuh"
#include "fused_regimes.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr unsigned everyone = 0xffffffffU;
constexpr int sets = 3;
/// Clusters that warps reduce one by one; with more the block's threads meet in shared memory.
constexpr int most_reduced = 16;
/// Points of a warp whose low halves of this many bits add up within 32 bits.
constexpr int low_bits = 24;

struct TinyJob {
  const float* x;
  const float* scale;
  /// (sets, k (D + 1) + 1): sums of each cluster, counts, and the labels that changed.
  long long* sets;
  /// Blocks that have come to a barrier since the launch.
  unsigned* arrived;
};

/// L lanes share the centroids for P points. L = 1: few clusters, warps reduce.
template <int D, int L, int P>
struct Layout {
  static constexpr int threads = L == 1 ? 256 : 1024;
  static constexpr bool reduces = L == 1;

  static int values(int k) { return k * (D + 1); }
  static std::size_t bytes(int k) {
    const auto k_rows = static_cast<std::size_t>(k);
    const std::size_t sums = static_cast<std::size_t>(values(k)) * (reduces ? threads / 32 : 1) * sizeof(long long);
    return sums + k_rows * D * sizeof(float);
  }
};

template <int D>
struct Shared {
  long long* sums;
  float* centroids;
  int k;
  int values;
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

__device__ void add_to(long long* sum, long long value) {
  if (value != 0) atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

/// Labels of a thread's points by direct differences; ties go to the lowest index. The L lanes agree.
template <int D, int L, int P>
__device__ __forceinline__ void label_points(const Shared<D>& shared, const float (&x)[P][D], int (&label)[P]) {
  const int first = threadIdx.x % L;
  float smallest[P];
#pragma unroll
  for (int p = 0; p < P; p++) {
    smallest[p] = INFINITY;
    label[p] = min(first, shared.k - 1);
  }
#pragma unroll 4
  for (int c = first; c < shared.k; c += L) {
    float centroid[D];
#pragma unroll
    for (int j = 0; j < D; j++) centroid[j] = shared.centroids[c * D + j];
#pragma unroll
    for (int p = 0; p < P; p++) {
      float distance = 0;
#pragma unroll
      for (int j = 0; j < D; j++) distance = fmaf(x[p][j] - centroid[j], x[p][j] - centroid[j], distance);
      if (distance < smallest[p]) {
        smallest[p] = distance;
        label[p] = c;
      }
    }
  }
#pragma unroll
  for (int step = L / 2; step > 0; step /= 2) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      const float distance = __shfl_xor_sync(everyone, smallest[p], step);
      const int index = __shfl_xor_sync(everyone, label[p], step);
      if (distance < smallest[p] || (distance == smallest[p] && index < label[p])) {
        smallest[p] = distance;
        label[p] = index;
      }
    }
  }
}

__device__ __forceinline__ int warp_total(int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(everyone, value);
#else
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
#endif
}

/// Fixed-point coordinates of a thread's points in two parts, each of which a warp adds up within 32 bits.
template <int D, int P>
struct Halves {
  unsigned low[P][D];
  int high[P][D];

  __device__ Halves(const float (&x)[P][D], const float* scale) {
#pragma unroll
    for (int p = 0; p < P; p++) {
#pragma unroll
      for (int j = 0; j < D; j++) {
        const long long value = __float2ll_rn(x[p][j] * scale[j]);
        low[p][j] = static_cast<unsigned>(value) & ((1U << low_bits) - 1);
        high[p][j] = static_cast<int>(value >> low_bits);
      }
    }
  }
};

/// Sums by warps into their own rows of shared memory, then by the block into the set. A label of -1 is no point.
template <int D, int P>
__device__ __forceinline__ void reduce_points(const Shared<D>& shared, const Halves<D, P>& halves,
                                              const int (&label)[P], long long* set) {
  const int lane = threadIdx.x % 32;
  long long* mine = shared.sums + threadIdx.x / 32 * shared.values;
#pragma unroll 2
  for (int c = 0; c < shared.k; c++) {
    int count = 0;
    unsigned low[D] = {};
    int high[D] = {};
#pragma unroll
    for (int p = 0; p < P; p++) {
      const bool member = label[p] == c;
      count += member ? 1 : 0;
#pragma unroll
      for (int j = 0; j < D; j++) {
        low[j] += member ? halves.low[p][j] : 0;
        high[j] += member ? halves.high[p][j] : 0;
      }
    }
    count = warp_total(count);
#pragma unroll
    for (int j = 0; j < D; j++) {
      const auto low_total = static_cast<unsigned>(warp_total(static_cast<int>(low[j])));
      const int high_total = warp_total(high[j]);
      if (lane == j) mine[c * D + j] = (static_cast<long long>(high_total) << low_bits) + low_total;
    }
    if (lane == D) mine[shared.k * D + c] = count;
  }
  __syncthreads();
  for (int at = threadIdx.x; at < shared.values; at += blockDim.x) {
    long long sum = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; warp++) sum += shared.sums[warp * shared.values + at];
    add_to(set + at, sum);
  }
}

/// Adds to a 64-bit number in shared memory, in two halves with the carry by hand: the hardware adds 32 bits there.
__device__ void add_shared(long long* sum, long long value) {
  auto* halves = reinterpret_cast<unsigned*>(sum);
  const auto low = static_cast<unsigned>(value);
  const unsigned before = atomicAdd(halves, low);
  const unsigned high = static_cast<unsigned>(value >> 32) + (before + low < low ? 1 : 0);
  if (high != 0) atomicAdd(halves + 1, high);
}

/// Sums by all threads in shared memory, then into the set; shared memory is zero before and after.
template <int D, int L, int P>
__device__ void add_points(const Shared<D>& shared, const float* scale, const float (&x)[P][D], const int (&label)[P],
                           long long* set) {
#pragma unroll
  for (int p = 0; p < P; p++) {
    if (label[p] < 0 || static_cast<int>(threadIdx.x % L) != p % L) continue;
#pragma unroll
    for (int j = 0; j < D; j++) add_shared(shared.sums + label[p] * D + j, __float2ll_rn(x[p][j] * scale[j]));
    atomicAdd(reinterpret_cast<unsigned*>(shared.sums + shared.k * D + label[p]), 1U);
  }
  __syncthreads();
  for (int at = threadIdx.x; at < shared.values; at += blockDim.x) {
    add_to(set + at, shared.sums[at]);
    shared.sums[at] = 0;
  }
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
__global__ void __launch_bounds__(Layout<D, L, P>::threads, 1) tiny(TinyJob job, Pass pass, FinishArguments finish) {
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
    check(cudaFuncSetAttribute(tiny<D, L, P>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(Form::bytes(problem.k))),
          "cudaFuncSetAttribute");
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
    check(cudaLaunchCooperativeKernel(tiny<D, L, P>, dim3(blocks_), dim3(Form::threads), arguments,
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
  return single;
}

}  // namespace centroid_lab::cuda

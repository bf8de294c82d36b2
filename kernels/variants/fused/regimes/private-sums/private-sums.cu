// `fused` for few clusters of few features, bound by memory: centroids in registers, every thread a private column of sums
// in shared memory, a grid that fills the card once. Scores decide where they may (methods/scores).
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "finish.cuh"
#include "../../regimes.hpp"
#include "methods/scores/score_bounds.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// Steps of the index in a sum of weights; beyond it the number of candidates.
constexpr int index_range = 64;
/// What the largest columns take.
constexpr std::size_t shared_bytes = std::size_t{64} << 10;

/// Points that one run of 16-byte vectors holds, and the runs a thread has in flight.
template <int D>
struct Run {
  static constexpr int points = D == 1 ? 4 : D == 2 ? 2 : D == 3 ? 4 : 1;
  static constexpr int vectors = points * D / 4;
  static constexpr int in_flight = D == 3 ? 2 : 4;
  static constexpr int loads = vectors * in_flight;
};

struct PrivateJob {
  const float* x;
  const float* scale;
  /// Upper bound of |x|.
  float reach;
  /// Bits below the count in the first sum of a column.
  int count_shift;
};

template <int D, int K>
struct Centroids {
  float at[K][D];
  /// B + |c|^2/2.
  float start[K];
  float margin;
};

/// Added to the offset of scores: two that differ are then at least 2^-45 apart.
constexpr float lift = 0x1p-20F;
/// Makes any such difference larger than one.
constexpr float steepness = 0x1p60F;

/// All threads of the block get the centroids; rows past k repeat the last one with a score of infinity. Synchronises.
template <int D, int K>
__device__ void load_centroids(const Pass& pass, float reach, Centroids<D, K>& to) {
  __shared__ float rows[K][D];
  __shared__ float starts[K];
  const int mine = threadIdx.x;
  double squared = 0;
  if (mine < K) {
#pragma unroll
    for (int j = 0; j < D; j++) {
      const float value = pass.centroids[min(mine, pass.k - 1) * D + j];
      rows[mine][j] = value;
      squared = fma(static_cast<double>(value), static_cast<double>(value), squared);
    }
  }
  // The largest norm in double, as a number that is not smaller.
  float largest = mine < K ? 1.000001F * static_cast<float>(squared) : 0;
  for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffU, largest, step));
  const ScoreBounds bounds = score_bounds(D, reach, largest);
  if (mine < K) starts[mine] = mine < pass.k ? static_cast<float>(bounds.offset + lift + squared / 2) : INFINITY;
  __shared__ float margin;
  if (mine == 0) margin = bounds.margin + static_cast<float>(D + 3) * 0x1p-22F * lift;
  __syncthreads();
  to.margin = margin;
#pragma unroll
  for (int c = 0; c < K; c++) {
    to.start[c] = starts[c];
#pragma unroll
    for (int j = 0; j < D; j++) to.at[c][j] = rows[c][j];
  }
}

/// The rare way to a label: a plain loop, since a call that needs many registers takes them from the whole kernel.
__device__ __noinline__ int nearest_by_distance(const float* point, const float* centroids, int k, int d) {
  Nearest best;
  for (int cluster = 0; cluster < k; cluster++) {
    float distance = 0;
    for (int j = 0; j < d; j++) {
      const float difference = point[j] - centroids[cluster * d + j];
      distance = fmaf(difference, difference, distance);
    }
    best.offer(cluster, distance);
  }
  return best.cluster;
}

/// 1 when a score is below `most` / steepness, else 0. A comparison would take the pipe of half rate.
__device__ __forceinline__ float is_below(float score, float most) {
  float answer;
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(answer) : "f"(score), "f"(-steepness), "f"(most));
  return answer;
}

/// The one centroid that the scores leave, or a number beyond every index.
template <int D, int K>
__device__ __forceinline__ unsigned only_candidate(const float (&x)[D], const Centroids<D, K>& centroids) {
  float score[K];
#pragma unroll
  for (int c = 0; c < K; c++) {
    score[c] = centroids.start[c];
#pragma unroll
    for (int j = 0; j < D; j++) score[c] = fmaf(-x[j], centroids.at[c][j], score[c]);
  }
  float least = score[0];
#pragma unroll
  for (int c = 1; c < K; c += 2) least = smallest_of(least, score[c], score[min(c + 1, K - 1)]);
  const float most = steepness * (least + centroids.margin);
  // The number of candidates and the sum of their indices, exact, in the mantissa of 2^23.
  float found = 0x1p23F - index_range;
#pragma unroll
  for (int c = 0; c < K; c++) found = fmaf(is_below(score[c], most), static_cast<float>(index_range + c), found);
  return __float_as_uint(found) - __float_as_uint(0x1p23F);
}

/// sum += value + (high << 32), by 32-bit words.
__device__ __forceinline__ void add_to(unsigned& sum_low, unsigned& sum_high, long long value, unsigned high) {
  unsigned low, top;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(top) : "l"(value));
  top += high;
  asm("add.cc.u32 %0, %0, %2;\n\taddc.u32 %1, %1, %3;" : "+r"(sum_low), "+r"(sum_high) : "r"(low), "r"(top));
}

/// Adds a point to the thread's column: D sums a cluster, and one to the count above the first of them.
template <int D>
__device__ __forceinline__ void add_point(long long* column, unsigned cluster, const float (&x)[D],
                                          const float (&scale)[D], unsigned one) {
  if constexpr (D % 2 == 0) {
    uint4* at = reinterpret_cast<uint4*>(column) + cluster * (D / 2 * threads);
#pragma unroll
    for (int j = 0; j < D; j += 2, at += threads) {
      uint4 sums = *at;
      add_to(sums.x, sums.y, __float2ll_rn(x[j] * scale[j]), j == 0 ? one : 0);
      add_to(sums.z, sums.w, __float2ll_rn(x[j + 1] * scale[j + 1]), 0);
      *at = sums;
    }
  } else {
    uint2* at = reinterpret_cast<uint2*>(column) + cluster * (D * threads);
#pragma unroll
    for (int j = 0; j < D; j++, at += threads) {
      uint2 sums = *at;
      add_to(sums.x, sums.y, __float2ll_rn(x[j] * scale[j]), j == 0 ? one : 0);
      *at = sums;
    }
  }
}

/// Where number `item` (cluster * D + feature) of a thread's column lies.
template <int D>
__device__ int slot_of(int item, int thread) {
  if (D % 2 == 0) return ((item / 2) * threads + thread) * 2 + item % 2;
  return item * threads + thread;
}

__device__ long long sum_of_warp(long long value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  return value;
}

/// The block's columns into the global sums, a warp a number; the first warp adds them all at once.
template <int D, int K>
__device__ void add_columns(const long long* columns, const Pass& pass, int count_shift) {
  __shared__ long long sums[K * D];
  __shared__ unsigned counts[K];
  const int lane = threadIdx.x % 32;
  for (int item = threadIdx.x / 32; item < pass.k * D; item += threads / 32) {
    long long sum = 0;
    long long count = 0;
    for (int thread = lane; thread < threads; thread += 32) {
      long long value = columns[slot_of<D>(item, thread)];
      if (item % D == 0) {
        const long long members = (value + (1LL << (count_shift - 1))) >> count_shift;
        count += members;
        value -= members << count_shift;
      }
      sum += value;
    }
    sum = sum_of_warp(sum);
    if (item % D == 0) count = sum_of_warp(count);
    if (lane != 0) continue;
    sums[item] = sum;
    if (item % D == 0) counts[item / D] = static_cast<unsigned>(count);
  }
  __syncthreads();
  for (int item = threadIdx.x; item < pass.k * D; item += threads) {
    atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums + item), static_cast<unsigned long long>(sums[item]));
  }
  if (static_cast<int>(threadIdx.x) < pass.k) atomicAdd(pass.counts + threadIdx.x, counts[threadIdx.x]);
}

template <int D, int K, bool Labels>
struct Worker {
  const PrivateJob& job;
  const Pass& pass;
  Centroids<D, K> centroids;
  float scale[D];
  long long* column;
  unsigned changed;

  /// N points; `index_of(p)` is the number of point p.
  template <int N, class IndexOf>
  __device__ __forceinline__ void take(const float (&x)[N][D], IndexOf index_of) {
    unsigned label[N];
    unsigned largest = 0;
#pragma unroll
    for (int p = 0; p < N; p++) {
      label[p] = only_candidate<D, K>(x[p], centroids);
      largest = max(largest, label[p]);
    }
    if (largest >= index_range) {
#pragma unroll
      for (int p = 0; p < N; p++) {
        if (label[p] >= index_range) label[p] = nearest_by_distance(job.x + index_of(p) * D, pass.centroids, pass.k, D);
      }
    }
#pragma unroll
    for (int p = 0; p < N; p++) {
      if (Labels) changed += note_label(pass, index_of(p), static_cast<int>(label[p]));
      if (!Labels || pass.accumulate) add_point<D>(column, label[p], x[p], scale, 1U << (job.count_shift - 32));
    }
  }

  /// The vectors of N runs, `apart` runs from one to the next.
  template <int N>
  __device__ __forceinline__ void load_runs(size_t first, int apart, float4 (&values)[N * Run<D>::vectors]) const {
    const float4* from = reinterpret_cast<const float4*>(job.x + pass.first * D) + first * Run<D>::vectors;
#pragma unroll
    for (int at = 0; at < N * Run<D>::vectors; at++) {
      values[at] = __ldcs(from + at / Run<D>::vectors * apart * Run<D>::vectors + at % Run<D>::vectors);
    }
  }

  template <int N>
  __device__ __forceinline__ void take_runs(size_t first, int apart, const float4 (&values)[N * Run<D>::vectors]) {
    using R = Run<D>;
    float x[N * R::points][D];
#pragma unroll
    for (int at = 0; at < N * R::points * D; at++) {
      const float4& four = values[at / 4];
      x[at / D][at % D] = at % 4 == 0 ? four.x : at % 4 == 1 ? four.y : at % 4 == 2 ? four.z : four.w;
    }
    const size_t start = pass.first + first * R::points;
    take<N * R::points>(x, [&](int p) {
      return start + static_cast<size_t>(p / R::points * apart * R::points + p % R::points);
    });
  }
};

template <int D, int K, bool Labels>
__global__ void __launch_bounds__(threads, K * (D + 1) <= 36 && D < 4 ? 4 : 2)
private_sums(PrivateJob job, Pass pass, FinishArguments finish) {
  if (*pass.halted != 0) return;
  extern __shared__ longlong2 shared[];
  long long* columns = reinterpret_cast<long long*>(shared);
  // Each thread its own.
  for (int item = 0; item < K * D; item += D % 2 == 0 ? 2 : 1) {
    if (D % 2 == 0) shared[item / 2 * threads + threadIdx.x] = {0, 0};
    else columns[item * threads + threadIdx.x] = 0;
  }
  Worker<D, K, Labels> worker{job, pass, {}, {}, columns + threadIdx.x * (D % 2 == 0 ? 2 : 1), 0};
  load_centroids<D, K>(pass, job.reach, worker.centroids);
#pragma unroll
  for (int j = 0; j < D; j++) worker.scale[j] = job.scale[j];

  // Whole steps of the grid first, then what is left in single runs, then the points of a run that is not whole.
  using R = Run<D>;
  const size_t runs = pass.count / R::points;
  const size_t grid_runs = static_cast<size_t>(gridDim.x) * threads;
  const size_t whole = runs / (grid_runs * R::in_flight) * (grid_runs * R::in_flight);
  const size_t step = grid_runs * R::in_flight;
  size_t run = static_cast<size_t>(blockIdx.x) * (threads * R::in_flight) + threadIdx.x;
  float4 values[R::loads];
  if (run < whole) worker.template load_runs<R::in_flight>(run, threads, values);
  while (run < whole) {
    float4 now[R::loads];
#pragma unroll
    for (int at = 0; at < R::loads; at++) now[at] = values[at];
    if (run + step < whole) worker.template load_runs<R::in_flight>(run + step, threads, values);
    worker.template take_runs<R::in_flight>(run, threads, now);
    run += step;
  }
  for (run = whole + static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; run < runs; run += grid_runs) {
    float4 single[R::vectors];
    worker.template load_runs<1>(run, 0, single);
    worker.template take_runs<1>(run, 0, single);
  }
  const size_t rest = runs * R::points + threadIdx.x;
  if (blockIdx.x == 0 && rest < pass.count) {
    float x[1][D];
#pragma unroll
    for (int j = 0; j < D; j++) x[0][j] = job.x[(pass.first + rest) * D + j];
    worker.template take<1>(x, [&](int) { return pass.first + rest; });
  }
  if (Labels && pass.count_changes && worker.changed > 0) atomicAdd(pass.changed, worker.changed);
  __syncthreads();
  if (!Labels || pass.accumulate) add_columns<D, K>(columns, pass, job.count_shift);
  __shared__ RowTotals totals[threads / 32];
  if (finish.state != nullptr) finish_by_last(finish, totals);
}

int bits_of(std::size_t value) {
  int bits = 0;
  while (value >> bits != 0) bits++;
  return bits;
}

/// For parts of a pass whose first point no vector load could begin with, and points so many that a column's number is full.
std::unique_ptr<DeviceVariant> make_tiled(const Problem& problem) {
  BuiltPlan unused;
  fused::Probes none(unused, false);
  return fused::tiled.make(problem, none);
}

template <int D, int K>
class PrivateSums final : public DeviceVariant {
 public:
  explicit PrivateSums(const Problem& problem) : problem_(problem), tiled_(make_tiled(problem)) {
    double squared = 0;
    for (int j = 0; j < D; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
    job_ = {problem.x, problem.scale, static_cast<float>(1.000001 * std::sqrt(squared)), 0};
    blocks_ = std::min(prepare(private_sums<D, K, false>), prepare(private_sums<D, K, true>));
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return 0.1; }

  bool completes() const override { return true; }

  void enqueue_assign(const Pass& pass) override {
    if (!launch(pass, {})) tiled_->enqueue_assign(pass);
  }

  void enqueue_complete(const Pass& pass, const FinishArguments& finish) override {
    if (launch(pass, finish)) return;
    tiled_->enqueue_assign(pass);
    enqueue_finish(finish, pass.stream);
  }

 private:
  /// @returns false where other kernels must do it.
  bool launch(const Pass& pass, const FinishArguments& finish) {
    constexpr std::size_t step = static_cast<std::size_t>(threads) * Run<D>::points;
    const std::size_t wanted = (pass.count + step - 1) / step;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(blocks_, wanted));
    const std::size_t most = pass.count / (static_cast<std::size_t>(blocks) * threads) + 2 * Run<D>::points + 1;
    const int count_bits = bits_of(most);
    // A column's first number holds a sum and a count: there must be room for both, and vectors must be aligned.
    if (2 * count_bits >= bits_of(problem_.n - 1) || pass.first * D % 4 != 0) return false;
    PrivateJob job = job_;
    job.count_shift = 63 - count_bits;
    const bool labels = pass.write_labels || !pass.accumulate;
    const auto kernel = labels ? private_sums<D, K, true> : private_sums<D, K, false>;
    kernel<<<blocks, threads, column_bytes, pass.stream>>>(job, pass, finish);
    check_launch("fused, private sums");
    return true;
  }

  static constexpr std::size_t column_bytes = static_cast<std::size_t>(K) * D * threads * sizeof(long long);

  /// @returns blocks that the whole device holds at once.
  template <class Kernel>
  unsigned prepare(Kernel kernel) const {
    allow_dynamic_shared(kernel, column_bytes);
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, column_bytes), "occupancy");
    return static_cast<unsigned>(std::max(1, resident) * problem_.device.multiProcessorCount);
  }

  Problem problem_;
  std::unique_ptr<DeviceVariant> tiled_;
  PrivateJob job_{};
  unsigned blocks_ = 1;
};

template <int D>
std::unique_ptr<DeviceVariant> make_of(const Problem& problem) {
  if (problem.k <= 4) return std::make_unique<PrivateSums<D, 4>>(problem);
  if (problem.k <= 5) return std::make_unique<PrivateSums<D, 5>>(problem);
  if (problem.k <= 6) return std::make_unique<PrivateSums<D, 6>>(problem);
  if (problem.k <= 8) return std::make_unique<PrivateSums<D, 8>>(problem);
  if constexpr (D < 4) {
    if (problem.k <= 10) return std::make_unique<PrivateSums<D, 10>>(problem);
  }
  if constexpr (D < 3) {
    if (problem.k <= 12) return std::make_unique<PrivateSums<D, 12>>(problem);
    if (problem.k <= 16) return std::make_unique<PrivateSums<D, 16>>(problem);
  }
  return nullptr;
}

std::string refusal(const Problem& problem) {
  const int max_clusters = problem.d <= 2 ? 16 : problem.d == 3 ? 10 : 8;
  if (problem.d > 4 || problem.k > max_clusters) {
    return "Private sums hold up to 16 clusters of 1 or 2 features, 10 of 3 and 8 of 4.";
  }
  if (problem.device.sharedMemPerBlockOptin < shared_bytes) return "Private sums need 64 KiB of shared memory a block.";
  return "";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) {
  switch (problem.d) {
    case 1: return make_of<1>(problem);
    case 2: return make_of<2>(problem);
    case 3: return make_of<3>(problem);
    default: return make_of<4>(problem);
  }
}

}  // namespace

namespace fused {
const Regime private_sums{"private-sums", refusal, make};
}

}  // namespace centroid_lab::cuda

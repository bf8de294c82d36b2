// `fused` for few clusters of few features, bound by memory: centroids in registers, every thread a private column of sums
// in shared memory, a grid that fills the card once. Scores decide where they may (fused_score.cuh).
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "fused_regimes.hpp"
#include "fused_score.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// Steps of the index in a sum of weights; beyond it the number of candidates.
constexpr int index_range = 64;

/// Points that one run of 16-byte vectors holds, and the runs a thread has in flight.
template <int D>
struct Run {
  static constexpr int points = D == 1 ? 4 : D == 2 ? 2 : D == 3 ? 4 : 1;
  static constexpr int vectors = points * D / 4;
  static constexpr int in_flight = D == 3 ? 2 : 4;
};

struct SmallJob {
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

/// All threads of the block get the centroids; rows past k repeat the last one, which wins every tie against them.
template <int D, int K>
__device__ void load_centroids(const Pass& pass, float reach, Centroids<D, K>& to) {
  float largest = 0;
#pragma unroll
  for (int c = 0; c < K; c++) {
    const int row = min(c, pass.k - 1);
    float squared = 0;
#pragma unroll
    for (int j = 0; j < D; j++) {
      to.at[c][j] = pass.centroids[row * D + j];
      squared = fmaf(to.at[c][j], to.at[c][j], squared);
    }
    largest = fmaxf(largest, squared);
  }
  const ScoreBounds bounds = score_bounds(D, reach, largest);
  to.margin = bounds.margin;
#pragma unroll
  for (int c = 0; c < K; c++) {
    double squared = 0;
#pragma unroll
    for (int j = 0; j < D; j++) squared = fma(static_cast<double>(to.at[c][j]), static_cast<double>(to.at[c][j]), squared);
    // A repeated row must not be a second candidate.
    to.start[c] = c < pass.k ? static_cast<float>(bounds.offset + squared / 2) : INFINITY;
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
  const float most = least + centroids.margin;
  // The number of candidates and the sum of their indices, exact, in the mantissa of 2^23.
  float found = 0x1p23F - index_range;
#pragma unroll
  for (int c = 0; c < K; c++) found = fmaf(at_most(score[c], most), static_cast<float>(index_range + c), found);
  return __float_as_uint(found) - __float_as_uint(0x1p23F);
}

/// a + b + (high << 32).
__device__ __forceinline__ long long add_with(long long a, long long b, unsigned high) {
  unsigned low_a, high_a, low_b, high_b;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low_a), "=r"(high_a) : "l"(a));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low_b), "=r"(high_b) : "l"(b));
  high_b += high;
  unsigned low, top;
  asm("add.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;"
      : "=r"(low), "=r"(top)
      : "r"(low_a), "r"(high_a), "r"(low_b), "r"(high_b));
  long long sum;
  asm("mov.b64 %0, {%1, %2};" : "=l"(sum) : "r"(low), "r"(top));
  return sum;
}

/// Adds a point to the thread's column: D sums a cluster, and one to the count above the first of them.
template <int D>
__device__ __forceinline__ void add_point(long long* column, unsigned cluster, const float (&x)[D],
                                          const float (&scale)[D], unsigned one) {
  long long value[D];
#pragma unroll
  for (int j = 0; j < D; j++) value[j] = __float2ll_rn(x[j] * scale[j]);
  if constexpr (D % 2 == 0) {
    longlong2* at = reinterpret_cast<longlong2*>(column) + cluster * (D / 2 * threads);
#pragma unroll
    for (int j = 0; j < D; j += 2, at += threads) {
      longlong2 sums = *at;
      sums.x = j == 0 ? add_with(sums.x, value[0], one) : sums.x + value[j];
      sums.y += value[j + 1];
      *at = sums;
    }
  } else {
    long long* at = column + cluster * (D * threads);
#pragma unroll
    for (int j = 0; j < D; j++) {
      at[j * threads] = j == 0 ? add_with(at[0], value[0], one) : at[j * threads] + value[j];
    }
  }
}

/// Where number `item` (cluster * D + feature) of a thread's column lies.
template <int D>
__device__ int place_of(int item, int thread) {
  if (D % 2 == 0) return ((item / 2) * threads + thread) * 2 + item % 2;
  return item * threads + thread;
}

__device__ long long sum_of_warp(long long value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  return value;
}

/// The block's columns into the global sums, a warp a number.
template <int D>
__device__ void add_columns(const long long* columns, const Pass& pass, int count_shift) {
  const int lane = threadIdx.x % 32;
  for (int item = threadIdx.x / 32; item < pass.k * D; item += threads / 32) {
    long long sum = 0;
    long long count = 0;
    for (int thread = lane; thread < threads; thread += 32) {
      long long value = columns[place_of<D>(item, thread)];
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
    if (sum != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums + item), static_cast<unsigned long long>(sum));
    }
    if (count != 0) atomicAdd(pass.counts + item / D, static_cast<unsigned>(count));
  }
}

template <int D, int K, bool Labels>
struct Worker {
  const SmallJob& job;
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

  /// N runs, `apart` runs from one to the next, as vectors.
  template <int N>
  __device__ __forceinline__ void take_runs(size_t first, int apart) {
    using R = Run<D>;
    const float4* from = reinterpret_cast<const float4*>(job.x + pass.first * D) + first * R::vectors;
    float x[N * R::points][D];
#pragma unroll
    for (int run = 0; run < N; run++) {
      float values[4 * R::vectors];
#pragma unroll
      for (int v = 0; v < R::vectors; v++) {
        const float4 four = __ldcs(from + run * apart * R::vectors + v);
        values[4 * v] = four.x;
        values[4 * v + 1] = four.y;
        values[4 * v + 2] = four.z;
        values[4 * v + 3] = four.w;
      }
#pragma unroll
      for (int at = 0; at < R::points * D; at++) x[run * R::points + at / D][at % D] = values[at];
    }
    const size_t start = pass.first + first * R::points;
    take<N * R::points>(x, [&](int p) {
      return start + static_cast<size_t>(p / R::points * apart * R::points + p % R::points);
    });
  }
};

template <int D, int K, bool Labels>
__global__ void __launch_bounds__(threads, K * (D + 1) <= 36 && D < 4 ? 4 : 2) small(SmallJob job, Pass pass) {
  if (*pass.halted != 0) return;
  extern __shared__ longlong2 shared[];
  long long* columns = reinterpret_cast<long long*>(shared);
  for (int item = threadIdx.x; item < K * D * threads; item += threads) columns[item] = 0;
  Worker<D, K, Labels> worker{job, pass, {}, {}, columns + threadIdx.x * (D % 2 == 0 ? 2 : 1), 0};
  load_centroids<D, K>(pass, job.reach, worker.centroids);
#pragma unroll
  for (int j = 0; j < D; j++) worker.scale[j] = job.scale[j];
  __syncthreads();

  // Whole steps of the grid first, then what is left in single runs, then the points of a run that is not whole.
  using R = Run<D>;
  const size_t runs = pass.count / R::points;
  const size_t grid_runs = static_cast<size_t>(gridDim.x) * threads;
  const size_t whole = runs / (grid_runs * R::in_flight) * (grid_runs * R::in_flight);
  for (size_t run = static_cast<size_t>(blockIdx.x) * (threads * R::in_flight) + threadIdx.x; run < whole;
       run += grid_runs * R::in_flight) {
    worker.template take_runs<R::in_flight>(run, threads);
  }
  for (size_t run = whole + static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; run < runs; run += grid_runs) {
    worker.template take_runs<1>(run, 0);
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
  if (!Labels || pass.accumulate) add_columns<D>(columns, pass, job.count_shift);
}

int bits_of(std::size_t value) {
  int bits = 0;
  while (value >> bits != 0) bits++;
  return bits;
}

template <int D, int K>
class Small final : public DeviceVariant {
 public:
  explicit Small(const Problem& problem) : problem_(problem), general_(make_fused_general(problem)) {
    double squared = 0;
    for (int j = 0; j < D; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
    job_ = {problem.x, problem.scale, static_cast<float>(1.000001 * std::sqrt(squared)), 0};
    blocks_ = std::min(prepare(small<D, K, false>), prepare(small<D, K, true>));
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return 0.1; }

  void enqueue_assign(const Pass& pass) override {
    constexpr std::size_t step = static_cast<std::size_t>(threads) * Run<D>::points;
    const std::size_t wanted = (pass.count + step - 1) / step;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(blocks_, wanted));
    const std::size_t most = pass.count / (static_cast<std::size_t>(blocks) * threads) + 2 * Run<D>::points + 1;
    const int count_bits = bits_of(most);
    // A column's first number holds a sum and a count: there must be room for both, and vectors must be aligned.
    if (2 * count_bits >= bits_of(problem_.n - 1) || pass.first * D % 4 != 0) return general_->enqueue_assign(pass);
    SmallJob job = job_;
    job.count_shift = 63 - count_bits;
    const bool labels = pass.write_labels || !pass.accumulate;
    const auto kernel = labels ? small<D, K, true> : small<D, K, false>;
    kernel<<<blocks, threads, column_bytes, pass.stream>>>(job, pass);
    check_launch("fused, small");
  }

 private:
  static constexpr std::size_t column_bytes = static_cast<std::size_t>(K) * D * threads * sizeof(long long);

  /// @returns blocks that the whole device holds at once.
  template <class Kernel>
  unsigned prepare(Kernel kernel) const {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, column_bytes), "cudaFuncSetAttribute");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, column_bytes), "occupancy");
    return static_cast<unsigned>(std::max(1, resident) * problem_.device.multiProcessorCount);
  }

  Problem problem_;
  std::unique_ptr<DeviceVariant> general_;
  SmallJob job_{};
  unsigned blocks_ = 1;
};

template <int D, int K>
std::unique_ptr<DeviceVariant> make(const Problem& problem) {
  return std::make_unique<Small<D, K>>(problem);
}

template <int D>
std::unique_ptr<DeviceVariant> make_of(const Problem& problem) {
  if (problem.k <= 4) return make<D, 4>(problem);
  if (problem.k <= 5) return make<D, 5>(problem);
  if (problem.k <= 6) return make<D, 6>(problem);
  if (problem.k <= 8) return make<D, 8>(problem);
  if constexpr (D < 4) {
    if (problem.k <= 10) return make<D, 10>(problem);
  }
  if constexpr (D < 3) {
    if (problem.k <= 12) return make<D, 12>(problem);
    if (problem.k <= 16) return make<D, 16>(problem);
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<DeviceVariant> make_fused_small(const Problem& problem) {
  constexpr std::size_t most_shared = std::size_t{64} << 10;
  if (problem.device.sharedMemPerBlockOptin < most_shared) return nullptr;
  switch (problem.d) {
    case 1: return make_of<1>(problem);
    case 2: return make_of<2>(problem);
    case 3: return make_of<3>(problem);
    case 4: return make_of<4>(problem);
    default: return nullptr;
  }
}

}  // namespace centroid_lab::cuda

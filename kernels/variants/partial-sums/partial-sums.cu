// 512 workers each sum a slice of the points for every cluster into [cluster][coordinate][worker]; a tree in shared
// memory adds the workers. See README.md.
#include <algorithm>

#include "assign_staged.hpp"
#include "check.hpp"
#include "memory.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int max_workers = 512;
/// Workers of a block: one warp, so that its sums of many clusters fit into shared memory.
constexpr int workers_per_block = 32;
/// Clusters of a block, in what every card grants it without asking.
constexpr int max_clusters = 48 * 1024 / (workers_per_block * static_cast<int>(sizeof(double)));
/// Points a worker loads before it adds them.
constexpr int points_at_once = 8;
/// Bytes of private sums beyond which clusters are taken a range at a time.
constexpr size_t max_partial_bytes = size_t{256} << 20;

/// Clusters first .. first + count - 1.
struct Range {
  int first;
  int count;
};

/// One coordinate (the count, where j == d) of a worker's slice: points worker, worker + workers, ..., in this order.
/// `sums` (clusters, workers of the block).
__device__ void sum_slice(const float* x, size_t n, int d, int j, int worker, int workers,
                          const std::int32_t* labels, Range clusters, double* sums) {
  for (size_t first = worker; first < n; first += static_cast<size_t>(workers) * points_at_once) {
    int cluster[points_at_once];
    float value[points_at_once];
#pragma unroll
    for (int l = 0; l < points_at_once; l++) {
      const size_t i = first + static_cast<size_t>(workers) * l;
      cluster[l] = i < n ? labels[i] - clusters.first : -1;
      value[l] = i < n && j < d ? x[i * d + j] : 1;
    }
#pragma unroll
    for (int l = 0; l < points_at_once; l++) {
      if (cluster[l] < 0 || cluster[l] >= clusters.count) continue;
      sums[cluster[l] * workers_per_block + threadIdx.x] += value[l];
    }
  }
}

/// partial (clusters of the range, d + 1, workers). Block (b, j, part): 32 workers, a coordinate, a part of the range.
__global__ void __launch_bounds__(workers_per_block)
    sum_slices(const float* x, size_t n, int d, int workers, Range range, Pass pass, double* partial) {
  extern __shared__ double sums[];
  if (*pass.halted != 0) return;
  const int worker = blockIdx.x * workers_per_block + threadIdx.x;
  const int j = blockIdx.y;
  const int before = blockIdx.z * max_clusters;
  const Range mine{range.first + before, min(max_clusters, range.count - before)};
  // Its own column of the sums is all that a thread looks at: no barrier.
  for (int cluster = 0; cluster < mine.count; cluster++) sums[cluster * workers_per_block + threadIdx.x] = 0;
  if (worker >= workers) return;
  sum_slice(x, n, d, j, worker, workers, pass.labels, mine, sums);
  for (int cluster = 0; cluster < mine.count; cluster++) {
    const size_t row = static_cast<size_t>(before + cluster) * (d + 1) + j;
    partial[row * workers + worker] = sums[cluster * workers_per_block + threadIdx.x];
  }
}

/// Adds the workers of one (cluster, coordinate) a block, as a tree.
__global__ void __launch_bounds__(max_workers / 2)
    add_workers(int d, int workers, int first_cluster, Pass pass, const double* partial) {
  __shared__ double tree[max_workers / 2];
  if (*pass.halted != 0) return;
  const double* row = partial + static_cast<size_t>(blockIdx.x) * workers;
  const int lane = threadIdx.x;
  const int other = lane + max_workers / 2;
  tree[lane] = (lane < workers ? row[lane] : 0) + (other < workers ? row[other] : 0);
  for (int half = max_workers / 4; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) tree[lane] += tree[lane + half];
  }
  if (lane != 0) return;
  const size_t cluster = first_cluster + blockIdx.x / (d + 1);
  const int j = blockIdx.x % (d + 1);
  if (j < d) pass.real_sums[cluster * d + j] += tree[0];
  else pass.counts[cluster] += static_cast<unsigned>(tree[0]);
}

class PartialSums final : public DeviceVariant {
 public:
  explicit PartialSums(const Problem& problem)
      : x_(problem.x), n_(problem.n), d_(problem.d),
        workers_(static_cast<int>(std::min<size_t>(max_workers, problem.n))),
        clusters_at_once_(static_cast<int>(
            std::clamp<size_t>(max_partial_bytes / (sizeof(double) * workers_ * (problem.d + 1)), 1, problem.k))),
        partial_(static_cast<size_t>(clusters_at_once_) * (problem.d + 1) * workers_) {}

  SumKind sums() const override { return SumKind::real; }
  double speed() const override { return 0.01; }

  void enqueue_assign(const Pass& pass) override { enqueue_assign_staged(x_, d_, pass); }

  void enqueue_update(const Pass& pass) override {
    for (Range range{0, 0}; range.first < pass.k; range.first += range.count) {
      range.count = std::min(clusters_at_once_, pass.k - range.first);
      const dim3 grid((workers_ + workers_per_block - 1) / workers_per_block, d_ + 1,
                      (range.count + max_clusters - 1) / max_clusters);
      const size_t bytes = sizeof(double) * workers_per_block * std::min(range.count, max_clusters);
      sum_slices<<<grid, workers_per_block, bytes, pass.stream>>>(x_, n_, d_, workers_, range, pass, partial_.get());
      check_launch("partial-sums: sum slices");
      const unsigned rows = static_cast<unsigned>(range.count) * (d_ + 1);
      add_workers<<<rows, max_workers / 2, 0, pass.stream>>>(d_, workers_, range.first, pass, partial_.get());
      check_launch("partial-sums: add workers");
    }
  }

 private:
  const float* x_;
  size_t n_;
  int d_;
  int workers_;
  int clusters_at_once_;
  Buffer<double> partial_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<PartialSums>(problem); }

const Registration registration({"partial-sums", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

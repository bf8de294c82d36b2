// Workers, 512 unless told otherwise, each sum a slice of the points for every cluster into
// [cluster][coordinate][worker]; a tree in shared memory adds the workers. See README.md.
#include <algorithm>

#include "assign_staged.hpp"
#include "check.hpp"
#include "memory.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

/// Workers of a block: one warp, so that its sums of many clusters fit into shared memory.
constexpr int workers_per_block = 32;
/// Clusters of a block, in what every card grants it without asking.
constexpr int max_clusters = 48 * 1024 / (workers_per_block * static_cast<int>(sizeof(double)));
/// Points a worker loads before it adds them.
constexpr int points_at_once = 8;
/// Bytes of private sums beyond which clusters are taken a range at a time.
constexpr size_t max_partial_bytes = size_t{256} << 20;
/// Threads that add the workers of a sum: half of the study's workers, so that these are a tree from the first step on.
constexpr int adders = default_workers / 2;
/// What a cancel can wait for: points of a slice one after the other, 200 ns each; and points times coordinates times
/// parts of the clusters, which a card goes through at 5e10 a second when all workers are busy.
constexpr size_t points_per_slice = size_t{1} << 18;
constexpr size_t looks_per_update = size_t{1} << 30;
constexpr size_t min_points_per_update = 65536;

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

/// partial (clusters of the range, d + 1, workers). Block (b, part): 32 workers of a coordinate, coordinate by
/// coordinate; a part of the range.
__global__ void __launch_bounds__(workers_per_block)
    sum_slices(const float* x, int d, int workers, Range range, Pass pass, double* partial) {
  extern __shared__ double sums[];
  if (*pass.halted != 0) return;
  const unsigned blocks = (workers + workers_per_block - 1) / workers_per_block;
  const int worker = static_cast<int>(blockIdx.x % blocks) * workers_per_block + threadIdx.x;
  const int j = static_cast<int>(blockIdx.x / blocks);
  const int before = blockIdx.y * max_clusters;
  const Range mine{range.first + before, min(max_clusters, range.count - before)};
  // Its own column of the sums is all that a thread looks at: no barrier.
  for (int cluster = 0; cluster < mine.count; cluster++) sums[cluster * workers_per_block + threadIdx.x] = 0;
  if (worker >= workers) return;
  sum_slice(x + pass.first * d, pass.count, d, j, worker, workers, pass.labels + pass.first, mine, sums);
  for (int cluster = 0; cluster < mine.count; cluster++) {
    const size_t row = static_cast<size_t>(before + cluster) * (d + 1) + j;
    partial[row * workers + worker] = sums[cluster * workers_per_block + threadIdx.x];
  }
}

/// Adds the workers of one (cluster, coordinate) a block: each thread every so many-th, then a tree.
__global__ void __launch_bounds__(adders)
    add_workers(int d, int workers, int first_cluster, Pass pass, const double* partial) {
  __shared__ double tree[adders];
  if (*pass.halted != 0) return;
  const double* row = partial + static_cast<size_t>(blockIdx.x) * workers;
  const int lane = threadIdx.x;
  double sum = 0;
  for (int worker = lane; worker < workers; worker += adders) sum += row[worker];
  tree[lane] = sum;
  for (int half = adders / 2; half > 0; half /= 2) {
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
      : x_(problem.x), d_(problem.d), k_(problem.k),
        workers_(static_cast<int>(std::min<size_t>(problem.workers, problem.n))),
        clusters_at_once_(static_cast<int>(
            std::clamp<size_t>(max_partial_bytes / (sizeof(double) * workers_ * (problem.d + 1)), 1, problem.k))),
        partial_(static_cast<size_t>(clusters_at_once_) * (problem.d + 1) * workers_) {}

  SumKind sums() const override { return SumKind::real; }
  double speed() const override { return 0.01; }

  void enqueue_assign(const Pass& pass) override { enqueue_assign_staged(x_, d_, pass); }

  size_t points_per_update() const override {
    const size_t ranges = (k_ + clusters_at_once_ - 1) / clusters_at_once_;
    const size_t looks = static_cast<size_t>(d_ + 1) * ((k_ + max_clusters - 1) / max_clusters);
    return std::max(min_points_per_update, std::min(workers_ * points_per_slice / ranges, looks_per_update / looks));
  }

  void enqueue_update(const Pass& pass) override {
    const int workers = static_cast<int>(std::min<size_t>(workers_, pass.count));
    for (Range range{0, 0}; range.first < pass.k; range.first += range.count) {
      range.count = std::min(clusters_at_once_, pass.k - range.first);
      const dim3 grid((workers + workers_per_block - 1) / workers_per_block * (d_ + 1),
                      (range.count + max_clusters - 1) / max_clusters);
      const size_t bytes = sizeof(double) * workers_per_block * std::min(range.count, max_clusters);
      sum_slices<<<grid, workers_per_block, bytes, pass.stream>>>(x_, d_, workers, range, pass, partial_.get());
      check_launch("partial-sums: sum slices");
      const unsigned rows = static_cast<unsigned>(range.count) * (d_ + 1);
      add_workers<<<rows, adders, 0, pass.stream>>>(d_, workers, range.first, pass, partial_.get());
      check_launch("partial-sums: add workers");
    }
  }

 private:
  const float* x_;
  int d_;
  int k_;
  int workers_;
  int clusters_at_once_;
  Buffer<double> partial_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<PartialSums>(problem); }

const Registration registration({"partial-sums", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

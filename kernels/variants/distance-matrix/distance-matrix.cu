// The distances of all points to all centroids are stored, then searched, then the members summed by atomics: one
// kernel each. See README.md.
#include "atomic_sums.cuh"
#include "check.hpp"
#include "memory.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

/// Points, centroids and features of a tile.
constexpr int side = 32;
constexpr int threads = 256;
constexpr int warps = threads / side;

/// Stages features from .. from + 31 of a tile's rows, a row a warp, as tile[feature][row]; zeros beyond.
__device__ void stage(const float* rows, size_t count, int d, int from, float (&tile)[side][side + 1]) {
  for (int row = threadIdx.y; row < side; row += warps) {
    const bool inside = static_cast<size_t>(row) < count && from + threadIdx.x < d;
    tile[threadIdx.x][row] = inside ? rows[static_cast<size_t>(row) * d + from + threadIdx.x] : 0;
  }
}

/// Adds the squared differences of the features staged: one point, every eighth centroid of the tile.
__device__ void add_differences(const float (&points)[side][side + 1], const float (&centroids)[side][side + 1],
                                int width, float (&distance)[side / warps]) {
#pragma unroll 4
  for (int j = 0; j < width; j++) {
    const float coordinate = points[j][threadIdx.x];
#pragma unroll
    for (int l = 0; l < side / warps; l++) {
      const float difference = coordinate - centroids[j][threadIdx.y + l * warps];
      distance[l] = fmaf(difference, difference, distance[l]);
    }
  }
}

/// matrix (k, n): squared distances, a tile of 32 points and 32 centroids a block.
__global__ void __launch_bounds__(threads) distances(const float* x, size_t n, int d, Pass pass, float* matrix) {
  __shared__ float points[side][side + 1];
  __shared__ float centroids[side][side + 1];
  if (*pass.halted != 0) return;
  const size_t first_point = static_cast<size_t>(blockIdx.x) * side;
  const int first_cluster = blockIdx.y * side;
  float distance[side / warps] = {};
  for (int from = 0; from < d; from += side) {
    stage(x + (pass.first + first_point) * d, pass.count - first_point, d, from, points);
    stage(pass.centroids + static_cast<size_t>(first_cluster) * d, pass.k - first_cluster, d, from, centroids);
    __syncthreads();
    add_differences(points, centroids, min(side, d - from), distance);
    __syncthreads();
  }
  const size_t point = first_point + threadIdx.x;
#pragma unroll
  for (int l = 0; l < side / warps; l++) {
    const int cluster = first_cluster + threadIdx.y + l * warps;
    if (point < pass.count && cluster < pass.k) matrix[cluster * n + pass.first + point] = distance[l];
  }
}

/// The column of each point searched by one thread.
__global__ void __launch_bounds__(threads) argmin(size_t n, const float* matrix, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t index = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  bool changed = false;
  if (index < pass.count) {
    const size_t i = pass.first + index;
    Nearest best;
#pragma unroll 8
    for (int cluster = 0; cluster < pass.k; cluster++) best.offer(cluster, matrix[cluster * n + i]);
    changed = note_label(pass, i, best.cluster) != 0;
  }
  report_changes(pass, changed);
}

/// One thread for each coordinate of each point; the thread of the first coordinate counts the point.
__global__ void __launch_bounds__(threads) add(const float* x, int d, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at >= pass.count * d) return;
  const size_t i = at / d;
  const int j = static_cast<int>(at - i * d);
  const std::int32_t label = pass.labels[i];
  atomicAdd(pass.real_sums + static_cast<size_t>(label) * d + j, static_cast<double>(x[at]));
  if (j == 0) atomicAdd(pass.counts + label, 1u);
}

class DistanceMatrix final : public DeviceVariant {
 public:
  explicit DistanceMatrix(const Problem& problem)
      : x_(problem.x), n_(problem.n), d_(problem.d), k_(problem.k),
        matrix_(problem.n * static_cast<size_t>(problem.k)) {}

  SumKind sums() const override { return SumKind::real; }
  double speed() const override { return speed_of_atomics(k_) / 2; }

  void enqueue_assign(const Pass& pass) override {
    const dim3 grid(static_cast<unsigned>((pass.count + side - 1) / side), (pass.k + side - 1) / side);
    distances<<<grid, dim3(side, warps), 0, pass.stream>>>(x_, n_, d_, pass, matrix_.get());
    check_launch("distance-matrix: distances");
    const unsigned blocks = static_cast<unsigned>((pass.count + threads - 1) / threads);
    argmin<<<blocks, threads, 0, pass.stream>>>(n_, matrix_.get(), pass);
    check_launch("distance-matrix: argmin");
  }

  void enqueue_update(const Pass& pass) override {
    const unsigned blocks = static_cast<unsigned>((n_ * d_ + threads - 1) / threads);
    add<<<blocks, threads, 0, pass.stream>>>(x_, d_, pass);
    check_launch("distance-matrix: add");
  }

 private:
  const float* x_;
  size_t n_;
  int d_;
  int k_;
  Buffer<float> matrix_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<DistanceMatrix>(problem); }

const Registration registration({"distance-matrix", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

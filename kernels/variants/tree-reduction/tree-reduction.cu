// Assignment, then for each cluster a zero-masked tree reduction of every coordinate and of the count in shared memory,
// then a coarse reduction over blocks. See README.md.
#include <algorithm>

#include "check.hpp"
#include "memory.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// Points of a thread: the first two levels of a tree of 1024 are additions in its registers.
constexpr int max_points = 4;
/// Trees that stand in shared memory at once.
constexpr int max_trees = 12;
/// Bytes of partial sums beyond which blocks take several tiles each.
constexpr size_t max_partial_bytes = size_t{512} << 20;
/// Tiles of 1024 below which tiles of 256 use more of a card, for each multiprocessor.
constexpr int few_tiles = 4;
/// Sums, and partials of each at a time, of a block of the coarse reduction.
constexpr int coarse_columns = 32;
constexpr int coarse_rows = 32;

/// Those of a thread's points; -1 where it has none.
struct Labels {
  std::int32_t of[max_points];
};

/// Points of a tile, and the block's partial (k, d + 1).
struct Tile {
  const float* x;
  int d;
  /// The first point of the thread; the next are `threads` apart.
  size_t first;
  bool is_first;
  double* partial;
};

/// The sum of what a thread brings to one tree: coordinate j (the count where j is d) of its members of `cluster`, zero
/// for the others.
__device__ double masked(const Tile& tile, const Labels& labels, int cluster, int j) {
  double sum = 0;
#pragma unroll
  for (int l = 0; l < max_points; l++) {
    if (labels.of[l] == cluster) sum += j < tile.d ? tile.x[(tile.first + l * threads) * tile.d + j] : 1;
  }
  return sum;
}

/// Trees of columns [tree][thread], down to 32 summands each.
__device__ void sum_halves(double (&columns)[max_trees][threads], int trees) {
#pragma unroll
  for (int half = threads / 2; half >= 32; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    for (int tree = 0; tree < trees; tree++) columns[tree][threadIdx.x] += columns[tree][threadIdx.x + half];
  }
  __syncthreads();
}

/// Adds the sums of a tile to the block's partial.
__device__ void sum_members(const Tile& tile, const Labels& labels, int k) {
  __shared__ double columns[max_trees][threads];
  const int d = tile.d;
  for (int cluster = 0; cluster < k; cluster++) {
    for (int from = 0; from <= d; from += max_trees) {
      const int trees = min(max_trees, d + 1 - from);
      for (int tree = 0; tree < trees; tree++) {
        columns[tree][threadIdx.x] = masked(tile, labels, cluster, from + tree);
      }
      sum_halves(columns, trees);
      for (int tree = threadIdx.x / 32; tree < trees; tree += threads / 32) {
        double sum = columns[tree][threadIdx.x % 32];
        for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 != 0) continue;
        double& to = tile.partial[static_cast<size_t>(cluster) * (d + 1) + from + tree];
        to = tile.is_first ? sum : to + sum;
      }
      __syncthreads();
    }
  }
}

/// partial (blocks, k, d + 1). A tile has `points` points a thread.
template <int D>
__global__ void __launch_bounds__(threads)
    assign_and_reduce(const float* x, int d, int points, Pass pass, double* partial) {
  if (*pass.halted != 0) return;
  unsigned changed = 0;
  const size_t step = static_cast<size_t>(threads) * points;
  for (size_t begin = blockIdx.x * step; begin < pass.count; begin += gridDim.x * step) {
    const Tile tile{x, d, pass.first + begin + threadIdx.x, begin == blockIdx.x * step,
                    partial + static_cast<size_t>(blockIdx.x) * pass.k * (d + 1)};
    Labels labels;
#pragma unroll
    for (int l = 0; l < max_points; l++) {
      const size_t i = tile.first + l * threads;
      labels.of[l] = -1;
      if (l >= points || i >= pass.first + pass.count) continue;
      labels.of[l] = nearest_centroid<D>(x + i * d, pass.centroids, pass.k, d);
      changed += note_label(pass, i, labels.of[l]);
    }
    if (pass.accumulate) sum_members(tile, labels, pass.k);
  }
  for (int bit = 0; pass.count_changes && __syncthreads_or(changed >> bit) != 0; bit++) {
    const int in_block = __syncthreads_count(changed >> bit & 1);
    if (threadIdx.x == 0) atomicAdd(pass.changed, static_cast<unsigned>(in_block) << bit);
  }
}

/// Adds the blocks' partials of 32 sums to the pass's, in a fixed order.
__global__ void __launch_bounds__(coarse_columns* coarse_rows)
    reduce_blocks(const double* partial, unsigned blocks, int d, Pass pass) {
  __shared__ double rows[coarse_rows][coarse_columns];
  if (*pass.halted != 0) return;
  const size_t sums = static_cast<size_t>(pass.k) * (d + 1);
  const size_t at = static_cast<size_t>(blockIdx.x) * coarse_columns + threadIdx.x;
  double sum = 0;
  if (at < sums) {
#pragma unroll 8
    for (unsigned block = threadIdx.y; block < blocks; block += coarse_rows) sum += partial[block * sums + at];
  }
  rows[threadIdx.y][threadIdx.x] = sum;
  for (int half = coarse_rows / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) rows[threadIdx.y][threadIdx.x] += rows[threadIdx.y + half][threadIdx.x];
  }
  if (threadIdx.y != 0 || at >= sums) return;
  const size_t cluster = at / (d + 1);
  const size_t j = at - cluster * (d + 1);
  if (j < static_cast<size_t>(d)) pass.real_sums[cluster * d + j] += rows[0][threadIdx.x];
  else pass.counts[cluster] += static_cast<unsigned>(rows[0][threadIdx.x]);
}

class TreeReduction final : public DeviceVariant {
 public:
  explicit TreeReduction(const Problem& problem)
      : x_(problem.x), d_(problem.d), points_(points_for(problem)), max_blocks_(blocks_for(problem, points_)),
        partial_(static_cast<size_t>(max_blocks_) * problem.k * (problem.d + 1)) {}

  SumKind sums() const override { return SumKind::real; }
  bool is_fused() const override { return true; }
  double speed() const override { return 0.01; }

  void enqueue_assign(const Pass& pass) override {
    const unsigned blocks = static_cast<unsigned>(std::min(max_blocks_, tiles(pass.count, points_)));
    with_features(d_, [&](auto features) {
      assign_and_reduce<features.value><<<blocks, threads, 0, pass.stream>>>(x_, d_, points_, pass, partial_.get());
    });
    check_launch("tree-reduction: assign and reduce");
    if (!pass.accumulate) return;
    const size_t sums = static_cast<size_t>(pass.k) * (d_ + 1);
    const unsigned columns = static_cast<unsigned>((sums + coarse_columns - 1) / coarse_columns);
    reduce_blocks<<<columns, dim3(coarse_columns, coarse_rows), 0, pass.stream>>>(partial_.get(), blocks, d_, pass);
    check_launch("tree-reduction: reduce blocks");
  }

 private:
  static size_t tiles(size_t n, int points) { return (n + threads * points - 1) / (threads * points); }

  static int points_for(const Problem& problem) {
    const size_t enough = static_cast<size_t>(problem.device.multiProcessorCount) * few_tiles;
    return tiles(problem.n, max_points) < enough ? 1 : max_points;
  }

  static size_t blocks_for(const Problem& problem, int points) {
    const size_t bytes = sizeof(double) * static_cast<size_t>(problem.k) * (problem.d + 1);
    return std::clamp<size_t>(max_partial_bytes / bytes, 1, tiles(problem.n, points));
  }

  const float* x_;
  int d_;
  int points_;
  size_t max_blocks_;
  Buffer<double> partial_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<TreeReduction>(problem); }

const Registration registration({"tree-reduction", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

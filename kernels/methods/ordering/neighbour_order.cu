// An order of the points in which neighbours follow each other: cells around anchors, smaller cells inside of them, each
// level in a chain of nearest anchors. Anchors are points of the data themselves, so that the order follows its density.
// Anchors of the first level are as many as keep what a tile holds of one kind: two for every cluster wanted.
#include <algorithm>
#include <memory>

#include <cub/device/device_radix_sort.cuh>

#include "check.hpp"
#include "memory.hpp"
#include "nearest.cuh"
#include "neighbour_order.hpp"

namespace centroid_lab::cuda::ordering {
namespace {

constexpr int threads = 128;
constexpr int chain_threads = 256;
/// Points of a cell of the last level, on average.
constexpr std::size_t points_per_cell = 256;
constexpr int max_anchors = 1024;
constexpr int max_inner_anchors = 32;
constexpr unsigned everyone = 0xffffffffU;

struct Level {
  const float* x;
  std::size_t n;
  int d;
  /// Anchors of each cell.
  int anchors_per_cell;
  int cells;
  /// (n): points by cell, and their cells; null when there is one cell.
  const unsigned* order;
  const unsigned* cell_of;
  /// (cells, anchors_per_cell, d)
  float* anchors;
  /// (cells, anchors_per_cell): place of each anchor in the chain of its cell.
  unsigned* ranks;
};

__global__ void count_up(unsigned* to, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<unsigned>(i);
}

/// First position whose cell is not below `cell`.
__device__ std::size_t start_of(const Level& level, unsigned cell) {
  if (level.cell_of == nullptr) return cell == 0 ? 0 : level.n;
  std::size_t low = 0, high = level.n;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (level.cell_of[middle] < cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// Points of a cell at even distances become its anchors; a block a cell.
__global__ void __launch_bounds__(threads) choose_anchors(Level level) {
  __shared__ std::size_t shared[2];
  if (threadIdx.x < 2) shared[threadIdx.x] = start_of(level, blockIdx.x + threadIdx.x);
  __syncthreads();
  const std::size_t start = shared[0], size = shared[1] - start;
  const int m = level.anchors_per_cell;
  for (int at = threadIdx.x; at < m * level.d; at += threads) {
    const std::size_t position = min(level.n - 1, start + (2 * static_cast<std::size_t>(at / level.d) + 1) * size / (2 * m));
    const std::size_t point = level.order == nullptr ? position : level.order[position];
    level.anchors[static_cast<std::size_t>(blockIdx.x) * m * level.d + at] = level.x[point * level.d + at % level.d];
  }
}

/// The nearest of a block, the lowest on ties; `m` where there is none. All threads get it; synchronises.
__device__ int nearest_of_block(float smallest, int nearest) {
  __shared__ float distances[chain_threads / 32];
  __shared__ int indices[chain_threads / 32];
  for (int step = 16; step > 0; step /= 2) {
    const float distance = __shfl_xor_sync(everyone, smallest, step);
    const int other = __shfl_xor_sync(everyone, nearest, step);
    if (distance < smallest || (distance == smallest && other < nearest)) {
      smallest = distance;
      nearest = other;
    }
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    distances[threadIdx.x / 32] = smallest;
    indices[threadIdx.x / 32] = nearest;
  }
  __syncthreads();
  for (int warp = 0; warp < chain_threads / 32; warp++) {
    if (distances[warp] < smallest || (distances[warp] == smallest && indices[warp] < nearest)) {
      smallest = distances[warp];
      nearest = indices[warp];
    }
  }
  return nearest;
}

/// Each anchor of a cell follows the one nearest to it of those left; a block a cell.
__global__ void __launch_bounds__(chain_threads) chain_anchors(Level level) {
  const int m = level.anchors_per_cell;
  const float* anchors = level.anchors + static_cast<std::size_t>(blockIdx.x) * m * level.d;
  unsigned left = ~0U;
  int current = 0;
  for (int slot = 0; slot < m; slot++) {
    if (current % chain_threads == static_cast<int>(threadIdx.x)) {
      left &= ~(1U << current / chain_threads);
      level.ranks[blockIdx.x * m + current] = slot;
    }
    float smallest = INFINITY;
    int nearest = m;
    for (int candidate = threadIdx.x; candidate < m; candidate += chain_threads) {
      if ((left >> candidate / chain_threads & 1) == 0) continue;
      float distance = 0;
#pragma unroll 8
      for (int j = 0; j < level.d; j++) {
        const float difference = anchors[current * level.d + j] - anchors[candidate * level.d + j];
        distance = fmaf(difference, difference, distance);
      }
      if (distance < smallest) {
        smallest = distance;
        nearest = candidate;
      }
    }
    current = min(nearest_of_block(smallest, nearest), m - 1);
  }
}

__global__ void __launch_bounds__(threads) rank_labels(Level level, const std::int32_t* labels, unsigned* cells) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < level.n) cells[i] = level.ranks[labels[i]];
}

/// The cell of each point one level down.
template <int D>
__global__ void __launch_bounds__(threads) find_cells(Level level, unsigned* cells) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= level.n) return;
  const std::size_t point = level.order == nullptr ? i : level.order[i];
  const std::size_t cell = level.cell_of == nullptr ? 0 : level.cell_of[i];
  const int m = level.anchors_per_cell;
  const int nearest = nearest_centroid<D>(level.x + point * level.d, level.anchors + cell * m * level.d, m, level.d);
  cells[i] = static_cast<unsigned>(cell) * m + level.ranks[cell * m + nearest];
}

int bits_for(unsigned values) {
  int bits = 1;
  while ((1u << bits) < values) bits++;
  return bits;
}

/// Sorts points by cell, stably; waits. Which of its two buffers hold the result is `current` of each.
void sort_points(cub::DoubleBuffer<unsigned>& cells, cub::DoubleBuffer<unsigned>& points, std::size_t n, int count) {
  const int items = static_cast<int>(n), bits = bits_for(static_cast<unsigned>(count));
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, cells, points, items, 0, bits), "cub::DeviceRadixSort");
  const Buffer<unsigned char> space(bytes);
  check(cub::DeviceRadixSort::SortPairs(space.get(), bytes, cells, points, items, 0, bits), "cub::DeviceRadixSort");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

void enqueue_anchors(const Level& level) {
  choose_anchors<<<level.cells, threads>>>(level);
  check_launch("ordering: choose_anchors");
  chain_anchors<<<level.cells, chain_threads>>>(level);
  check_launch("ordering: chain_anchors");
}

}  // namespace

void order_neighbours(const Problem& problem, MakeLabeller make_labeller, unsigned* order) {
  const std::size_t n = problem.n;
  const int d = problem.d;
  const auto most = static_cast<int>(std::min<std::size_t>(max_anchors, n / points_per_cell));
  const int outer = std::clamp(2 * problem.k, std::min(16, most), most);
  const int inner = std::clamp(static_cast<int>(n / points_per_cell / outer), 2, max_inner_anchors);
  const Buffer<float> anchors(static_cast<std::size_t>(outer) * inner * d);
  const Buffer<unsigned> ranks(static_cast<std::size_t>(outer) * inner + 1), space(4 * n);
  unsigned* const running = ranks.get() + static_cast<std::size_t>(outer) * inner;
  cub::DoubleBuffer<unsigned> cells(space.get(), space.get() + n), points(space.get() + 2 * n, space.get() + 3 * n);
  const unsigned blocks = static_cast<unsigned>((n + threads - 1) / threads);
  ranks.clear(nullptr);
  count_up<<<blocks, threads>>>(points.Current(), n);
  check_launch("ordering: count_up");
  Level level{problem.x, n, d, outer, 1, nullptr, nullptr, anchors.get(), ranks.get()};
  enqueue_anchors(level);
  Problem wider = problem;
  wider.k = outer;
  const std::unique_ptr<DeviceVariant> labeller = make_labeller(wider);
  Pass pass;
  pass.centroids = anchors.get();
  pass.k = outer;
  pass.count = n;
  pass.labels = reinterpret_cast<std::int32_t*>(cells.Alternate());
  pass.accumulate = false;
  pass.write_labels = true;
  pass.halted = reinterpret_cast<const int*>(running);
  labeller->enqueue_assign(pass);
  rank_labels<<<blocks, threads>>>(level, pass.labels, cells.Current());
  check_launch("ordering: rank_labels");
  sort_points(cells, points, n, outer);
  level = {problem.x, n, d, inner, outer, points.Current(), cells.Current(), anchors.get(), ranks.get()};
  enqueue_anchors(level);
  with_features(d, [&](auto features) { find_cells<features.value><<<blocks, threads>>>(level, cells.Alternate()); });
  check_launch("ordering: find_cells");
  cells.selector ^= 1;
  sort_points(cells, points, n, outer * inner);
  check(cudaMemcpy(order, points.Current(), n * sizeof(unsigned), cudaMemcpyDeviceToDevice), "cudaMemcpy");
}

}  // namespace centroid_lab::cuda::ordering

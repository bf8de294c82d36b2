// Points parted into cells, once: the filter's rounding errors grow with the distance from the point to its centre, and
// blobs far tighter than the data is wide would leave most points undecided. Any cells are right; good ones are tight.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "kernels.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int arranging_threads = 1024;
constexpr int threads = 256;
/// Far more than rounding can add to a distance, of d up to ten thousand features.
constexpr float spare = 1.01f;

/// Items of cells that have so many points each.
std::vector<Item> items_of(const std::vector<std::size_t>& sizes) {
  std::vector<Item> items;
  std::size_t first = 0;
  for (std::size_t cell = 0; cell < sizes.size(); cell++) {
    for (std::size_t at = 0; at < sizes[cell]; at += item_points) {
      items.push_back({static_cast<unsigned>(cell), static_cast<unsigned>(first + at),
                       static_cast<unsigned>(std::min<std::size_t>(item_points, sizes[cell] - at))});
    }
    first += sizes[cell];
  }
  return items;
}

/// The cell of each centroid. A block a cluster, whose warps share the cells.
__global__ void __launch_bounds__(threads) find_cluster_cells(Pass pass, Work work) {
  __shared__ unsigned long long nearest[threads / 32];
  if (*pass.halted != 0) return;
  const float* centroid = pass.centroids + static_cast<size_t>(blockIdx.x) * work.d;
  unsigned long long key = ~0ull;
#pragma unroll 4
  for (int cell = threadIdx.x / 32; cell < work.cells; cell += threads / 32) {
    const float distance = squared_distance_of_warp(centroid, work.centres + static_cast<size_t>(cell) * work.d, work.d);
    key = min(key, key_of(distance, static_cast<unsigned>(cell)));
  }
  if (threadIdx.x % 32 == 0) nearest[threadIdx.x / 32] = key;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned long long other : nearest) key = min(key, other);
  work.cluster_cells[blockIdx.x] = static_cast<unsigned char>(cluster_of(key));
}

/// Clusters by cell, in their order inside each: every warp looks at all clusters for some of the cells. One block.
__global__ void __launch_bounds__(arranging_threads) arrange_clusters(Pass pass, Work work) {
  constexpr int warps = arranging_threads / 32;
  __shared__ unsigned starts[256];
  if (*pass.halted != 0) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto members = [&](int cell, int base) {
    return __ballot_sync(full_warp, base + lane < pass.k && work.cluster_cells[base + lane] == cell);
  };
  for (int cell = warp; cell < work.cells; cell += warps) {
    unsigned count = 0;
#pragma unroll 8
    for (int base = 0; base < pass.k; base += 32) count += static_cast<unsigned>(__popc(members(cell, base)));
    if (lane == 0) starts[cell] = count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned start = 0;
    for (int cell = 0; cell < work.cells; cell++) {
      const unsigned count = starts[cell];
      starts[cell] = start;
      start += count;
    }
  }
  __syncthreads();
  for (int cell = warp; cell < work.cells; cell += warps) {
    unsigned start = starts[cell];
#pragma unroll 8
    for (int base = 0; base < pass.k; base += 32) {
      const unsigned all = members(cell, base);
      if (all >> lane & 1) {
        const unsigned slot = start + static_cast<unsigned>(__popc(all & ((1u << lane) - 1)));
        work.cluster_order[slot] = static_cast<unsigned>(base + lane);
        work.cluster_slots[base + lane] = slot;
      }
      start += static_cast<unsigned>(__popc(all));
    }
  }
}

__device__ inline float min_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value = fminf(value, __shfl_xor_sync(full_warp, value, step));
  return value;
}

/// A block a cell, a warp a tile: with R the cell's radius, some centroid lies within the least |z| + R of every point, and
/// those of a tile are no nearer than their least |z| - R.
__global__ void __launch_bounds__(threads) choose_tiles(Pass pass, Work work) {
  __shared__ float nearest[threads / 32];
  if (*pass.halted != 0) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned cell = blockIdx.x;
  const float* norms = work.cluster_norms_in(cell);
  const int tiles = tiles_of(pass.k);
  float least = INFINITY;
  for (int slot = threadIdx.x; slot < pass.k; slot += threads) least = fminf(least, norms[slot]);
  least = min_of_warp(least);
  if (lane == 0) nearest[warp] = least;
  __syncthreads();
  if (warp != 0) return;
  for (float other : nearest) least = fminf(least, other);
  const float radius = work.cell_radii[cell];
  const float reach = spare * (least + radius);
  // Computed distances are off by what underflow takes, too: next to nothing is left out where that matters.
  const bool certain = 0.01f * reach * reach > static_cast<float>(work.bound.underflow);
  unsigned count = 0;
  float left_out = INFINITY;
  for (int tile = 0; tile < tiles; tile++) {
    float own = INFINITY;
    for (int at = lane; at < tile_clusters; at += 32) own = fminf(own, norms[tile * tile_clusters + at]);
    own = min_of_warp(own) - radius;
    if (own > reach && certain) {
      left_out = fminf(left_out, own);
      continue;
    }
    if (lane == 0) work.tile_lists[cell * static_cast<unsigned>(tiles_of(work.k)) + count] = static_cast<unsigned>(tile);
    count++;
  }
  if (lane != 0) return;
  work.tile_counts[cell] = count;
  // Both norms are off by 2^-23 of themselves at most.
  work.left_out[cell] = left_out * 0.9999f;
}

}  // namespace

void enqueue_choose_tiles(const Work& work, const Pass& pass) {
  choose_tiles<<<static_cast<unsigned>(work.cells), threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: choose_tiles");
}

void enqueue_arrange(const Work& work, const Pass& pass) {
  find_cluster_cells<<<static_cast<unsigned>(pass.k), threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: find_cluster_cells");
  arrange_clusters<<<1, arranging_threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: arrange_clusters");
}

Cells make_cells(Work& work, const float* mean, int most, bool exactly) {
  Cells made;
  made.centres = Buffer<float>(static_cast<std::size_t>(most) * work.d);
  work.cells = find_cells(work, mean, most, exactly, made.centres.get());
  std::vector<std::size_t> sizes{work.n};
  if (work.cells > 1) {
    sizes = order_by_cell(work, work.cells, made.centres.get(), made.rows);
    const std::size_t k = static_cast<std::size_t>(work.k);
    made.cluster_order = Buffer<unsigned>(k);
    made.cluster_slots = Buffer<unsigned>(k);
    made.cluster_cells = Buffer<unsigned char>(k);
    const std::size_t cells = static_cast<std::size_t>(work.cells), tiles = static_cast<std::size_t>(tiles_of(work.k));
    made.radii = Buffer<float>(cells);
    made.radii.clear(nullptr);
    made.cluster_norms = Buffer<float>(cells * tiles * tile_clusters);
    made.tile_lists = Buffer<unsigned>(cells * tiles);
    made.tile_counts = Buffer<unsigned>(cells);
    made.left_out = Buffer<float>(cells);
  } else {
    check(cudaMemcpy(made.centres.get(), mean, sizeof(float) * work.d, cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }
  const std::vector<Item> items = items_of(sizes);
  made.items = Buffer<Item>(items);
  work.item_count = static_cast<unsigned>(items.size());
  work.items = made.items.get();
  work.centres = made.centres.get();
  work.rows = made.rows.get();
  work.cell_radii = made.radii.get();
  work.cluster_norms = made.cluster_norms.get();
  work.tile_lists = made.tile_lists.get();
  work.tile_counts = made.tile_counts.get();
  work.left_out = made.left_out.get();
  work.cluster_order = made.cluster_order.get();
  work.cluster_slots = made.cluster_slots.get();
  work.cluster_cells = made.cluster_cells.get();
  return made;
}

}  // namespace centroid_lab::cuda::matrix_filter

#include <algorithm>
#include <cstdint>

#include "check.hpp"
#include "cell_stream.cuh"
#include "cell_order.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int cells_across = 256;
constexpr int total_cells = cells_across * cells_across;
constexpr int threads = 256;
constexpr int scan_threads = 1024;

/// Neighbours in the plane stand together: eight by eight cells after another.
__device__ __forceinline__ unsigned slot_of_cell(const GridBox& box, float2 point) {
  const unsigned cell = cell_of<cells_across>(box, point), across = cell % cells_across, down = cell / cells_across;
  return (down / 8 * (cells_across / 8) + across / 8) * 64 + down % 8 * 8 + across % 8;
}

/// Adds one to `counters[cell]` for every lane, lanes of a cell at once. @returns what the lane's own addition found there.
__device__ __forceinline__ unsigned take_slot(unsigned* counters, unsigned cell) {
  const unsigned alike = __match_any_sync(__activemask(), cell);
  const int lane = threadIdx.x % 32, leader = __ffs(static_cast<int>(alike)) - 1;
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(counters + cell, __popc(alike));
  return __shfl_sync(alike, first, leader) + __popc(alike & ((1U << lane) - 1));
}

__global__ void __launch_bounds__(threads) count_cells(const float2* points, std::size_t n, GridBox box, unsigned* counts) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * threads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n; i += step) {
    take_slot(counts, slot_of_cell(box, points[i]));
  }
}

/// Counts to starts, in place, by one block.
__global__ void __launch_bounds__(scan_threads) starts_of_cells(unsigned* counts) {
  constexpr int mine = total_cells / scan_threads;
  __shared__ unsigned warps[scan_threads / 32];
  unsigned* from = counts + threadIdx.x * mine;
  unsigned sum = 0;
  for (int i = 0; i < mine; i++) sum += from[i];
  unsigned before = sum;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(whole_warp, before, step);
    if (threadIdx.x % 32 >= step) before += other;
  }
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = before;
  __syncthreads();
  unsigned start = before - sum;
  for (unsigned warp = 0; warp < threadIdx.x / 32; warp++) start += warps[warp];
  for (int i = 0; i < mine; i++) {
    const unsigned count = from[i];
    from[i] = start;
    start += count;
  }
}

__global__ void __launch_bounds__(threads) scatter_points(const float2* points, std::size_t n, GridBox box, unsigned* slots, float2* to) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * threads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n; i += step) {
    const float2 point = points[i];
    to[take_slot(slots, slot_of_cell(box, point))] = point;
  }
}

}  // namespace

Buffer<float> points_by_cell(const Problem& problem) {
  const GridBox box = grid_box(problem, cells_across);
  const std::size_t rows = (problem.n + ordered_batch - 1) / ordered_batch * ordered_batch;
  Buffer<float> ordered(rows * 2);
  const Buffer<unsigned> slots(total_cells);
  const Stream stream;
  slots.clear(stream.get());
  const std::size_t filling = (rows - problem.n) * 2;
  if (filling > 0) check(cudaMemsetAsync(ordered.get() + problem.n * 2, 0, filling * sizeof(float), stream.get()), "cudaMemsetAsync");
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>((problem.n + threads - 1) / threads, problem.device.multiProcessorCount * 8));
  const float2* points = reinterpret_cast<const float2*>(problem.x);
  count_cells<<<blocks, threads, 0, stream.get()>>>(points, problem.n, box, slots.get());
  starts_of_cells<<<1, scan_threads, 0, stream.get()>>>(slots.get());
  scatter_points<<<blocks, threads, 0, stream.get()>>>(points, problem.n, box, slots.get(), reinterpret_cast<float2*>(ordered.get()));
  check_launch("fused, points by cell");
  stream.wait();
  return ordered;
}

}  // namespace centroid_lab::cuda

#include <algorithm>

#include "check.hpp"
#include "finish.cuh"

namespace centroid_lab::cuda {
namespace {

/// A row for each warp of a block: rows of a warp follow each other, each with the latency of memory.
constexpr int min_rows = finish_threads / 32;
/// More blocks would only lengthen what the last of them does.
constexpr int max_blocks = 128;
/// Coordinates beyond which a block would be busy longer than its start takes, whatever the number of blocks.
constexpr int max_coordinates = 4096;

__global__ void __launch_bounds__(finish_threads) finish(FinishArguments to, int rows_per_block) {
  RunState& state = *to.state;
  // Written only by the block that comes last, when all have read it.
  if (state.halted != running) return;
  if (has_empty_cluster(to)) {
    if (arrive_last(state) && threadIdx.x == 0) state.halted = empty_cluster;
    return;
  }
  const int first = blockIdx.x * rows_per_block;
  const long long slot = state.iteration % to.ring;
  finish_rows(to, first, min(to.k, first + rows_per_block), slot);
  if (arrive_last(state)) conclude(to);
}

}  // namespace

int finish_rows_per_block(int k, int d) {
  const int max_rows = std::max(min_rows, max_coordinates / d);
  return std::clamp((k + max_blocks - 1) / max_blocks, min_rows, max_rows);
}

int finish_blocks(int k, int d) {
  const int rows = finish_rows_per_block(k, d);
  return (k + rows - 1) / rows;
}

void enqueue_finish(const FinishArguments& arguments, cudaStream_t stream) {
  const int rows = finish_rows_per_block(arguments.k, arguments.d);
  finish<<<finish_blocks(arguments.k, arguments.d), finish_threads, 0, stream>>>(arguments, rows);
  check_launch("finish");
}

}  // namespace centroid_lab::cuda

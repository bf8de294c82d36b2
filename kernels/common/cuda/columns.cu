#include "columns.hpp"

#include "check.hpp"
#include "columns.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// A tile of the transposition.
constexpr int tile_points = 128;
constexpr int tile_features = 32;

__global__ void __launch_bounds__(threads) transpose(const float* x, size_t n, int d, float* to) {
  __shared__ float tile[tile_features][tile_points + 1];
  const size_t first = static_cast<size_t>(blockIdx.x) * tile_points;
  const int points = static_cast<int>(min(static_cast<size_t>(tile_points), n - first));
  for (int from = 0; from < d; from += tile_features) {
    const int width = min(tile_features, d - from);
    for (int at = threadIdx.x; at < points * width; at += threads) {
      tile[at % width][at / width] = x[(first + at / width) * d + from + at % width];
    }
    __syncthreads();
    for (int at = threadIdx.x; at < tile_points * width; at += threads) {
      const int j = at / tile_points, point = at % tile_points;
      if (point < points) to[(from + j) * n + first + point] = tile[j][point];
    }
    __syncthreads();
  }
}

template <int D>
__global__ void __launch_bounds__(threads) assign(const float* columns, size_t n, int d, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t index = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  bool changed = false;
  if (index < pass.count) {
    const size_t i = pass.first + index;
    changed = note_label(pass, i, ColumnPoint<D>(columns, n, d, i).nearest(pass.centroids, pass.k)) != 0;
  }
  report_changes(pass, changed);
}

}  // namespace

Columns::Columns(const Problem& problem) : n_(problem.n), d_(problem.d), columns_(problem.n * problem.d) {
  const unsigned tiles = static_cast<unsigned>((n_ + tile_points - 1) / tile_points);
  transpose<<<tiles, threads>>>(problem.x, n_, d_, columns_.get());
  check_launch("transposition to columns");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

void Columns::enqueue_assign(const Pass& pass) const {
  const unsigned groups = static_cast<unsigned>((pass.count + threads - 1) / threads);
  with_features(d_, [&](auto features) {
    assign<features.value><<<groups, threads, 0, pass.stream>>>(columns_.get(), n_, d_, pass);
  });
  check_launch("assignment from columns");
}

}  // namespace centroid_lab::cuda

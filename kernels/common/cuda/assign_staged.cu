#include "assign_staged.hpp"

#include <algorithm>

#include "check.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int max_threads = 256;
/// What every card grants a block without asking.
constexpr int max_floats = 48 * 1024 / sizeof(float);

/// staged[feature][thread]: features from .. from + width - 1 of each thread's own point. No barrier: no thread reads
/// another's.
__device__ void stage(const float* point, int from, int width, float* staged) {
  for (int j = 0; j < width; j++) staged[j * blockDim.x + threadIdx.x] = point[from + j];
}

/// The search among all centroids with at most `width` features staged at a time. Points that fit are staged once.
template <int Width>
__device__ std::int32_t nearest_staged(const float* point, const float* centroids, int k, int d, int width,
                                       float* staged) {
  const auto read = [&](int j, float(&to)[Width]) {
    if (width < d && j % width == 0) stage(point, j, min(width, d - j), staged);
#pragma unroll
    for (int l = 0; l < Width; l++) to[l] = staged[((width < d ? j % width : j) + l) * blockDim.x + threadIdx.x];
  };
  if (width == d) stage(point, 0, d, staged);
  return nearest_of_long<Width>(read, centroids, k, d);
}

/// The same for D features, few enough for the compiler to keep what it has read.
template <int D>
__device__ std::int32_t nearest_staged(const float* point, const float* centroids, int k, float* staged) {
  stage(point, 0, D, staged);
  float mine[D];
#pragma unroll
  for (int j = 0; j < D; j++) mine[j] = staged[j * blockDim.x + threadIdx.x];
  Nearest best;
  offer_rows(mine, centroids, 0, k, best);
  return best.cluster;
}

template <int D>
__global__ void __launch_bounds__(max_threads) assign(const float* x, int d, int width, Pass pass) {
  extern __shared__ float staged[];
  if (*pass.halted != 0) return;
  const size_t index = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  bool changed = false;
  if (index < pass.count) {
    const size_t i = pass.first + index;
    const float* point = x + i * d;
    std::int32_t label = 0;
    if constexpr (D > 0) label = nearest_staged<D>(point, pass.centroids, pass.k, staged);
    else if (d % 4 == 0) label = nearest_staged<4>(point, pass.centroids, pass.k, d, width, staged);
    else label = nearest_staged<1>(point, pass.centroids, pass.k, d, width, staged);
    changed = note_label(pass, i, label) != 0;
  }
  report_changes(pass, changed);
}

}  // namespace

void enqueue_assign_staged(const float* x, int d, const Pass& pass) {
  // Long points take smaller blocks; what is longer still is staged in stretches, a multiple of four.
  const int threads = std::clamp(max_floats / d / 32 * 32, 64, max_threads);
  const int width = std::min(d, max_floats / threads / 4 * 4);
  const unsigned blocks = static_cast<unsigned>((pass.count + threads - 1) / threads);
  with_features(d, [&](auto features) {
    assign<features.value><<<blocks, threads, threads * width * sizeof(float), pass.stream>>>(x, d, width, pass);
  });
  check_launch("assignment from shared memory");
}

}  // namespace centroid_lab::cuda

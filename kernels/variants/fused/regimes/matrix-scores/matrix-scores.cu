// `fused` for many clusters of few features on matrix units, from compute capability 8.0. Scores come from float16 products
// in split form (split_products.cuh); the smallest names a group of eight centroids, and when no other group comes within the
// margin of rounding, distances inside the group decide, otherwise distances to all.
#include "split_products.cuh"
#include "../../regimes.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

using namespace staged;
using namespace matrix_units;

template <int D>
struct Shape {
  /// Tiles of 16 points a warp takes at once.
  static constexpr int tiles = D <= 8 ? 4 : 2;
  static constexpr int threads = D <= 16 ? 512 : 384;
};

/// The four lanes that share points exchange what they found: lane q ends with points of its own in best[0 .. N / 4).
template <int N>
__device__ __forceinline__ void share_out(Best (&best)[N]) {
#pragma unroll
  for (int lanes = 1; lanes <= 2; lanes *= 2) {
    const bool upper = (threadIdx.x & lanes) != 0;
    const int keep = lanes == 1 ? N / 2 : N / 4;
#pragma unroll
    for (int at = 0; at < keep; at++) {
      const Best sent = upper ? best[at] : best[at + keep];
      if (upper) best[at] = best[at + keep];
      best[at].merge(exchange(sent, lanes));
    }
  }
}

/// `InShared`: rows of centroids lie in shared memory, beside their halves.
template <int D, bool InShared>
__global__ void __launch_bounds__(Shape<D>::threads, 1) matrix_scores(StagedJob job, Pass pass) {
  if (*pass.halted != 0) return;
  constexpr int tiles = Shape<D>::tiles;
  constexpr unsigned chunk_points = 16 * tiles;
  constexpr int own = tiles / 2;
  extern __shared__ uint4 image[];
  __shared__ unsigned next_chunk;
  const int strides = strides_of(pass.k);
  Staged<D, ByLane> staged(reinterpret_cast<float*>(image + strides * Split<D>::image_words), InShared ? 4 * strides : 0, pass.k, job.d);
  if (threadIdx.x == 0) next_chunk = 0;
  const auto rows = [&] {
    if constexpr (InShared) return RowsByLane<D>{{staged.groups}};
    else return GlobalRows<D>{pass.centroids, pass.k, job.d};
  }();
  const MatrixBounds bounds = stage<D>(job, pass, staged, rows, image);
  // Each block has a stretch of the points; its warps take chunks of it as they come.
  const size_t share = (pass.count + gridDim.x - 1) / gridDim.x;
  const size_t begin = pass.first + min(pass.count, share * blockIdx.x);
  const size_t end = pass.first + min(pass.count, share * (blockIdx.x + 1));
  const int lane = threadIdx.x % 32;
  unsigned changed = 0;
  for (;;) {
    unsigned chunk = lane == 0 ? atomicAdd(&next_chunk, 1U) : 0;
    chunk = __shfl_sync(everyone, chunk, 0);
    const size_t first = begin + static_cast<size_t>(chunk) * chunk_points;
    if (first >= end) break;
    Best best[2 * tiles];
    unsigned a[tiles][Split<D>::point_words];
    float lifts[tiles][2];
#pragma unroll
    for (int tile = 0; tile < tiles; tile++) {
      const size_t upper = first + tile * 16 + lane / 4;
      split_points<D>(job.x + min(upper, end - 1) * job.d, job.x + min(upper + 8, end - 1) * job.d, job.d, bounds.scale, a[tile],
                      lifts[tile]);
      best[2 * tile] = best[2 * tile + 1] = {INT_MAX, INT_MAX, 0};
    }
    scan<D, tiles>(image, 0, (pass.k + 7) / 8, a, lifts, best);
    share_out(best);
    // Of rows g + 8 h of tile t lane q has those with 2 t + h = (q % 2) tiles + (q / 2) tiles / 2 + at.
#pragma unroll
    for (int at = 0; at < own; at++) {
      const int row = lane % 2 * tiles + lane / 2 % 2 * own + at;
      const size_t point = first + row / 2 * 16 + row % 2 * 8 + lane / 4;
      float x[D];
      load_point<D>(job.x + min(point, end - 1) * job.d, job.d, x);
      const float least = __int_as_float(best[at].score);
      const float most = least + bounds.margins.of(bounds.scale * (bounds.scale * squared_norm<D>(x)), fmaxf(0.0F, least));
      int label = nearest_of_group<D>(rows, x, best[at].group);
      if (!(__int_as_float(best[at].second) > most)) label = -1;
      if (__any_sync(everyone, label < 0)) {
        label = resolve_label<D>(rows, pass.k, pass.centroids, job.x + min(point, end - 1) * job.d, job.d, label);
      }
      if (point < end) changed += note_label(pass, point, label);
      if (pass.accumulate) add_points(job, pass, staged, x, point, label, point < end);
    }
  }
  if (pass.count_changes && changed > 0) atomicAdd(pass.changed, changed);
  __syncthreads();
  if (pass.accumulate && !job.sums_global) flush(job, pass, staged);
}

template <int D, bool InShared>
StagedKernel kernel_for(const Problem& problem) {
  const auto strides = static_cast<std::size_t>(strides_of(problem.k));
  const std::size_t image = strides * Split<D>::image_words * sizeof(uint4);
  const std::size_t rows = ((InShared ? 4 * strides * group_stride<D> : 0) + D) * sizeof(float);
  return StagedKernel{matrix_scores<D, InShared>, Shape<D>::threads, image + rows, "fused, matrix scores"};
}

StagedKernel kernel_of(const Problem& problem) {
  return for_width(problem.d, [&](auto width) {
    const StagedKernel in_shared = kernel_for<width.value, true>(problem);
    return fits(problem, in_shared) ? in_shared : kernel_for<width.value, false>(problem);
  });
}

std::string refusal(const Problem& problem) {
  if (problem.device.major < 8) return "Matrix scores need matrix units of compute capability 8.0.";
  if (problem.d > max_width) return "Matrix scores have up to 32 features.";
  return fits(problem, kernel_of(problem)) ? "" : "The centroids do not fit into the shared memory of a block in float16.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) { return make_staged(problem, kernel_of(problem)); }

}  // namespace

namespace fused {
const Regime matrix_scores{"matrix-scores", refusal, make};
}

}  // namespace centroid_lab::cuda

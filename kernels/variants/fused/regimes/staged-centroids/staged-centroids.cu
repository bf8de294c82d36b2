// `fused` for many clusters of few features, bound by multiply-adds: centroids in shared memory in groups of eight, several
// points a thread in registers, sums in shared memory. Scores choose the group and the centroid in it; what they leave
// open is decided by distances (methods/scores).
#include "methods/staged-centroids/staged_centroids.cuh"
#include "../../regimes.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

using namespace staged;

constexpr int index_range = 64;

/// Registers decide: points a thread holds and threads of a block, one block a multiprocessor.
template <int D>
struct Shape {
  static constexpr int points = D <= 8 ? 8 : D <= 16 ? 6 : 4;
  static constexpr int threads = D <= 4 ? 512 : D <= 16 ? 384 : 256;
};

/// Centroids into groups, rows past k with a score of infinity; features past d are zero. Synchronises.
template <int D>
__device__ void stage(const StagedJob& job, const Pass& pass, Staged<D>& to) {
  const int rows = (pass.k + group_size - 1) / group_size * group_size;
  const float largest = stage_rows(job, pass, to, rows, 0.0F);
  to.margins = point_margins(D, static_cast<float>(D + 3) * 0x1p-25F, job.reach, largest, 0);
  for (int c = threadIdx.x; c < rows; c += blockDim.x) {
    double squared = 0;
    for (int j = 0; j < D; j++) {
      const double value = to.row(c)[j];
      squared = fma(value, value, squared);
    }
    to.start(c) = c < pass.k ? static_cast<float>(squared / 2) : INFINITY;
  }
  __syncthreads();
}

template <int D>
__device__ __forceinline__ float score_of(const float (&x)[D], const float (&centroid)[D], float start) {
  float score = start;
#pragma unroll
  for (int j = 0; j < D; j++) score = fmaf(-x[j], centroid[j], score);
  return score;
}

/// For each point the group with the smallest score, that score and the smallest one outside of the group.
template <int D, int P>
__device__ __forceinline__ void scan_groups(const Staged<D>& staged, int groups, const float (&x)[P][D],
                                            float (&best)[P], float (&second)[P], int (&group)[P]) {
#pragma unroll
  for (int p = 0; p < P; p++) {
    best[p] = second[p] = INFINITY;
    group[p] = 0;
  }
  const float* from = staged.groups;
  for (int g = 0; g < groups; g++, from += group_stride<D>) {
    float least[P];
    float start[group_size];
    load_row<group_size>(from + group_size * D, start);
#pragma unroll
    for (int c = 0; c < group_size; c += 2) {
      float one[D], other[D];
      load_row<D>(from + c * D, one);
      load_row<D>(from + c * D + D, other);
#pragma unroll
      for (int p = 0; p < P; p++) {
        const float a = score_of<D>(x[p], one, start[c]);
        const float b = score_of<D>(x[p], other, start[c + 1]);
        least[p] = c == 0 ? fminf(a, b) : fminf(least[p], fminf(a, b));
      }
    }
#pragma unroll
    for (int p = 0; p < P; p++) {
      second[p] = fminf(second[p], fmaxf(best[p], least[p]));
      group[p] = least[p] < best[p] ? g : group[p];
      best[p] = fminf(best[p], least[p]);
    }
  }
}

/// The one centroid of the group whose score is at most `most`, or -1.
template <int D>
__device__ __forceinline__ int only_candidate(const Staged<D>& staged, const float (&x)[D], int group, float most) {
  const float* from = staged.groups + group * group_stride<D>;
  float start[group_size];
  load_row<group_size>(from + group_size * D, start);
  float found = 0x1p23F;
#pragma unroll
  for (int c = 0; c < group_size; c++) {
    float centroid[D];
    load_row<D>(from + c * D, centroid);
    found = fmaf(at_most(score_of<D>(x, centroid, start[c]), most), static_cast<float>(index_range + c), found);
  }
  const int index = __float_as_int(found) - (__float_as_int(0x1p23F) + index_range);
  return static_cast<unsigned>(index) < index_range ? group * group_size + index : -1;
}

template <int D>
__global__ void __launch_bounds__(Shape<D>::threads, 1) staged_centroids(StagedJob job, Pass pass) {
  if (*pass.halted != 0) return;
  constexpr int P = Shape<D>::points;
  constexpr unsigned chunk_points = 32 * P;
  extern __shared__ float4 shared[];
  __shared__ unsigned next_chunk;
  const int groups = (pass.k + group_size - 1) / group_size;
  Staged<D> staged(reinterpret_cast<float*>(shared), groups, pass.k, job.d);
  if (threadIdx.x == 0) next_chunk = 0;
  stage<D>(job, pass, staged);
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
    float x[P][D];
#pragma unroll
    for (int p = 0; p < P; p++) load_point<D>(job.x + min(first + p * 32 + lane, end - 1) * job.d, job.d, x[p]);
    float best[P], second[P];
    int label[P];
    scan_groups<D, P>(staged, groups, x, best, second, label);
#pragma unroll
    for (int p = 0; p < P; p++) {
      const float norm = squared_norm<D>(x[p]);
      const float most = best[p] + staged.margins.of(norm, fmaxf(0.0F, fmaf(0.5F, norm, best[p])));
      const int only = only_candidate<D>(staged, x[p], label[p], most);
      label[p] = second[p] > most ? only : -1;
      const size_t point = first + p * 32 + lane;
      if (__any_sync(everyone, label[p] < 0)) {
        label[p] = resolve_label<D>(SharedRows<D>{staged.groups}, pass.k, job.x + min(point, end - 1) * job.d, job.d, label[p]);
      }
      if (point < end) changed += note_label(pass, point, label[p]);
      if (pass.accumulate) add_points(job, pass, staged, x[p], point, label[p], point < end);
    }
  }
  if (pass.count_changes && changed > 0) atomicAdd(pass.changed, changed);
  __syncthreads();
  if (pass.accumulate && !job.sums_global) flush(job, pass, staged);
}

StagedKernel kernel_of(const Problem& problem) {
  return for_width(problem.d, [&](auto width) {
    constexpr int D = width;
    const std::size_t groups = (static_cast<std::size_t>(problem.k) + group_size - 1) / group_size;
    const std::size_t bytes = (groups * group_stride<D> + D) * sizeof(float);
    return StagedKernel{staged_centroids<D>, Shape<D>::threads, bytes, "fused, staged centroids"};
  });
}

std::string refusal(const Problem& problem) {
  if (problem.d > max_width) return "Staged centroids have up to 32 features.";
  return fits(problem, kernel_of(problem)) ? "" : "The centroids do not fit into the shared memory of a block.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) { return make_staged(problem, kernel_of(problem)); }

}  // namespace

namespace fused {
const Regime staged_centroids{"staged-centroids", refusal, make};
}

}  // namespace centroid_lab::cuda

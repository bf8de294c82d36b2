// Centroids of a pass: interleaved by group for the distances, and in float16 for the filter.
#include <cuda_fp16.h>

#include "check.hpp"
#include "kernels.cuh"
#include "launch_early.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 32 * group_size;
/// Features of a lane that are on their way together.
constexpr int together = 8;
/// Scores of clusters that do not exist: beyond all others, yet far from overflow.
constexpr float no_score = 1e38f;
/// Real scores start within this.
constexpr double largest_score = 1e37;
constexpr float largest_half = 65504.0f;

__device__ inline double sum_of_warp(double value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(full_warp, value, step);
  return value;
}

/// Column of a tile in which a cluster stands, so that a thread finds all of a group in its own registers: column
/// 32 q + 8 j + 2 t + e is cluster 2 j + e of group 4 q + t.
__device__ inline int column_of(int cluster) {
  const int group = cluster / group_size, member = cluster % group_size;
  return group / 4 * 32 + member / 2 * 8 + group % 4 * 2 + member % 2;
}

/// Where a tile holds a feature of a column, in float16 numbers.
__device__ inline size_t slot_in_tile(Image image, int column, int feature) {
  const int step = feature / step_features, k = feature % step_features;
  if (image == Image::cores) {
    return ((static_cast<size_t>(step) * 2 + k / 8) * 16 + column / 8) * 64 + column % 8 * 8 + k % 8;
  }
  const int lane = column % 8 * 4 + k % 8 / 2;
  return ((static_cast<size_t>(step) * 8 + column / 16) * 32 + lane) * 8 + column / 8 % 2 * 4 + k / 8 * 2 + k % 2;
}

/// What a score of a centroid starts from, and how much too high it may come out; its norm.
struct Start {
  float half_norm;
  float slack;
  float norm;
};

/// Writes the centroid into its tile of a cell. By one warp. @param width of centroids beside points.
__device__ inline Start write_centroid(const Work& work, unsigned cell, const float* centroid, int cluster, double width) {
  const size_t number = static_cast<size_t>(cluster / tile_clusters);
  __half* tile = reinterpret_cast<__half*>(const_cast<unsigned char*>(work.tiles_in(cell)) + number * work.tile_bytes());
  const float* centre = work.centres + static_cast<size_t>(cell) * work.d;
  const int column = column_of(cluster % tile_clusters);
  double squares = 0, rounded_squares = 0, residual_squares = 0;
  for (int first = static_cast<int>(threadIdx.x % 32); first < work.d; first += 32 * together) {
    double values[together];
    // Side by side: answers take long.
#pragma unroll
    for (int i = 0; i < together; i++) {
      const int j = first + 32 * i;
      values[i] = centroid == nullptr || j >= work.d ? 0 : (static_cast<double>(centroid[j]) - centre[j]) * work.unit;
    }
#pragma unroll
    for (int i = 0; i < together; i++) {
      const int j = first + 32 * i;
      if (j >= work.d) break;
      const double value = values[i];
      const float near = fminf(fmaxf(static_cast<float>(value), -largest_half), largest_half);
      const __half half = __float2half_rn(near);
      const double rounded = __half2float(half);
      squares += value * value;
      rounded_squares += rounded * rounded;
      residual_squares += (value - rounded) * (value - rounded);
      tile[slot_in_tile(work.image, column, j)] = __hneg(half);
    }
  }
  squares = sum_of_warp(squares);
  rounded_squares = sum_of_warp(rounded_squares);
  residual_squares = sum_of_warp(residual_squares);
  if (centroid == nullptr) return {no_score, 0, no_score};
  const Bound& bound = work.bound;
  const double half_norm = squares / 2;
  const double products = (bound.gamma + bound.tau) * rounded_squares / 2 + residual_squares / (2 * bound.rho);
  const double error = 1.001 / (1 - bound.pi) * (products / width + bound.pi * half_norm);
  const double start = fmax(-largest_score, fmin(largest_score, half_norm - error));
  const float below = __double2float_rd(start);
  return {below, __double2float_ru(half_norm - below + error), static_cast<float>(sqrt(squares))};
}

/// One block a group and cell, one warp a cluster.
__global__ void __launch_bounds__(threads) prepare(Pass pass, Work work) {
  __shared__ float logarithms[group_size];
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  const int group = static_cast<int>(blockIdx.x);
  const int lane = threadIdx.x % 32, member = threadIdx.x / 32;
  const int cluster = group * group_size + member;
  const float* centroid = nullptr;
  if (cluster < pass.k) centroid = pass.centroids + static_cast<size_t>(work.cluster_at(static_cast<unsigned>(cluster))) * work.d;
  // Distances to what is left out are no numbers, scores are those of what is not there.
  const bool exists = centroid != nullptr && has_part(centroid);
  const unsigned cell = blockIdx.y;
  if (cell == 0 && group == 0) {
    for (unsigned segment = threadIdx.x; segment < work.segments; segment += threads) work.listed[segment] = {};
    if (threadIdx.x == 0) *work.whole_count = 0;
  }
  if (cell == 0 && group < groups_of(pass.k)) {
    const int fours = fours_of(work.d);
    float* to = reinterpret_cast<float*>(work.grouped + static_cast<size_t>(group) * fours * group_size + member);
#pragma unroll 8
    for (int j = lane; j < 4 * fours; j += 32) {
      to[static_cast<size_t>(j / 4) * 4 * group_size + j % 4] = centroid == nullptr || j >= work.d ? 0 : centroid[j];
    }
  }
  if (work.image == Image::none) return;
  const Start start = write_centroid(work, cell, exists ? centroid : nullptr, cluster, width_of_centroids(work));
  if (lane == 0) {
    const_cast<float*>(work.half_norms_in(cell))[cluster] = start.half_norm;
    if (work.cluster_norms != nullptr) work.cluster_norms_in(cell)[cluster] = start.norm;
    work.cluster_slack_in(cell)[cluster] = start.slack;
    logarithms[member] = exists ? logarithm_of(start.norm) : NAN;
  }
  if (work.spread == nullptr || group >= groups_of(pass.k)) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0, count = 0;
  for (const float logarithm : logarithms) {
    if (isnan(logarithm)) continue;
    sum += logarithm;
    count++;
  }
  atomicAdd(&work.spread->logarithms, sum);
  atomicAdd(&work.spread->clusters, count);
}

}  // namespace

void enqueue_prepare(const Work& work, const Pass& pass) {
  const int groups = work.image == Image::none ? groups_of(pass.k) : tiles_of(pass.k) * tile_groups;
  const dim3 grid(static_cast<unsigned>(groups), static_cast<unsigned>(work.image == Image::none ? 1 : work.cells));
  launch_in_turn(work.is_early, prepare, grid, threads, 0, pass.stream, pass, work);
}

}  // namespace centroid_lab::cuda::matrix_filter

// Points in float16, made once: centred by their cell, scaled by a power of two, ordered as a matrix instruction wants
// its registers.
#include <cuda_fp16.h>

#include <cstring>

#include "check.hpp"
#include "kernels.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int tile_points = 16;
constexpr std::size_t sampled_points = 2048;
constexpr int mean_features = 32;

/// Means of every `step`-th point, 32 features a block. Any centre will do; it must be the same every time.
__global__ void __launch_bounds__(threads) sample_mean(const float* x, size_t n, int d, size_t step, float* mean) {
  __shared__ double partial[threads / mean_features][mean_features];
  const int feature = static_cast<int>(blockIdx.x) * mean_features + threadIdx.x % mean_features;
  const int part = threadIdx.x / mean_features;
  double sum = 0;
  if (feature < d) {
    for (size_t i = part * step; i < n; i += step * (threads / mean_features)) sum += x[i * d + feature];
  }
  partial[part][threadIdx.x % mean_features] = sum;
  __syncthreads();
  if (part != 0 || feature >= d) return;
  for (int other = 1; other < threads / mean_features; other++) sum += partial[other][threadIdx.x % mean_features];
  mean[feature] = static_cast<float>(sum / static_cast<double>((n + step - 1) / step));
}

__global__ void __launch_bounds__(threads) largest_difference(const float* x, size_t n, int d, const float* mean,
                                                              unsigned* largest) {
  float most = 0;
  const size_t first = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  for (size_t at = first; at < n * d; at += static_cast<size_t>(gridDim.x) * threads) {
    most = fmaxf(most, fabsf(x[at] - mean[at % d]));
  }
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(full_warp, most, step));
  if (threadIdx.x % 32 == 0) atomicMax(largest, __float_as_uint(most));
}

/// Norms of what a lane has seen of a point.
struct Squares {
  double exact = 0;
  double rounded = 0;
  double residual = 0;
};

__device__ inline __half convert(const Work& work, const float* row, const float* centre, int feature, Squares& squares) {
  if (row == nullptr || feature >= work.d) return __float2half_rn(0.0f);
  const double value = (static_cast<double>(row[feature]) - centre[feature]) * work.unit;
  const __half half = __float2half_rn(static_cast<float>(value));
  const double rounded = __half2float(half);
  squares.exact += value * value;
  squares.rounded += rounded * rounded;
  squares.residual += (value - rounded) * (value - rounded);
  return half;
}

__device__ inline double sum_of_four(double value) {
  value += __shfl_xor_sync(full_warp, value, 1);
  return value + __shfl_xor_sync(full_warp, value, 2);
}

/// One in so many tiles tells how wide points lie.
constexpr std::size_t sampled_apart = 64;

struct Logarithms {
  float sum;
  unsigned count;
};

/// The proof's share of the point, 2 A, rounded up.
__device__ inline float slack_of(const Squares& squares, const Bound& bound) {
  return __double2float_ru(squares.residual / bound.gamma + bound.rho * squares.exact + bound.tau * squares.rounded);
}

/// One warp for sixteen points. Lane 4 r + t holds rows r and r + 8, features 2t, 2t + 1, 2t + 8, 2t + 9 of each step.
__global__ void __launch_bounds__(threads) convert_all(Work work, Logarithms* sampled) {
  const size_t tile = (static_cast<size_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  constexpr int tiles_of_item = item_points / tile_points;
  if (tile >= static_cast<size_t>(work.item_count) * tiles_of_item) return;
  const int lane = threadIdx.x % 32;
  const Item item = work.items[tile / tiles_of_item];
  const float* centre = work.centres + static_cast<size_t>(item.cell) * work.d;
  const float* rows[2];
  size_t points[2];
#pragma unroll
  for (int upper = 0; upper < 2; upper++) {
    const unsigned slot = static_cast<unsigned>(tile % tiles_of_item) * tile_points + lane / 4 + upper * 8;
    points[upper] = item.first + static_cast<size_t>(slot);
    rows[upper] = slot < item.count ? work.x + work.row_of(points[upper]) * work.d : nullptr;
  }
  Squares squares[2];
  for (int step = 0; step < work.steps; step++) {
    __half halves[8];
#pragma unroll
    for (int at = 0; at < 8; at++) {
      const int upper = at / 2 % 2;
      const int feature = step * step_features + lane % 4 * 2 + at / 4 * 8 + at % 2;
      halves[at] = convert(work, rows[upper], centre, feature, squares[upper]);
    }
    uint4 packed;
    memcpy(&packed, halves, sizeof(packed));
    work.fragments[(tile * work.steps + step) * 32 + lane] = packed;
  }
#pragma unroll
  for (int upper = 0; upper < 2; upper++) {
    const Squares whole{sum_of_four(squares[upper].exact), sum_of_four(squares[upper].rounded),
                        sum_of_four(squares[upper].residual)};
    if (lane % 4 == 0 && rows[upper] != nullptr) {
      const float norm = __double2float_ru(whole.exact);
      work.point_slack[points[upper]] = {slack_of(whole, work.bound), norm};
      if (tile % sampled_apart == 0) {
        atomicAdd(&sampled->sum, logarithm_of(__fsqrt_rn(norm)));
        atomicAdd(&sampled->count, 1U);
      }
      // Positive floats are ordered as their bits are.
      if (work.cell_radii != nullptr) {
        atomicMax(reinterpret_cast<unsigned*>(work.cell_radii + item.cell), __float_as_uint(__fsqrt_ru(norm)));
      }
    }
  }
}

}  // namespace

float measure_points(const float* x, std::size_t n, int d, float* mean) {
  const std::size_t step = (n + sampled_points - 1) / sampled_points;
  sample_mean<<<static_cast<unsigned>((d + mean_features - 1) / mean_features), threads>>>(x, n, d, step, mean);
  check_launch("fused: sample_mean");
  const Buffer<unsigned> largest(1);
  largest.clear(nullptr);
  largest_difference<<<1024, threads>>>(x, n, d, mean, largest.get());
  check_launch("fused: largest_difference");
  unsigned bits = 0;
  largest.read(&bits, 1);
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float convert_points(const Work& work) {
  const Buffer<Logarithms> sampled(1);
  sampled.clear(nullptr);
  const std::size_t tiles = static_cast<std::size_t>(work.item_count) * (item_points / tile_points);
  constexpr std::size_t tiles_per_block = threads / 32;
  convert_all<<<static_cast<unsigned>((tiles + tiles_per_block - 1) / tiles_per_block), threads>>>(work, sampled.get());
  check_launch("fused: convert_all");
  Logarithms found{};
  sampled.read(&found, 1);
  return found.count > 0 ? found.sum / static_cast<float>(found.count) : 0;
}

}  // namespace centroid_lab::cuda::matrix_filter

// The points of a seeding on the device, and the arithmetic that src/engine/init/kernel.ts fixes: float64, each operation rounded on
// its own (the intrinsics below are never fused), sums in 8 lanes of blocks of 1024 points, block sums in order.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace centroid_lab::cuda {

/// Of a thread block of a seeding.
constexpr int seeding_threads = 256;
constexpr int block_points = 1024;
constexpr int sum_lanes = 8;
/// From one centre's values of a block to the next one's: lane l of every centre lies in banks of its own.
constexpr int value_stride = block_points + sum_lanes;

/// Columns of 1024 points, block after block: [block][feature][point], zeros behind the last point.
struct Coordinates {
  const float* values;
  /// (n, d) the same row by row: a point alone is read from there.
  const float* rows;
  std::size_t n;
  int d;

  /// Feature 0 of the first point of a block.
  __device__ const float* of_block(std::size_t block) const { return values + block * d * block_points; }
  __device__ const float* row(std::size_t i) const { return rows + i * d; }
  __device__ int points_of(std::size_t block) const {
    const std::size_t left = n - block * block_points;
    return static_cast<int>(left < block_points ? left : block_points);
  }
};

/// D2 of every point (zeros behind the last), the sums of its blocks, and the sum of those.
struct Distances {
  double* nearest;
  double* block_sums;
  double* total;
  std::size_t n;
  std::size_t blocks;
};

__device__ __forceinline__ double squared_difference(float a, float b) {
  const double difference = __dsub_rn(static_cast<double>(a), static_cast<double>(b));
  return __dmul_rn(difference, difference);
}

/// The sum of a block of values in shared memory, by eight threads side by side whose `lane` counts from 0 to 7; by whole warps.
__device__ __forceinline__ double lane_sum(const double* values, int count, int lane) {
  double sum = 0;
#pragma unroll 16
  for (int i = lane; i < count; i += sum_lanes) sum = __dadd_rn(sum, values[i]);
  // ((0+1)+(2+3)) + ((4+5)+(6+7)): addition of two numbers does not depend on their order.
  for (int step = 1; step < sum_lanes; step *= 2) sum = __dadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, step));
  return sum;
}

}  // namespace centroid_lab::cuda

// Products y.z on matrix units, y = S x and z = S c, S a power of two that brings the larger of X >= |x| and C >= |c| into
// [2^14, 2^15). Each coordinate is taken as two float16, high and low. What is made of them has its margin from
// variants/fused/regimes/matrix-scores/proof.md and staged-points/proof.md there.
#pragma once

#include <cuda_fp16.h>

#include <cmath>

#include "device_variant.hpp"
#include "methods/scores/score_bounds.cuh"

namespace centroid_lab::cuda::matrix_units {

/// S, and what the margins of points are made of.
struct MatrixBounds {
  float scale;
  PointMargins margins;
};

/// @param units the error of a score, in 2^-24 (|y| + |z|)^2. @param points X. @param centroids_squared C squared, a little too small
/// at most by rounding.
__device__ inline MatrixBounds matrix_bounds(int d, float units, float points, float centroids_squared) {
  const float larger = fmaxf(points, 1.0001F * sqrtf(centroids_squared));
  int exponent = 0;
  frexpf(larger, &exponent);
  const bool in_range = larger < 0x1p60F && exponent > -60;
  const float scale = ldexpf(1.0F, in_range ? 15 - exponent : 0);
  const float error = 1.01F * 0x1p-24F * units;
  const float least = static_cast<float>(d) * (0x1p-24F + 0x1p-126F * scale * scale);
  return {scale, point_margins(d, error, points * scale, centroids_squared * scale * scale, in_range ? least : INFINITY)};
}

/// C squared: by all threads, each warp its centroids. Synchronises.
__device__ inline float largest_squared_norm(const Pass& pass, int d) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  for (int c = threadIdx.x / 32; c < pass.k; c += blockDim.x / 32) {
    double squared = 0;
    for (int j = threadIdx.x % 32; j < d; j += 32) {
      const double value = pass.centroids[static_cast<size_t>(c) * d + j];
      squared = fma(value, value, squared);
    }
    for (int step = 16; step > 0; step /= 2) squared += __shfl_xor_sync(0xffffffffU, squared, step);
    // No number is none of the pass.
    if (threadIdx.x % 32 == 0 && squared >= 0) atomicMax(&largest, __float_as_uint(static_cast<float>(squared)));
  }
  __syncthreads();
  return __uint_as_float(largest);
}

struct Halves {
  unsigned high, low;
};

__device__ __forceinline__ Halves halves_of(float a, float b) {
  const __half2 high = __floats2half2_rn(a, b);
  const __half2 low = __floats2half2_rn(a - __low2float(high), b - __high2float(high));
  return {reinterpret_cast<const unsigned&>(high), reinterpret_cast<const unsigned&>(low)};
}

/// sums = from + 16 points by 16 features times 16 features by 8 centroids.
__device__ __forceinline__ void multiply(float (&sums)[4], const float (&from)[4], unsigned a0, unsigned a1, unsigned a2,
                                         unsigned a3, unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3]));
#endif
}

/// The same with 8 features.
__device__ __forceinline__ void multiply(float (&sums)[4], const float (&from)[4], unsigned a0, unsigned a1, unsigned b0) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
      : "r"(a0), "r"(a1), "r"(b0), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3]));
#endif
}

}  // namespace centroid_lab::cuda::matrix_units

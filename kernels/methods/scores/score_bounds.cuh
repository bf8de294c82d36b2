// Scores s = B + |c|^2/2 - x.c, half the work of distances, and when they may be trusted: proof.md derives B and the margin M.
// A point with exactly one score up to M above the smallest gets that centroid, every other point, infinities and NaN among
// them, is decided by distances to all centroids.
#pragma once

#include <cstdint>

namespace centroid_lab::cuda {

/// B and M of an assignment.
struct ScoreBounds {
  float offset;
  float margin;
};

/// @param points X, an upper bound. @param centroids C squared, a little too small at most by rounding.
__device__ inline ScoreBounds score_bounds(int d, float points, float centroids_squared) {
  const float u = 1.01F * 0x1p-24F;
  const float reach = 1.0001F * sqrtf(centroids_squared) + 0x1p-100F;
  const float products = reach * (reach + 4 * points);
  const float sum = points + reach;
  const float margin = u * (static_cast<float>(d + 3) * products + static_cast<float>(d + 4) * sum * sum);
  return {1.0001F * points * reach, margin + static_cast<float>(d) * 0x1p-126F};
}

/// 1 when a <= b, else 0, as a number: its sum counts.
__device__ inline float at_most(float a, float b) {
  float answer;
  asm("set.le.f32.f32 %0, %1, %2;" : "=f"(answer) : "f"(a), "f"(b));
  return answer;
}

/// The smallest of numbers that are not negative.
__device__ inline float smallest_of(float a, float b, float c) {
  return __int_as_float(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
}

}  // namespace centroid_lab::cuda

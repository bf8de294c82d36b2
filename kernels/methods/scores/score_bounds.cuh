// Scores |c|^2/2 - x.c, half the work of distances, and when they may be trusted: proof.md derives the margins. What scores
// up to a margin above the smallest leave open, infinities and NaN among it, is decided by distances to all centroids.
#pragma once

#include <cmath>
#include <cstdint>

namespace centroid_lab::cuda {

/// Offset B and margin M of an assignment, the same for all points.
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

/// What the margin of a point is made of, where each has its own: neither an outlier nor a centroid far off widens others'.
struct PointMargins {
  /// Shares of |x|^2 + C^2, or of |x|^2 + h, and of h.
  float by_reach, by_distance, of_distance;
  float reach_squared;
  float least;

  /// @param squared_norm |x|^2. @param half h, half the squared distance by the smallest score.
  __device__ __forceinline__ float of(float squared_norm, float half) const {
    const float scores = fminf(by_reach * (squared_norm + reach_squared), by_distance * (squared_norm + half));
    return fmaf(of_distance, half, scores + least);
  }
};

/// @param error e, such that a score is off by at most e (|x| + |c|)^2. @param points X, an upper bound. @param
/// centroids_squared C squared, a little too small at most by rounding. @param least what may be lost besides.
__device__ inline PointMargins point_margins(int d, float error, float points, float centroids_squared, float least) {
  const float u = 1.01F * 0x1p-24F;
  const bool in_range = points < 0x1p60F && centroids_squared < 0x1p120F;
  return {4.1F * error, 12.2F * error, 2.02F * u * static_cast<float>(d + 3), 1.0002F * centroids_squared,
          in_range ? least + static_cast<float>(d) * 0x1p-126F : INFINITY};
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

// Scores s = B + |c|^2/2 - x.c, half the work of distances, and when they may be trusted.
//
// With X >= |x| for every point, C >= |c| for every centroid and B >= X C no score is negative, so scores compare as
// integers. Let Q = C^2/2 + 2 X C, u = 2^-24. A score is computed as B + |c|^2/2, rounded once, and d fused multiply-adds,
// each of which rounds a number of at most Q(1 + d u): it is off by at most E = (d+2) u Q. A distance by direct differences is
// off by at most t D, t = (d+3) u. Let w have the smallest score s_w and o another one. Computed distances obey
//     D_w <= (A + 2E)(1 + t)  and  D_o >= (A + 2 (s_o - s_w) - 2E)(1 - t),  A = |x|^2 + 2 (s_w - B) <= (X + C)^2,
// so D_w < D_o follows from s_o - s_w > M,
//     M = 1.01 ((d+3) u 2Q + (d+4) u (X + C)^2) + d 2^-126.
// The slack of 1.01 and of one u each covers 1/(1-t) and the rounding of s_w + M, for d < 16384; d 2^-126 covers underflow,
// and a score that it makes negative lies within M of every other such score. A point with exactly one score up to
// s_w + M gets that centroid, which is the one that distances to all centroids give, to the last bit. Every other point
// is decided by distances to all centroids; infinities and NaN end there too, as no comparison with them leaves exactly one.
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

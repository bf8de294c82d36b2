// What the filter needs beyond the vectors of `fused`. Included once per instruction set, after its vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab {
namespace {

/// Lowest lane of `lanes` that holds the smallest value.
inline int lane_of_smallest(Vectors::Floats values) {
#if defined(__AVX512F__)
  const float smallest = _mm512_reduce_min_ps(values);
  return __builtin_ctz(_mm512_cmp_ps_mask(values, _mm512_set1_ps(smallest), _CMP_LE_OQ) | 0x8000U);
#else
  alignas(64) float value[Vectors::lanes];
  __builtin_memcpy(value, &values, sizeof value);
  int lane = 0;
  for (int i = 1; i < Vectors::lanes; i++) lane = value[i] < value[lane] ? i : lane;
  return lane;
#endif
}

/// Writes the chosen lanes of a vector side by side; up to a whole vector may be overwritten.
inline void keep_lanes(const float* from, std::uint32_t chosen, float* to) {
#if defined(__AVX512F__)
  _mm512_storeu_ps(to, _mm512_maskz_compress_ps(static_cast<__mmask16>(chosen), _mm512_loadu_ps(from)));
#else
  for (; chosen != 0; chosen &= chosen - 1) *to++ = from[__builtin_ctz(chosen)];
#endif
}

inline void keep_lanes(const std::int32_t* from, std::uint32_t chosen, std::int32_t* to) {
#if defined(__AVX512F__)
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(chosen), _mm512_loadu_si512(from)));
#else
  for (; chosen != 0; chosen &= chosen - 1) *to++ = from[__builtin_ctz(chosen)];
#endif
}

}  // namespace
}  // namespace centroid_lab

// Eight float32 lanes. Needs AVX2 and FMA.
#pragma once

#include <immintrin.h>

#include <cmath>
#include <cstdint>

#include "vectors/transpose.hpp"

namespace centroid_lab {
namespace {

struct Vectors {
  using Floats = __m256;
  using Integers = __m256i;
  using Mask = __m256;
  static constexpr int lanes = 8;
  /// Register block of the larger kernels: 2 vectors of points by 4 centroids, 8 accumulators of 16 registers.
  static constexpr int block_vectors = 2;
  static constexpr int block_centroids = 4;

  static Floats load(const float* from) { return _mm256_loadu_ps(from); }
  /// Few registers: the compiler may load it for each use.
  static Floats hold(const float* from) { return load(from); }
  static Floats all(float value) { return _mm256_set1_ps(value); }
  static Integers all(std::int32_t value) { return _mm256_set1_epi32(value); }
  static void store(std::int32_t* to, Integers value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
  }
  static void store(float* to, Floats value) { _mm256_storeu_ps(to, value); }
  static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  static Floats subtract(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
  /// sum + a * b
  static Floats add_product(Floats a, Floats b, Floats sum) { return _mm256_fmadd_ps(a, b, sum); }
  /// sum - a * b
  static Floats subtract_product(Floats a, Floats b, Floats sum) { return _mm256_fnmadd_ps(a, b, sum); }
  static Floats smaller(Floats a, Floats b) { return _mm256_min_ps(a, b); }
  static Floats larger(Floats a, Floats b) { return _mm256_max_ps(a, b); }
  /// As `smaller` and `larger`, of numbers that are not negative: their bits compare as integers do, on other ports.
  static Floats smaller_size(Floats a, Floats b) {
    return _mm256_castsi256_ps(_mm256_min_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
  }
  static Floats larger_size(Floats a, Floats b) {
    return _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
  }
  static Floats root(Floats a) { return _mm256_sqrt_ps(a); }
  static Mask is_less(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
  static Floats choose(Mask mask, Floats yes, Floats no) { return _mm256_blendv_ps(no, yes, mask); }
  static Integers choose(Mask mask, Integers yes, Integers no) {
    return _mm256_blendv_epi8(no, yes, _mm256_castps_si256(mask));
  }
  static std::uint32_t bits(Mask mask) { return static_cast<std::uint32_t>(_mm256_movemask_ps(mask)); }
  static Mask is_at_most(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
  static Floats magnitude(Floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a); }
  static Integers add(Integers a, Integers b) { return _mm256_add_epi32(a, b); }
  /// a with the bits of `mask` taken from `number`, which has no others.
  static Floats tagged(Floats a, Integers mask, Integers number) {
    return _mm256_or_ps(_mm256_andnot_ps(_mm256_castsi256_ps(mask), a), _mm256_castsi256_ps(number));
  }
  static Integers tag_of(Floats a, Integers mask) { return _mm256_and_si256(_mm256_castps_si256(a), mask); }
  static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
  /// The same lanes in float64.
  struct Wide {
    __m256d low;
    __m256d high;
  };
  static Wide load_wide(const double* from) { return {_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4)}; }
  static void store_wide(double* to, Wide value) {
    _mm256_storeu_pd(to, value.low);
    _mm256_storeu_pd(to + 4, value.high);
  }
  static Wide add_wide(Wide sum, Floats value) {
    return {_mm256_add_pd(sum.low, _mm256_cvtps_pd(_mm256_castps256_ps128(value))),
            _mm256_add_pd(sum.high, _mm256_cvtps_pd(_mm256_extractf128_ps(value, 1)))};
  }
  static float sum_of_lanes(Floats a) {
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
  }
  static float smallest_lane(Floats a) {
    __m128 half = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    half = _mm_min_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_min_ss(half, _mm_movehdup_ps(half)));
  }
};

inline std::uint32_t differing(const std::int32_t* labels, __m256i kept) {
  const __m256i equal = _mm256_cmpeq_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(labels)), kept);
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(equal))) ^ 0xFFU;
}
/// Bits of the 8 labels that are not the ones kept.
inline std::uint32_t differing(const std::int32_t* labels, const std::uint8_t* kept) {
  return differing(labels, _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kept))));
}
inline std::uint32_t differing(const std::int32_t* labels, const std::uint16_t* kept) {
  return differing(labels, _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kept))));
}
inline std::uint32_t differing(const std::int32_t* labels, const std::int32_t* kept) {
  return differing(labels, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kept)));
}

/// Adds the point, as fixed-point numbers, to `to` and takes it from `from` (unless null).
inline void move_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  for (std::size_t j = 0; j < d; j++) {
    const std::int64_t fixed = _mm_cvtss_si64(_mm_set_ss(row[j] * scale[j]));
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

/// As `move_row`; behind the sums there is room up to a multiple of eight.
inline void move_padded_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  move_row(row, scale, d, to, from);
}

/// As `move_padded_row`, for a point whose coordinates are `apart` floats from each other.
template <std::size_t apart>
inline void move_padded_column(const float* point, const float* scale, std::size_t d, std::int64_t* to,
                               std::int64_t* from) {
  for (std::size_t j = 0; j < d; j++) {
    const std::int64_t fixed = _mm_cvtss_si64(_mm_set_ss(point[j * apart] * scale[j]));
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

}  // namespace
}  // namespace centroid_lab

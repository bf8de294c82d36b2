// Sixteen float32 lanes. Needs AVX-512 F, DQ, BW, VL.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace centroid_lab {
namespace {

struct Vectors {
  using Floats = __m512;
  using Integers = __m512i;
  using Mask = __mmask16;
  static constexpr int lanes = 16;
  /// Register block of the larger kernels: 2 vectors of points by 8 centroids, 16 accumulators of 32 registers.
  static constexpr int block_vectors = 2;
  static constexpr int block_centroids = 8;

  static Floats load(const float* from) { return _mm512_loadu_ps(from); }
  static Floats all(float value) { return _mm512_set1_ps(value); }
  static Integers all(std::int32_t value) { return _mm512_set1_epi32(value); }
  static void store(std::int32_t* to, Integers value) { _mm512_storeu_si512(to, value); }
  static Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
  /// sum + a * b
  static Floats add_product(Floats a, Floats b, Floats sum) { return _mm512_fmadd_ps(a, b, sum); }
  /// sum - a * b
  static Floats subtract_product(Floats a, Floats b, Floats sum) { return _mm512_fnmadd_ps(a, b, sum); }
  static Floats smaller(Floats a, Floats b) { return _mm512_min_ps(a, b); }
  static Floats larger(Floats a, Floats b) { return _mm512_max_ps(a, b); }
  static Floats root(Floats a) { return _mm512_sqrt_ps(a); }
  static Mask is_less(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static Floats choose(Mask mask, Floats yes, Floats no) { return _mm512_mask_mov_ps(no, mask, yes); }
  static Integers choose(Mask mask, Integers yes, Integers no) { return _mm512_mask_mov_epi32(no, mask, yes); }
  static std::uint32_t bits(Mask mask) { return mask; }
};

/// Eight float32 lanes: the centroids of one block.
struct Eight {
  __m256 value;
  static Eight load(const float* from) { return {_mm256_loadu_ps(from)}; }
  static Eight all(float value) { return {_mm256_set1_ps(value)}; }
  void add_square_of_difference(float point, Eight centroids) {
    const __m256 difference = _mm256_sub_ps(_mm256_set1_ps(point), centroids.value);
    value = _mm256_fmadd_ps(difference, difference, value);
  }
  float smallest() const {
    __m128 half = _mm_min_ps(_mm256_castps256_ps128(value), _mm256_extractf128_ps(value, 1));
    half = _mm_min_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_min_ss(half, _mm_shuffle_ps(half, half, 1)));
  }
  /// Lanes that equal `wanted`, lowest first.
  std::uint32_t equal_to(float wanted) const {
    return _mm256_cmp_ps_mask(value, _mm256_set1_ps(wanted), _CMP_EQ_OQ);
  }
};

/// Adds the point, as fixed-point numbers, to `to` and takes it from `from` (unless null). The rest after full
/// vectors is scalar: masked stores would hold up the loads of the next point.
inline void move_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  std::size_t j = 0;
  for (; j + 8 <= d; j += 8) {
    const __m512i fixed = _mm512_cvtps_epi64(_mm256_mul_ps(_mm256_loadu_ps(row + j), _mm256_loadu_ps(scale + j)));
    _mm512_storeu_si512(to + j, _mm512_add_epi64(_mm512_loadu_si512(to + j), fixed));
    if (from == nullptr) continue;
    _mm512_storeu_si512(from + j, _mm512_sub_epi64(_mm512_loadu_si512(from + j), fixed));
  }
  for (; j < d; j++) {
    const std::int64_t fixed = _mm_cvtss_si64(_mm_set_ss(row[j] * scale[j]));
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

}  // namespace
}  // namespace centroid_lab

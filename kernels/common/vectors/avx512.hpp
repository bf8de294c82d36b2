// Sixteen float32 lanes. Needs AVX-512 F, DQ, BW, VL.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "vectors/transpose.hpp"

namespace centroid_lab {
namespace {

struct Vectors {
  using Floats = __m512;
  using Integers = __m512i;
  using Mask = __mmask16;
  static constexpr int lanes = 16;
  /// Register block of the larger kernels: 4 vectors of points by 4 centroids, 16 accumulators of 32 registers.
  static constexpr int block_vectors = 4;
  static constexpr int block_centroids = 4;

  static Floats load(const float* from) { return _mm512_loadu_ps(from); }
  /// Loaded once for several uses, where the compiler would rather load it for each.
  static Floats hold(const float* from) {
    Floats value = load(from);
    __asm__("" : "+v"(value));
    return value;
  }
  static Floats all(float value) { return _mm512_set1_ps(value); }
  static Integers all(std::int32_t value) { return _mm512_set1_epi32(value); }
  static void store(std::int32_t* to, Integers value) { _mm512_storeu_si512(to, value); }
  static void store(float* to, Floats value) { _mm512_storeu_ps(to, value); }
  static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
  static Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
  /// sum + a * b
  static Floats add_product(Floats a, Floats b, Floats sum) { return _mm512_fmadd_ps(a, b, sum); }
  /// sum - a * b
  static Floats subtract_product(Floats a, Floats b, Floats sum) { return _mm512_fnmadd_ps(a, b, sum); }
  static Floats smaller(Floats a, Floats b) { return _mm512_min_ps(a, b); }
  static Floats larger(Floats a, Floats b) { return _mm512_max_ps(a, b); }
  /// As `smaller` and `larger`, of numbers that are not negative: their bits compare as integers do, on other ports.
  static Floats smaller_size(Floats a, Floats b) {
    return _mm512_castsi512_ps(_mm512_min_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b)));
  }
  static Floats larger_size(Floats a, Floats b) {
    return _mm512_castsi512_ps(_mm512_max_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b)));
  }
  static Floats root(Floats a) { return _mm512_sqrt_ps(a); }
  static Mask is_less(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static Floats choose(Mask mask, Floats yes, Floats no) { return _mm512_mask_mov_ps(no, mask, yes); }
  static Integers choose(Mask mask, Integers yes, Integers no) { return _mm512_mask_mov_epi32(no, mask, yes); }
  static std::uint32_t bits(Mask mask) { return mask; }
  static Mask is_at_most(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
  static Floats magnitude(Floats a) { return _mm512_abs_ps(a); }
  static Integers add(Integers a, Integers b) { return _mm512_add_epi32(a, b); }
  static Integers times_16(Integers a) { return _mm512_slli_epi32(a, 4); }
  static Integers load(const std::int32_t* from) { return _mm512_loadu_si512(from); }
  /// a with the bits of `mask` taken from `number`, which has no others.
  static Floats tagged(Floats a, Integers mask, Integers number) {
    return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(_mm512_castps_si512(a), mask, number, 0xBA));
  }
  static Integers tag_of(Floats a, Integers mask) { return _mm512_and_si512(_mm512_castps_si512(a), mask); }
  /// For each of 16 rows the lowest lane whose value v is at most that of the smallest, s * factor + rest; `several` gets
  /// the bits of the rows in which it is not the only one. The rows' minima are found side by side: rows are folded in
  /// pairs, half a row on half a row, until one vector holds them all.
  static Integers lanes_of_least(const Floats (&rows)[16], float factor, float rest, std::uint32_t& several) {
    Floats fold[8];
    for (int i = 0; i < 8; i++) {
      fold[i] = smaller(_mm512_shuffle_f32x4(rows[i], rows[i + 8], 0x44),
                        _mm512_shuffle_f32x4(rows[i], rows[i + 8], 0xEE));
    }
    for (int i = 0; i < 4; i++) {
      fold[i] = smaller(_mm512_shuffle_f32x4(fold[i], fold[i + 4], 0x88),
                        _mm512_shuffle_f32x4(fold[i], fold[i + 4], 0xDD));
    }
    for (int i = 0; i < 2; i++) {
      fold[i] = smaller(_mm512_shuffle_ps(fold[i], fold[i + 2], 0x44), _mm512_shuffle_ps(fold[i], fold[i + 2], 0xEE));
    }
    fold[0] = smaller(_mm512_shuffle_ps(fold[0], fold[1], 0x88), _mm512_shuffle_ps(fold[0], fold[1], 0xDD));
    // Through memory: broadcasts from there cost nothing, between registers they take the port of the comparisons.
    alignas(64) float least[16];
    _mm512_store_ps(least, _mm512_fmadd_ps(fold[0], all(factor), all(rest)));
    __asm__("" : "+m"(least));
    // Where the minimum of row i came to lie: its four bits, pairwise exchanged.
    constexpr int slot_of_row[16] = {0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15};
    alignas(32) std::uint16_t equal[16];
    for (int i = 0; i < 16; i++) {
      equal[i] = is_at_most(rows[i], all(least[slot_of_row[i]]));
      __asm__("" : "+m"(equal[i]));
    }
    const Integers masks = _mm512_cvtepu16_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(equal)));
    several = _mm512_test_epi32_mask(masks, _mm512_sub_epi32(masks, _mm512_set1_epi32(1)));
    const Integers lowest = _mm512_and_si512(masks, _mm512_sub_epi32(_mm512_setzero_si512(), masks));
    // A power of two as a float: its exponent is the place.
    const Integers exponent = _mm512_srli_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(lowest)), 23);
    return _mm512_sub_epi32(exponent, _mm512_set1_epi32(127));
  }
  static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
  /// The same lanes in float64.
  struct Wide {
    __m512d low;
    __m512d high;
  };
  static Wide load_wide(const double* from) { return {_mm512_loadu_pd(from), _mm512_loadu_pd(from + 8)}; }
  static void store_wide(double* to, Wide value) {
    _mm512_storeu_pd(to, value.low);
    _mm512_storeu_pd(to + 8, value.high);
  }
  static Wide add_wide(Wide sum, Floats value) {
    return {_mm512_add_pd(sum.low, _mm512_cvtps_pd(_mm512_castps512_ps256(value))),
            _mm512_add_pd(sum.high, _mm512_cvtps_pd(_mm512_extractf32x8_ps(value, 1)))};
  }
  static float sum_of_lanes(Floats a) { return _mm512_reduce_add_ps(a); }
  static float smallest_lane(Floats a) {
    const __m256 half = _mm256_min_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    __m128 quarter = _mm_min_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    quarter = _mm_min_ps(quarter, _mm_movehl_ps(quarter, quarter));
    return _mm_cvtss_f32(_mm_min_ss(quarter, _mm_movehdup_ps(quarter)));
  }
};

/// Bits of the 16 labels that are not the ones kept.
inline std::uint32_t differing(const std::int32_t* labels, const std::uint8_t* kept) {
  const __m512i wide = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kept)));
  return _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(labels), wide);
}
inline std::uint32_t differing(const std::int32_t* labels, const std::uint16_t* kept) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(kept)));
  return _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(labels), wide);
}
inline std::uint32_t differing(const std::int32_t* labels, const std::int32_t* kept) {
  return _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(labels), _mm512_loadu_si512(kept));
}

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

/// Bits of the first `count` of eight lanes.
inline __mmask8 first_lanes(std::size_t count) { return static_cast<__mmask8>((1U << count) - 1); }

/// Eight coordinates, scaled, to `to` and from `from` (unless null).
inline void move_eight(__m256 coordinates, __m256 scale, std::int64_t* to, std::int64_t* from) {
  const __m512i fixed = _mm512_cvtps_epi64(_mm256_mul_ps(coordinates, scale));
  _mm512_storeu_si512(to, _mm512_add_epi64(_mm512_loadu_si512(to), fixed));
  if (from == nullptr) return;
  _mm512_storeu_si512(from, _mm512_sub_epi64(_mm512_loadu_si512(from), fixed));
}

/// As `move_row`; behind the sums there is room up to a multiple of eight, which gets zeros added.
inline void move_padded_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  std::size_t j = 0;
  for (; j + 8 <= d; j += 8) {
    move_eight(_mm256_loadu_ps(row + j), _mm256_loadu_ps(scale + j), to + j, from == nullptr ? nullptr : from + j);
  }
  if (j == d) return;
  const __mmask8 rest = first_lanes(d - j);
  move_eight(_mm256_maskz_loadu_ps(rest, row + j), _mm256_maskz_loadu_ps(rest, scale + j), to + j,
             from == nullptr ? nullptr : from + j);
}

/// As `move_padded_row`, for a point whose coordinates are `apart` floats from each other.
template <std::size_t apart>
inline void move_padded_column(const float* point, const float* scale, std::size_t d, std::int64_t* to,
                               std::int64_t* from) {
  constexpr int step = static_cast<int>(apart);
  const __m256i places = _mm256_setr_epi32(0, step, 2 * step, 3 * step, 4 * step, 5 * step, 6 * step, 7 * step);
  for (std::size_t j = 0; j < d; j += 8) {
    const __mmask8 lanes = first_lanes(d - j < 8 ? d - j : 8);
    const __m256 found = _mm256_mmask_i32gather_ps(_mm256_setzero_ps(), lanes, places, point + j * apart, 4);
    move_eight(found, _mm256_maskz_loadu_ps(lanes, scale + j), to + j, from == nullptr ? nullptr : from + j);
  }
}

}  // namespace
}  // namespace centroid_lab

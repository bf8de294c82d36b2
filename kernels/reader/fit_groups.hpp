// What the instruction sets of whole_numbers.hpp have in common.
#pragma once

#include "whole_numbers.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace centroid_lab::reader {
namespace {

/// As JavaScript's Math.round, for what fits.
inline std::int32_t rounded(double scaled) {
  const auto whole = static_cast<std::int32_t>(scaled);
  const double rest = scaled - whole;
  return whole + (rest >= 0.5) - (rest < -0.5);
}

/// A value times a scale.
struct Scaled {
  std::int32_t number;
  bool missing, large;
};

inline Scaled scaled_by(double scale, double value) {
  const bool missing = value != value;
  const double scaled = missing ? 0 : value * scale;
  const bool large = !(scaled < 2147483647.5 && scaled > -2147483647.5);
  return {rounded(large ? 0 : scaled), missing, large};
}

Fit fit_groups(const double* values, std::size_t count, double scale, std::int32_t* whole, std::size_t& at) {
  for (; at < count; at += group) {
    const double* const from = values + at;
    std::int32_t* const to = whole + at;
    int too_large = 0, others = 0;
    for (std::size_t i = 0; i < group; i++) {
      const auto [number, missing, large] = scaled_by(scale, from[i]);
      too_large |= large;
      others |= !missing & !(static_cast<double>(number) / scale == from[i]);
      to[i] = missing ? no_number : number;
    }
    if (too_large != 0) return Fit::too_large;
    if (others != 0) return Fit::other_scale;
  }
  return Fit::fits;
}

void add_up(const std::int32_t* whole, std::size_t count, WholeTotals& totals) {
  WholeTotals all = totals;
  for (std::size_t i = 0; i < count; i++) {
    const std::int32_t number = whole[i];
    const bool is_missing = number == no_number;
    const std::int32_t low = is_missing ? all.min : number;
    all.min = low < all.min ? low : all.min;
    all.max = number > all.max ? number : all.max;
    all.sum += is_missing ? 0 : number;
    all.numbers += is_missing ? 0 : 1;
  }
  totals = all;
}

#if defined(__AVX512F__) && defined(__AVX512VL__)

/// What is too large, or missing, becomes `no_number` by itself.
bool write_whole(const double* values, std::size_t count, double scale, std::int32_t* whole, WholeTotals& totals) {
  const __m512d scales = _mm512_set1_pd(scale);
  const __m256i none = _mm256_set1_epi32(no_number);
  __m256i min = _mm256_set1_epi32(totals.min), max = _mm256_set1_epi32(totals.max);
  __m512i sum = _mm512_setzero_si512();
  std::uint32_t numbers = 0, too_large = 0;
  for (std::size_t at = 0; at < count; at += 8) {
    const auto lanes = static_cast<__mmask8>(count - at < 8 ? (1u << (count - at)) - 1 : 0xff);
    const __m512d some = _mm512_maskz_loadu_pd(lanes, values + at);
    const __m256i number = _mm512_cvtpd_epi32(_mm512_mul_pd(some, scales));
    const __mmask8 here = _mm256_mask_cmpneq_epi32_mask(lanes, number, none);
    const __mmask8 ordered = _mm512_mask_cmp_pd_mask(lanes, some, some, _CMP_ORD_Q);
    too_large |= static_cast<std::uint32_t>(here ^ ordered);
    numbers += static_cast<std::uint32_t>(__builtin_popcount(here));
    min = _mm256_mask_min_epi32(min, here, min, number);
    max = _mm256_mask_max_epi32(max, here, max, number);
    sum = _mm512_mask_add_epi64(sum, here, sum, _mm512_cvtepi32_epi64(number));
    _mm256_mask_storeu_epi32(whole + at, lanes, number);
  }
  alignas(32) std::int32_t least[8], most[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(least), min);
  _mm256_store_si256(reinterpret_cast<__m256i*>(most), max);
  for (int lane = 0; lane < 8; lane++) {
    totals.min = least[lane] < totals.min ? least[lane] : totals.min;
    totals.max = most[lane] > totals.max ? most[lane] : totals.max;
  }
  totals.sum += _mm512_reduce_add_epi64(sum);
  totals.numbers += numbers;
  return too_large == 0;
}

#else

bool write_some(const double* values, std::size_t count, double scale, std::int32_t* whole) {
  int too_large = 0;
  for (std::size_t i = 0; i < count; i++) {
    const auto [number, missing, large] = scaled_by(scale, values[i]);
    too_large |= large;
    whole[i] = missing ? no_number : number;
  }
  return too_large == 0;
}

/// Added up while they are still in the nearest cache.
bool write_whole(const double* values, std::size_t count, double scale, std::int32_t* whole, WholeTotals& totals) {
  constexpr std::size_t part = 1024;
  for (std::size_t at = 0; at < count; at += part) {
    const std::size_t some = count - at < part ? count - at : part;
    if (!write_some(values + at, some, scale, whole + at)) return false;
    add_up(whole + at, some, totals);
  }
  return true;
}

#endif

}  // namespace
}  // namespace centroid_lab::reader

// Eight columns of eight float32 become eight rows. Needs AVX.
#pragma once

#include <immintrin.h>

#include <cstddef>

namespace centroid_lab {
namespace {

/// @param from a column begins every `apart` floats; from the `count`-th on (at least 1) the last is taken again
/// @param to a row begins every `row_apart` floats
inline void transpose_eight(const float* from, std::size_t apart, std::size_t count, float* to, std::size_t row_apart) {
  __m256 column[8];
  for (std::size_t j = 0; j < 8; j++) column[j] = _mm256_loadu_ps(from + (j < count ? j : count - 1) * apart);
  __m256 pair[8];
  for (int j = 0; j < 8; j += 2) {
    pair[j] = _mm256_unpacklo_ps(column[j], column[j + 1]);
    pair[j + 1] = _mm256_unpackhi_ps(column[j], column[j + 1]);
  }
  __m256 four[8];
  for (int j = 0; j < 8; j += 4) {
    four[j] = _mm256_shuffle_ps(pair[j], pair[j + 2], 0x44);
    four[j + 1] = _mm256_shuffle_ps(pair[j], pair[j + 2], 0xEE);
    four[j + 2] = _mm256_shuffle_ps(pair[j + 1], pair[j + 3], 0x44);
    four[j + 3] = _mm256_shuffle_ps(pair[j + 1], pair[j + 3], 0xEE);
  }
  for (std::size_t p = 0; p < 4; p++) {
    _mm256_storeu_ps(to + p * row_apart, _mm256_permute2f128_ps(four[p], four[p + 4], 0x20));
    _mm256_storeu_ps(to + (p + 4) * row_apart, _mm256_permute2f128_ps(four[p], four[p + 4], 0x31));
  }
}

}  // namespace
}  // namespace centroid_lab

// Rows times directions, in float64. Included once per instruction set, after its vectors.
#pragma once

#include <cstddef>

namespace centroid_lab {
namespace {

/// Float64 in vectors of the same width as `Vectors`.
using Wide = double __attribute__((vector_size(sizeof(Vectors::Floats))));
constexpr std::size_t wide_lanes = sizeof(Wide) / sizeof(double);
/// Vectors of directions, and rows, whose sums are in registers at once.
constexpr std::size_t wides_at_once = 2;
constexpr std::size_t rows_at_once = 4;

inline Wide load_wide(const double* from) {
  Wide value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

template <std::size_t R>
inline void project_rows(const float* rows, std::size_t length, const double* directions, std::size_t width,
                         const double* offset, double* to) {
  Wide sums[R][wides_at_once];
  for (std::size_t row = 0; row < R; row++) {
    for (std::size_t i = 0; i < wides_at_once; i++) sums[row][i] = -load_wide(offset + i * wide_lanes);
  }
  for (std::size_t j = 0; j < length; j++) {
    Wide direction[wides_at_once];
    for (std::size_t i = 0; i < wides_at_once; i++) direction[i] = load_wide(directions + j * width + i * wide_lanes);
    for (std::size_t row = 0; row < R; row++) {
      const double value = static_cast<double>(rows[row * length + j]);
      for (std::size_t i = 0; i < wides_at_once; i++) sums[row][i] += value * direction[i];
    }
  }
  for (std::size_t row = 0; row < R; row++) __builtin_memcpy(to + row * width, sums[row], sizeof sums[row]);
}

/// See Project in projection_job.hpp.
inline void project(const float* rows, std::size_t count, std::size_t length, const double* directions,
                    std::size_t width, const double* offset, double* to) {
  for (std::size_t i = 0; i < width; i += wides_at_once * wide_lanes) {
    std::size_t row = 0;
    for (; row + rows_at_once <= count; row += rows_at_once) {
      project_rows<rows_at_once>(rows + row * length, length, directions + i, width, offset + i, to + row * width + i);
    }
    for (; row < count; row++) {
      project_rows<1>(rows + row * length, length, directions + i, width, offset + i, to + row * width + i);
    }
  }
}

}  // namespace
}  // namespace centroid_lab

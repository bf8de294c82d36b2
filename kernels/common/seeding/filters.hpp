// The inner loops of the seeding that skips, once per instruction set: 32 points, or 32 bounds around points, against one
// row. `within` and `touching` work in float32 and may say yes too often, never no wrongly (README.md, margins); `gain`
// and `closer` are the arithmetic of groups.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "seeding/groups.hpp"

namespace centroid_lab {

/// One bit for each of 32 points or bounds.
using Mask = std::uint32_t;

struct FilterKernels {
  /// Those of the points `columns (d, 32)` that may be as near to `row (d)` as their `reach`, a square.
  Mask (*within)(const float* columns, const float* row, std::size_t d, const float* reach);
  /// The same for boxes `(d, low 32, high 32)`.
  Mask (*touching)(const float* boxes, const float* row, std::size_t d, const float* reach);
  /// Sum of max(0, nearest - |x - row|^2) over the points asked for and, maybe, points beside them.
  double (*gain)(const float* columns, const double* row, std::size_t d, Mask points, const double* nearest);
  /// Which of the points asked for, or beside them, have |x - row|^2 < nearest; and that distance in their places.
  Mask (*closer)(const float* columns, const double* row, std::size_t d, Mask points, const double* nearest,
                 double* distances);
  /// The largest of 32.
  float (*largest)(const float* values);
};

extern const FilterKernels baseline_filters;
#if defined(__x86_64__)
extern const FilterKernels avx2_filters;
extern const FilterKernels avx512_filters;
#endif

/// Those of the best instruction set here.
const FilterKernels& best_filters();

}  // namespace centroid_lab

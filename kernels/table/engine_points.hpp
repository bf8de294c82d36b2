// Points in engine units of columns (src/engine/dataset/engine-points.ts).
#pragma once

#include <cstddef>
#include <vector>

#include "series.hpp"

namespace centroid_lab::table {

/// How one feature is moved and stretched: `(value - centre) * gain`, of values in column units.
struct Stretch {
  double centre = 0;
  double gain = 1;
};

struct FilledPoints {
  /// (d) of the points as they are held.
  std::vector<double> sums;
  /// (d) squared errors of rounding to them.
  std::vector<double> rounded_squares;
};

/// Writes `stretched value * factor` to `x` (n, d), row-major, rounded to Real. @param factors (d)
template <class Real>
FilledPoints fill_points(const std::vector<Series>& columns, const std::vector<Stretch>& stretches,
                         const std::vector<double>& factors, std::size_t threads, Real* x);

/// (d) sums of squares of points `x` (n, d) about `mean` (d).
template <class Real>
std::vector<double> squares_of_points(const Real* x, std::size_t n, const std::vector<double>& mean, std::size_t threads,
                                      ProcessGroup* group = nullptr);

}  // namespace centroid_lab::table

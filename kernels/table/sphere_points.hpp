// Rows of columns, in units of the file, divided by their Euclidean norm (src/engine/dataset/unit-length.ts), as points.
#pragma once

#include <cstddef>
#include <vector>

#include "engine_points.hpp"
#include "series.hpp"

namespace centroid_lab::table {

/// (2 d) the least value of each coordinate on the unit sphere, then the greatest.
std::vector<double> ranges_on_sphere(const std::vector<Series>& columns, std::size_t threads);

/// Writes `(value on the unit sphere - offset) * factor` to `x` (n, d), row-major, rounded to Real. @param offsets, factors (d)
template <class Real>
FilledPoints fill_on_sphere(const std::vector<Series>& columns, const std::vector<double>& offsets,
                            const std::vector<double>& factors, std::size_t threads, Real* x);

}  // namespace centroid_lab::table

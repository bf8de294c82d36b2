// Directions in which points differ most: an orthonormal basis to project on.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/projections/projection_job.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Orthonormal to the last digits of float64, whatever the points are: a bound from them is true for any data, and close where
/// the points vary along few of them.
struct Directions {
  /// (d) mean of the sample.
  std::vector<double> middle;
  /// (d, width) one direction a column, those with the largest variance first.
  std::vector<double> columns;
  /// A multiple of 16; 0 where the points have fewer features.
  std::size_t width = 0;

  /// The first `count` of them.
  Directions first(std::size_t count) const;
  /// (width) projection of the middle.
  std::vector<double> offset() const;
};

/// Of a sample of the points, by subspace iteration with Rayleigh and Ritz (Halko, Martinsson and Tropp 2011, algorithm 4.4).
Directions principal_directions(const Points& points, const ProjectionKernels& kernels);

}  // namespace centroid_lab

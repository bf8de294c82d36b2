// Points and centroids as their projections see them: coordinates along the directions, and the length of what is left.
#pragma once

#include <cstddef>
#include <vector>

#include "aligned.hpp"
#include "methods/projections/directions.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {

class Projection {
 public:
  Projection(Directions directions, const ProjectionKernels& kernels);

  /// Coordinates of a projection: the directions and one more, the length of the rest.
  std::size_t coordinates() const { return directions_.width + 1; }

  /// rows (count, d) to (count, coordinates). A row with a NaN becomes NaN.
  void apply(const float* rows, std::size_t count, float* to) const;

 private:
  Directions directions_;
  std::vector<double> offset_;
  const ProjectionKernels& kernels_;
};

/// All points of a session, projected once.
struct ProjectedPoints {
  /// As methods/tiles has them.
  Aligned<float> tiles;
  /// (n, up to the end of the last tile) squared lengths.
  Aligned<float> squares;

  ProjectedPoints(const Points& points, const Projection& projection, ThreadPool& pool);
};

}  // namespace centroid_lab

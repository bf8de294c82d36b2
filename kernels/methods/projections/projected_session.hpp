// What a session keeps to label by projections: the points', made once, and the centroids', made anew for every pass.
#pragma once

#include <cstddef>
#include <memory>

#include "methods/projections/projected_points.hpp"
#include "methods/projections/projection_job.hpp"

namespace centroid_lab {

/// How many directions pay, and how much.
struct ProjectionChoice {
  Directions directions;
  /// Predicted work of a pass, as a share of the work of all distances; 1 or more where no directions pay.
  double share = 1;
};

/// From a sample of the points, of which some play the centroids.
ProjectionChoice choose_directions(const Points& points, std::size_t k);

class ProjectedSession {
 public:
  ProjectedSession(const Points& points, std::size_t k, ThreadPool& pool);

  /// Copies of centroids are looked for again.
  void restart() { in_play_.restart(); }

  /// For a pass over `centroids (k, d)`, which must stay until it is over.
  const ProjectionJob& prepare(const float* centroids, ThreadPool& pool);

 private:
  std::size_t n_;
  std::size_t k_;
  std::size_t d_;
  Projection projection_;
  ProjectedPoints points_;
  CentroidsInPlay in_play_;
  /// (k, coordinates of a projection) NaN where a centroid takes no part.
  Aligned<float> centroids_;
  PackedCentroids packed_;
  ProjectionJob job_{};
};

}  // namespace centroid_lab

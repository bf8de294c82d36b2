// What a silhouette is made of, gathered cluster by cluster.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "clustered_points.hpp"

namespace centroid_lab {

/// Of each point, in the order of the clusters: the sum of its distances to its own cluster and the smallest mean
/// distance to another.
class NeighbourMeans {
 public:
  explicit NeighbourMeans(const ClusteredPoints& points)
      : points_(points), own_(points.points(), 0),
        nearest_(points.points(), std::numeric_limits<double>::infinity()) {}

  /// The sum of the distances of a point of cluster `own` to all points of `cluster`, itself included.
  void take(std::size_t slot, std::size_t own, std::size_t cluster, double sum) {
    if (cluster == own) own_[slot] = sum;
    else if (const double mean = sum / static_cast<double>(points_.size_of(cluster)); mean < nearest_[slot]) nearest_[slot] = mean;
  }

  /// What was gathered elsewhere. @param nearest smallest mean distance to another cluster
  void take_all(std::size_t slot, double own, double nearest) {
    own_[slot] = own;
    nearest_[slot] = nearest;
  }

  /// @param own cluster of the point
  double silhouette(std::size_t slot, std::size_t own) const {
    const std::size_t others = points_.size_of(own) - 1;
    if (others == 0) return 0;
    const double a = own_[slot] / static_cast<double>(others);
    const double b = nearest_[slot];
    const double larger = a > b ? a : b;
    return larger == 0 ? 0 : (b - a) / larger;
  }

 private:
  const ClusteredPoints& points_;
  std::vector<double> own_;
  std::vector<double> nearest_;
};

}  // namespace centroid_lab

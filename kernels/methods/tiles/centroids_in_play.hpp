// Which centroids take part in a pass: neither those of clusters that were dropped nor copies of one before them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "row_copies.hpp"

namespace centroid_lab {

/// Chosen anew for every pass. Used by one thread.
class CentroidsInPlay {
 public:
  /// A session begins anew: copies are there from the start or not at all, and so looking ends where none is found.
  void restart() { may_have_copies_ = true; }

  /// Copies take part too: what is equal here may stand for centroids that are not.
  void keep_copies() { may_have_copies_ = false; }

  /// @param centroids (k, d), NaN where a cluster was dropped. O(k d)
  void choose(const float* centroids, std::size_t k, std::size_t d);

  std::size_t count() const { return clusters_.size(); }

  /// (count) their clusters, ascending. Of equal centroids the first is there, which ties go to.
  const std::vector<std::int32_t>& clusters() const { return clusters_; }

  /// (count) squared lengths.
  const std::vector<double>& squares() const { return squares_; }

 private:
  std::vector<std::int32_t> clusters_;
  std::vector<double> squares_;
  bool may_have_copies_ = true;
  /// By their squared lengths.
  RowCopies copies_;
};

}  // namespace centroid_lab

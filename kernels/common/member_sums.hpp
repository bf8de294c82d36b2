// The update of the hybrid variants: the device assigns, the processor sums the members of each cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fixed_point.hpp"
#include "parallel_sums.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Sums and counts of labelled points, exact and therefore the same on any number of threads. Used by one
/// thread at a time.
class MemberSums {
 public:
  /// @param threads 1: the single pass of CudaModule2; more: the parallel reduction of Dhanasekaran & Rubin, see parallel_sums.hpp.
  MemberSums(Points points, std::size_t threads);

  /// Sums the members of each cluster. O(n d + threads k d).
  /// @param labels (n), the cluster of each point plus `first`.
  /// @param first label of cluster 0: some devices keep 0 for "no label yet".
  /// @param to sums (k, d) and counts (k), valid when not cancelled.
  /// @returns false when cancelled.
  /// @throws std::invalid_argument for a label outside of first..first + k - 1.
  bool sum(const std::int32_t* labels, std::int32_t first, std::size_t k, const CancelFlag& cancel, ExactSums& to);

  const Points& points() const { return points_; }

  /// What the sums are counted in.
  const FixedPoint& fixed() const { return fixed_; }

 private:
  struct Membership {
    const std::int32_t* labels;
    std::int32_t first;
    std::size_t k;
  };

  bool sum_in_one_pass(const Membership& membership, const CancelFlag& cancel, ExactSums& to) const;
  bool sum_in_parallel(const Membership& membership, const CancelFlag& cancel, ExactSums& to);
  bool add_points(const Membership& membership, std::size_t first, std::size_t last, ExactSums& to) const;

  Points points_;
  FixedPoint fixed_;
  /// Absent with one thread.
  std::unique_ptr<ParallelSums> threads_;
};

}  // namespace centroid_lab

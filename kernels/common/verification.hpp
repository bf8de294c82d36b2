// What a referee of timed runs asks of labels and centroids: float64, every operation rounded on its own, on all threads.
// The answers are those of src/engine/benchmark/exactness.ts (sums: but for the order of the additions).
#pragma once

#include <cstddef>
#include <cstdint>

#include "types.hpp"

namespace centroid_lab {

/// The points that are looked at.
struct LookedAt {
  /// Null: all points in their order.
  const std::int32_t* rows = nullptr;
  std::size_t count = 0;

  std::size_t row(std::size_t at) const { return rows == nullptr ? at : static_cast<std::size_t>(rows[at]); }
};

/// (k, d), float64; a row of NaN is nobody's nearest.
struct Centres {
  const double* values = nullptr;
  std::size_t k = 0;
};

/// A squared distance is as good as the smallest one up to `smallest * factor + least`.
struct Slack {
  double factor = 1;
  double least = 0;
};

/// Looks at points from any number of threads; its threads live for one call, so that none is there in a timed run.
/// Every call may be cancelled by another thread, and its answer is then of no use.
class Verification {
 public:
  /// @param x (n, d), row-major, float32; not owned
  Verification(const float* x, std::size_t n, std::size_t d, std::size_t threads);

  std::size_t points() const { return n_; }
  std::size_t features() const { return d_; }

  /// @param to (d) largest minus smallest value of each feature
  void ranges(const CancelFlag& cancel, double* to) const;

  /// The nearest centre of each point that is looked at, ties to the lowest. O(count k d).
  /// @param distances (count) squared; NaN where no centre is left
  /// @param labels (count); -1 where no centre is left
  void nearest(const Centres& centres, const LookedAt& looked, const CancelFlag& cancel, double* distances,
               std::int32_t* labels) const;

  /// Looked-at points whose label is no cluster, or farther than `smallest (count)` allows. O(count d).
  std::size_t inexact(const Centres& centres, const LookedAt& looked, const double* smallest,
                      const std::int32_t* labels, const Slack& slack, const CancelFlag& cancel) const;

  /// Points whose label is farther than that of another labelling by more than the slack. O(n), and O(d) where they differ.
  std::size_t farther(const Centres& centres, const std::int32_t* labels, const std::int32_t* others,
                      const Slack& slack, const CancelFlag& cancel) const;

  /// Of each centre, the points that are as near to it as to their own, within the slack, or that are its own and as near to
  /// another. O(n k d). @param to (k)
  void open_members(const Centres& centres, const Slack& slack, const CancelFlag& cancel, double* to) const;

  /// Sums (k, d) and counts (k) of the members; labels outside 0..k-1 are nobody's. The same bits always with the same threads.
  void sums(const std::int32_t* labels, std::size_t k, const CancelFlag& cancel, double* sums, double* counts) const;

  /// Points with the same label in both.
  std::size_t same(const std::int32_t* a, const std::int32_t* b, const CancelFlag& cancel) const;

 private:
  double squared_distance(std::size_t point, const Centres& centres, std::int32_t cluster) const;

  const float* x_;
  std::size_t n_;
  std::size_t d_;
  std::size_t threads_;
};

}  // namespace centroid_lab

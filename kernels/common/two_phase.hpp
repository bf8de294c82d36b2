// What the studies' variants on the processor have in common: first a label for every point, then the sums.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "variant.hpp"

namespace centroid_lab {

/// A variant whose assignment and update are phases of their own, told apart when timed.
template <class Real>
class TwoPhaseOf : public VariantOf<Real> {
 public:
  void restart() override { std::fill(labels_.begin(), labels_.end(), -1); }

  bool pass(const Real* centroids, bool timed, const CancelFlag& cancel, PassResult& result) final {
    const double began = mark(timed);
    if (!label_all(centroids, cancel, labels_.data(), result.changed)) return false;
    const double assigned = mark(timed);
    sum_members(result);
    if (timed) {
      result.assign_ms = assigned - began;
      result.update_ms = now_ms() - assigned;
    }
    return true;
  }

  void labels_of_pass(std::int32_t* labels) const final { std::copy(labels_.begin(), labels_.end(), labels); }

  bool assign(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels) final {
    std::int64_t ignored = 0;
    std::fill_n(labels, points_.n, -1);
    return label_all(centroids, cancel, labels, ignored);
  }

 protected:
  TwoPhaseOf(const PointsOf<Real>& points, std::size_t k) : points_(points), k_(k), labels_(points.n, -1) {}

  /// Labels (n) of the nearest of `centroids`; `changed`: how many were others before.
  /// @returns false when cancelled.
  virtual bool label_all(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels,
                         std::int64_t& changed) = 0;

  /// Sums (k, d) and counts (k) of the points by `labels_`.
  virtual void sum_members(PassResult& result) = 0;

  PointsOf<Real> points_;
  std::size_t k_;
  std::vector<std::int32_t> labels_;
};

using TwoPhase = TwoPhaseOf<float>;

}  // namespace centroid_lab

// `sequential`: the plain program of one thread of three studies, in float32 or float64. See README.md.
#include <algorithm>

#include "nearest.hpp"
#include "sum_rows.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

template <class Real>
class Sequential final : public TwoPhaseOf<Real> {
 public:
  Sequential(const PointsOf<Real>& points, std::size_t k) : TwoPhaseOf<Real>(points, k) {}

 private:
  using TwoPhaseOf<Real>::points_;
  using TwoPhaseOf<Real>::k_;
  using TwoPhaseOf<Real>::labels_;

  bool label_all(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    changed = 0;
    const std::size_t step = points_per_look(k_, points_.d);
    for (std::size_t first = 0; first < points_.n; first += step) {
      if (cancel.load(std::memory_order_relaxed)) return false;
      const std::size_t last = std::min(points_.n, first + step);
      changed += label_nearest(points_, first, last, centroids, k_, labels);
    }
    return true;
  }

  void sum_members(PassResult& result) override { sum_rows(points_, labels_, k_, result); }
};

template <class Real>
std::unique_ptr<VariantOf<Real>> make(const PointsOf<Real>& points, std::size_t k, const Machine&) {
  return std::make_unique<Sequential<Real>>(points, k);
}

}  // namespace

CpuRegime sequential_as_studied() {
  return {.variant = "sequential", .name = as_studied, .make = make<float>, .make_float64 = make<double>};
}

}  // namespace centroid_lab

// `sequential`: the plain program of one thread of three studies. See README.md.
#include <algorithm>

#include "known_features.hpp"
#include "nearest.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

class Sequential final : public TwoPhase {
 public:
  Sequential(const Points& points, std::size_t k) : TwoPhase(points, k) {}

 private:
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels,
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

  void sum_members(PassResult& result) override {
    result.sums.assign(k_ * points_.d, 0.0);
    result.counts.assign(k_, 0);
    with_known_features(points_.d, [&](auto d) { add_rows(Features<d>(points_.d), result); });
  }

  template <std::size_t D>
  void add_rows(Features<D> features, PassResult& result) const {
    const std::size_t d = features.count();
    for (std::size_t i = 0; i < points_.n; i++) {
      const std::size_t label = static_cast<std::size_t>(labels_[i]);
      const float* row = points_.x + i * d;
      double* sums = result.sums.data() + label * d;
      result.counts[label]++;
      for (std::size_t j = 0; j < d; j++) sums[j] += row[j];
    }
  }
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine&) {
  return std::make_unique<Sequential>(points, k);
}

}  // namespace

CpuRegime sequential_as_studied() { return {"sequential", as_studied, make}; }

}  // namespace centroid_lab

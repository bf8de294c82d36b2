// `sequential`: the studies' plain C++ version. See README.md.
#include <algorithm>
#include <vector>

#include "clock.hpp"
#include "nearest.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

class Sequential final : public Variant {
 public:
  Sequential(const Points& points, std::size_t k) : points_(points), k_(k), labels_(points.n, -1) {}

  void restart() override { std::fill(labels_.begin(), labels_.end(), -1); }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    result.changed = 0;
    if (!label_all(centroids, cancel, labels_.data(), &result.changed)) return false;
    const double assigned = mark(timed);
    sum_members(result);
    if (timed) {
      result.assign_ms = assigned - began;
      result.update_ms = now_ms() - assigned;
    }
    return true;
  }

  void labels_of_pass(std::int32_t* labels) const override { std::copy(labels_.begin(), labels_.end(), labels); }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    return label_all(centroids, cancel, labels, nullptr);
  }

 private:
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels, std::int64_t* changed) {
    const std::size_t step = points_per_look(k_, points_.d);
    for (std::size_t first = 0; first < points_.n; first += step) {
      if (cancel.load(std::memory_order_relaxed)) return false;
      const std::size_t last = std::min(points_.n, first + step);
      for (std::size_t i = first; i < last; i++) {
        const std::int32_t nearest = nearest_centroid(points_.row(i), centroids, k_, points_.d);
        if (changed != nullptr && nearest != labels[i]) ++*changed;
        labels[i] = nearest;
      }
    }
    return true;
  }

  void sum_members(PassResult& result) const {
    result.sums.assign(k_ * points_.d, 0.0);
    result.counts.assign(k_, 0);
    for (std::size_t i = 0; i < points_.n; i++) {
      const std::size_t label = static_cast<std::size_t>(labels_[i]);
      const float* row = points_.row(i);
      double* sums = result.sums.data() + label * points_.d;
      result.counts[label]++;
      for (std::size_t j = 0; j < points_.d; j++) sums[j] += row[j];
    }
  }

  Points points_;
  std::size_t k_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

std::unique_ptr<Variant> make_sequential(const Points& points, std::size_t k) {
  return std::make_unique<Sequential>(points, k);
}

}  // namespace centroid_lab

// `pruned`, regime `unchanged-centroids`: no bound but the simplest, that centroids which did not move change no label.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "methods/tiles/tile_passes.hpp"
#include "methods/tiles/tiles.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// `inner`, but for passes with the centroids of the pass before: these repeat its result, which nothing can have changed.
class UnchangedCentroidsCache final : public Variant {
 public:
  UnchangedCentroidsCache(std::unique_ptr<Variant> inner, std::size_t size) : inner_(std::move(inner)), before_(size) {}

  void restart() override {
    is_known_ = false;
    inner_->restart();
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    if (!is_known_ || !are_unchanged(centroids)) return make(centroids, timed, cancel, result);
    result.sums = kept_.sums;
    result.counts = kept_.counts;
    result.changed = 0;
    result.same_labels = true;
    if (timed) result.iterate_ms = now_ms() - began;
    return true;
  }

  void labels_of_pass(std::int32_t* labels) const override { inner_->labels_of_pass(labels); }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    return inner_->assign(centroids, cancel, labels);
  }

 private:
  /// By their bits: as good for what is to be told, and NaN rows are alike.
  bool are_unchanged(const float* centroids) const {
    return std::memcmp(centroids, before_.data(), before_.size() * sizeof(float)) == 0;
  }

  bool make(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) {
    is_known_ = false;
    if (!inner_->pass(centroids, timed, cancel, result)) return false;
    std::copy_n(centroids, before_.size(), before_.begin());
    kept_ = result;
    is_known_ = true;
    return true;
  }

  std::unique_ptr<Variant> inner_;
  /// (k, d): those of the last pass that was made.
  std::vector<float> before_;
  PassResult kept_;
  bool is_known_ = false;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  const bool scored = k >= min_score_centroids && points.d < max_score_features;
  auto passes = make_tile_passes(points, k, machine, scored ? Choice::by_scores : Choice::by_distances);
  return std::make_unique<UnchangedCentroidsCache>(std::move(passes), k * points.d);
}

}  // namespace

CpuRegime pruned_unchanged_centroids() { return {"pruned", "unchanged-centroids", make}; }

}  // namespace centroid_lab

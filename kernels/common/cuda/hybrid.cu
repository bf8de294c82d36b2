#include "hybrid.hpp"

#include <algorithm>
#include <utility>

#include "../clock.hpp"
#include "../lloyd.hpp"
#include "../machine.hpp"
#include "../member_sums.hpp"
#include "device_session.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

/// The passes of a hybrid behind the seam of the host's loop.
class HybridPasses final : public Variant {
 public:
  HybridPasses(const Points& points, const Rules& rules, const char* variant, int device, std::size_t threads)
      : session_(points, rules, variant, device), sums_(points, threads), labels_(points.n), k_(rules.k),
        counts_changes_(rules.needs_changed()) {}

  // Freed on whatever thread drops the last reference.
  ~HybridPasses() override { cudaSetDevice(session_.device()); }

  void restart() override {
    session_.enter();
    session_.restart();
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    session_.enter();
    const double began = mark(timed);
    DeviceSession::Want want;
    want.accumulate = false;
    want.labels = true;
    want.changes = counts_changes_;
    session_.set_centroids(centroids);
    if (!session_.pass(want, cancel)) return false;
    session_.fetch_labels(labels_.get());
    if (counts_changes_) result.changed = session_.take_changed();
    const double assigned = mark(timed);
    if (!sums_.sum(labels_.get(), 0, k_, cancel, exact_)) return false;
    exact_.store(sums_.fixed(), result);
    if (!timed) return true;
    result.assign_ms = assigned - began;
    result.update_ms = now_ms() - assigned;
    return true;
  }

  void labels_of_pass(std::int32_t* labels) const override {
    std::copy_n(labels_.get(), labels_.size(), labels);
  }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    session_.enter();
    session_.set_centroids(centroids);
    double ignored = 0;
    return session_.assign(cancel, labels, &ignored);
  }

 private:
  DeviceSession session_;
  MemberSums sums_;
  /// Of the last pass. Page-locked: five times the speed of a copy.
  Pinned<std::int32_t> labels_;
  std::size_t k_;
  bool counts_changes_;
  ExactSums exact_;
};

}  // namespace

std::unique_ptr<Clustering> make_hybrid_clustering(const RegisteredVariant& variant, Points points, Rules rules, int device) {
  const std::size_t threads = variant.sums_by == SumsBy::all_threads ? thread_count() : 1;
  auto passes = std::make_unique<HybridPasses>(points, rules, variant.name, device, threads);
  return std::make_unique<Lloyd>(std::move(points), rules, std::move(passes));
}

}  // namespace centroid_lab::cuda

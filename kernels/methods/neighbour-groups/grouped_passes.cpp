#include "methods/neighbour-groups/grouped_passes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "methods/neighbour-groups/cluster_order.hpp"
#include "methods/neighbour-groups/groups.hpp"

namespace centroid_lab {
namespace {

/// Below, boxes (`ordered-boxes`) do it better.
constexpr std::size_t min_features = 9;
constexpr std::size_t min_centroids = 64;
/// Points of a cluster: below, a group of 128 lies in too many.
constexpr std::size_t min_points_of_cluster = 32;

class GroupedPasses final : public Variant {
 public:
  GroupedPasses(const Points& points, std::size_t k, const Machine& machine, Choice choice, const GroupingRule& rule)
      : points_(points), k_(k), machine_(machine), choice_(choice), rule_(rule),
        plain_(make_tile_passes(points, k, machine, choice)), next_look_(first_look()) {}

  void restart() override {
    are_known_ = false;
    present().restart();
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    if (are_known_ && !change_over(cancel)) return false;
    are_known_ = false;
    if (!present().pass(centroids, timed, cancel, result)) return false;
    before_.assign(centroids, centroids + k_ * points_.d);
    are_known_ = true;
    passes_++;
    return true;
  }

  void labels_of_pass(std::int32_t* labels) const override {
    if (groups_ != nullptr) groups_->labels_of_pass(labels);
    else plain_->labels_of_pass(labels);
  }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    return present().assign(centroids, cancel, labels);
  }

 private:
  /// The sample is looked at by one thread, passes are made by all.
  std::size_t first_look() const {
    const std::size_t work = rule_.work_before_look * machine_.threads;
    return std::max<std::size_t>(2, work / (k_ * points_.d) + 1);
  }

  Variant& present() { return groups_ != nullptr ? *groups_ : *plain_; }

  /// To groups where they are expected to pay, and back where they do not. @returns false when cancelled.
  bool change_over(const CancelFlag& cancel) {
    if (groups_ == nullptr ? !to_groups() : !to_tiles()) return true;
    // Labels and sums of the pass before, so that changes are counted against them.
    PassResult repeated;
    are_known_ = false;
    return present().pass(before_.data(), false, cancel, repeated);
  }

  bool to_groups() {
    if (passes_ < next_look_) return false;
    next_look_ = 2 * passes_;
    std::vector<std::int32_t> labels(points_.n);
    plain_->labels_of_pass(labels.data());
    std::vector<std::uint32_t> order = order_by_clusters(points_, labels.data(), before_.data(), k_);
    const double share = expected_share(points_, order, before_.data(), k_);
    const double left_out = static_cast<double>(passes_ * k_) * (1 - share);
    if (share > rule_.largest_share || left_out < rule_.distances_of_order) return false;
    plain_.reset();
    groups_ = make_group_passes(points_, k_, machine_, std::move(order));
    return true;
  }

  bool to_tiles() {
    // Not at once where a single pass is worse than expected.
    if (groups_->share_of_distances() <= 1.5 * rule_.largest_share) return false;
    next_look_ = 2 * passes_;
    groups_.reset();
    plain_ = make_tile_passes(points_, k_, machine_, choice_);
    return true;
  }

  Points points_;
  std::size_t k_;
  Machine machine_;
  Choice choice_;
  GroupingRule rule_;
  /// One of the two.
  std::unique_ptr<Variant> plain_;
  std::unique_ptr<GroupPasses> groups_;
  /// (k, d) centroids of the last pass, which is complete.
  std::vector<float> before_;
  bool are_known_ = false;
  /// Complete passes of all runs.
  std::size_t passes_ = 0;
  std::size_t next_look_;
};

}  // namespace

std::unique_ptr<Variant> make_grouped_passes(const Points& points, std::size_t k, const Machine& machine, Choice choice,
                                             const GroupingRule& rule) {
  const bool may_pay = points.d >= min_features && k >= min_centroids && points.n >= min_points_of_cluster * k;
  if (!may_pay) return make_tile_passes(points, k, machine, choice);
  return std::make_unique<GroupedPasses>(points, k, machine, choice, rule);
}

}  // namespace centroid_lab

#include "methods/neighbour-groups/groups.hpp"

#include <algorithm>
#include <utility>

#include "changed_sums.hpp"
#include "clock.hpp"
#include "fixed_point.hpp"
#include "isa.hpp"
#include "methods/neighbour-groups/motion.hpp"
#include "methods/neighbour-groups/candidate_lists.hpp"
#include "methods/neighbour-groups/sublist.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "methods/tiles/tiles.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t groups_of_chunk = 4;
/// Passes at the present speed that a skin is made for.
constexpr double passes_of_skin = 6;
/// Largest skin, as a part of the mean radius.
constexpr double widest_skin = 0.1;

struct Kernels {
  const TileKernels& tiles;
  const BallKernels& balls;
};

Kernels kernels_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return {avx512_kernels, avx512_balls};
  if (isa == Isa::avx2) return {avx2_kernels, avx2_balls};
#endif
  (void)isa;
  return {baseline_kernels, baseline_balls};
}

/// What one worker has for itself, apart from every other worker's cache lines.
struct alignas(128) Worker {
  Changes changes;
  Sublist sublist;
  std::int64_t undecided = 0;
};

class NeighbourGroups final : public GroupPasses {
 public:
  NeighbourGroups(const Points& points, std::size_t k, const Machine& machine, std::vector<std::uint32_t> order)
      : points_(points), k_(k), kernels_(kernels_for(best_isa())), fixed_(points), pool_(machine.threads),
        order_(std::move(order)), tiles_(tiles_for(points.n) * tile_points * points.d),
        labels_(tiles_for(points.n) * tile_points), found_(points.n), workers_(pool_.size()) {
    for (Worker& worker : workers_) worker.changes.reset(k, points.d);
    fill_tiles(points_, order_.data(), pool_, tiles_.data());
    squares_ = squares_of(tiles_, points_.d, pool_);
    balls_.measure(kernels_.balls, tiles_.data(), points_, pool_);
    owners_.assign(balls_.groups, -1);
    for (std::size_t group = 0; group < balls_.groups; group++) mean_radius_ += balls_.radii[group];
    mean_radius_ /= static_cast<double>(balls_.groups);
    NeighbourGroups::restart();
  }

  double share_of_distances() const override { return share_; }

  void restart() override {
    motion_.restart();
    packed_.restart();
    has_lists_ = false;
    fresh_ = true;
    scores_pay_ = true;
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    const bool comparable = motion_.follow(centroids, k_, points_.d) && !fresh_;
    prepare(centroids);
    if (fresh_) total_.reset(k_, points_.d);
    if (!comparable) has_lists_ = false;
    travelled_ += motion_.largest();
    const bool complete = by_lists(comparable, cancel);
    finish(result);
    result.same_labels = complete && !fresh_ && result.changed == 0;
    fresh_ = !complete;
    if (complete) total_.store(fixed_, result);
    if (timed) result.iterate_ms = now_ms() - began;
    return complete;
  }

  void labels_of_pass(std::int32_t* labels) const override { unfold(labels_, labels); }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    const double way = motion_.way_to(centroids, k_, points_.d);
    prepare(centroids);
    if (!label_by_lists(way, cancel)) return false;
    unfold(found_, labels);
    return true;
  }

 private:
  /// Lists name centroids by their positions among those in play, and hold as long as the same ones are.
  void prepare(const float* centroids) {
    const std::vector<std::int32_t> before = packed_.original;
    packed_.pack(centroids, k_, points_.d);
    if (packed_.original != before) has_lists_ = false;
    for (Worker& worker : workers_) worker.sublist.clear();
  }

  TileJob job_of_pass() {
    TileJob job{};
    job.tiles = tiles_.data();
    job.squares = squares_.data();
    job.rows = points_.x;
    job.n = points_.n;
    job.d = points_.d;
    job.centroids = packed_.values.data();
    job.half_norms = packed_.half_norms.data();
    job.original = packed_.complete ? nullptr : packed_.original.data();
    job.live = packed_.live;
    job.blocks = packed_.blocks;
    job.by_scores = scores_pay_ && scores_take_less(packed_.live, points_.d) && packed_.reach.all < max_score_reach;
    job.reach = packed_.reach;
    job.near = near_tie(points_.d);
    job.scale = fixed_.scale();
    job.labels = labels_.data();
    job.label_bytes = LabelBytes::four;
    job.fresh = fresh_;
    return job;
  }

  /// The same job for the candidates of one group.
  TileJob job_of_group(const TileJob& all, const CandidateLists& lists, std::size_t group, Worker& worker) const {
    TileJob job = all;
    if (2 * lists.counts[group] >= packed_.live) return job;
    worker.sublist.take(packed_, lists.of(group), lists.counts[group], job);
    job.by_scores = all.by_scores && scores_take_less(job.live, job.d);
    return job;
  }

  bool lists_hold(double travelled) const { return has_lists_ && 2 * travelled <= skin_; }

  bool by_lists(bool comparable, const CancelFlag& cancel) {
    const bool renewed = !lists_hold(travelled_);
    if (renewed) {
      skin_ = comparable ? skin_for(motion_.largest()) : 0;
      travelled_ = 0;
      has_lists_ = find(lists_, skin_, cancel);
      if (!has_lists_) return false;
      share_ = share_of(lists_);
    }
    const TileJob job = job_of_pass();
    return for_all_groups(cancel, [&](std::size_t worker, std::size_t group) {
      if (!fresh_ && !renewed && !any_moved(group)) return;
      const std::int32_t owner = lists_.counts[group] == 1 ? packed_.original[*lists_.of(group)] : -1;
      if (!fresh_ && owner >= 0 && owner == owners_[group]) return;
      owners_[group] = owner;
      run_group(job_of_group(job, lists_, group, workers_[worker]), group, workers_[worker]);
    });
  }

  void run_group(const TileJob& job, std::size_t group, Worker& worker) {
    const auto [first, last] = tiles_of_group_at(group);
    Changes& changes = worker.changes;
    TileSums sums{changes.sums.sums.data(), points_.d, changes.sums.counts.data(), changes.touched.data(), 0, 0};
    kernels_.tiles.label(job, first, last, found_.data());
    kernels_.balls.accumulate(job, order_.data(), found_.data(), first, last, sums);
    changes.changed += sums.changed;
    if (job.by_scores) worker.undecided += sums.undecided;
  }

  /// Labels by the lists there are where they hold after one more step of length `way`, else by new ones.
  bool label_by_lists(double way, const CancelFlag& cancel) {
    CandidateLists own;
    const bool hold = lists_hold(travelled_ + way);
    if (!hold && !find(own, 0, cancel)) return false;
    const CandidateLists& lists = hold ? lists_ : own;
    const TileJob job = job_of_pass();
    return for_all_groups(cancel, [&](std::size_t worker, std::size_t group) {
      const auto [first, last] = tiles_of_group_at(group);
      kernels_.tiles.label(job_of_group(job, lists, group, workers_[worker]), first, last, found_.data());
    });
  }

  bool find(CandidateLists& lists, double skin, const CancelFlag& cancel) {
    const float above = static_cast<float>(skin * (1 + 1e-6));
    return lists.find(kernels_.balls, balls_, packed_, points_.d, above, pool_, cancel);
  }

  std::pair<std::size_t, std::size_t> tiles_of_group_at(std::size_t group) const {
    const std::size_t first = group * tiles_of_group;
    return {first, std::min(first + tiles_of_group, tiles_for(points_.n))};
  }

  template <class Visit>
  bool for_all_groups(const CancelFlag& cancel, const Visit& visit) {
    const auto some = [&](std::size_t worker, std::size_t first, std::size_t last) {
      for (std::size_t group = first; group < last; group++) visit(worker, group);
    };
    return pool_.share(balls_.groups, groups_of_chunk, some, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  bool any_moved(std::size_t group) const {
    const std::int32_t* members = lists_.of(group);
    std::uint8_t any = 0;
    for (std::size_t i = 0; i < lists_.counts[group]; i++) {
      const std::int32_t cluster = packed_.original[static_cast<std::size_t>(members[i])];
      any |= motion_.moved()[static_cast<std::size_t>(cluster)];
    }
    return any != 0;
  }

  double share_of(const CandidateLists& lists) const {
    double left = 0;
    for (std::size_t group = 0; group < balls_.groups; group++) left += static_cast<double>(lists.counts[group]);
    return left / (static_cast<double>(balls_.groups) * static_cast<double>(packed_.live));
  }

  /// A skin that lasts for some passes, unless lists would grow long by it.
  double skin_for(double step) const {
    const double skin = passes_of_skin * step;
    return skin <= widest_skin * mean_radius_ ? skin : 0;
  }

  void unfold(const std::vector<std::int32_t>& from, std::int32_t* labels) const {
    for (std::size_t i = 0; i < points_.n; i++) labels[order_[i]] = from[i];
  }

  /// Adds every worker's changes to the sums.
  void finish(PassResult& result) {
    result.changed = 0;
    std::int64_t undecided = 0;
    for (Worker& worker : workers_) {
      result.changed += worker.changes.hand_over(total_);
      undecided += std::exchange(worker.undecided, 0);
    }
    // Labels are the same by scores and by distances, so this only saves time.
    if (undecided * 4 >= static_cast<std::int64_t>(points_.n)) scores_pay_ = false;
  }

  Points points_;
  std::size_t k_;
  Kernels kernels_;
  FixedPoint fixed_;
  ThreadPool pool_;
  /// (n) where each point came from.
  std::vector<std::uint32_t> order_;
  Aligned<float> tiles_;
  /// Squared lengths of the points in them.
  Aligned<float> squares_;
  /// Labels of the last pass, in order, up to the end of the last tile: vectors are read of them.
  std::vector<std::int32_t> labels_;
  /// (n) room for labels that are compared with those.
  std::vector<std::int32_t> found_;
  Balls balls_;
  double mean_radius_ = 0;
  CandidateLists lists_;
  double share_ = 1;
  /// (groups) the only candidate that the last look left, or -1.
  std::vector<std::int32_t> owners_;
  std::vector<Worker> workers_;
  ExactSums total_;
  PackedCentroids packed_;
  Motion motion_;
  bool has_lists_ = false;
  /// By how much what was left out lost, and the motion since.
  double skin_ = 0;
  double travelled_ = 0;
  bool fresh_ = true;
  bool scores_pay_ = true;
};

}  // namespace

std::unique_ptr<GroupPasses> make_group_passes(const Points& points, std::size_t k, const Machine& machine,
                                               std::vector<std::uint32_t> order) {
  return std::make_unique<NeighbourGroups>(points, k, machine, std::move(order));
}

}  // namespace centroid_lab

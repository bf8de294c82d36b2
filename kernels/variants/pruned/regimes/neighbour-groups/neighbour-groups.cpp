// `pruned`, regime `neighbour-groups`: groups of neighbouring points, each with a list of candidates. See README.md.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "anchors.hpp"
#include "candidate_lists.hpp"
#include "changed_sums.hpp"
#include "clock.hpp"
#include "fixed_point.hpp"
#include "isa.hpp"
#include "methods/centroid-motion/motion.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "methods/tiles/tiles.hpp"
#include "sublist.hpp"
#include "thread_pool.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Multiply-adds of a brute-force iteration below which one thread is faster than several.
constexpr double work_for_threads = 2e5;
/// Multiply-adds between two looks at the cancel flag.
constexpr std::size_t work_of_chunk = std::size_t{1} << 18;
constexpr std::size_t groups_of_chunk = 4;
/// Share of all distances from which lists do not pay.
constexpr double largest_share = 0.4;
/// Passes without lists after a vain attempt; doubled every time.
constexpr int shortest_pause = 2;
constexpr int longest_pause = 32;
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

bool uses_threads(const Points& points, std::size_t k) {
  return static_cast<double>(points.n) * static_cast<double>(k * points.d) >= work_for_threads;
}

/// What one worker has for itself, apart from every other worker's cache lines.
struct alignas(128) Worker {
  Changes changes;
  Sublist sublist;
  std::int64_t undecided = 0;
};

class NeighbourGroups final : public Variant {
 public:
  NeighbourGroups(const Points& points, std::size_t k, const Machine& machine)
      : points_(points), k_(k), kernels_(kernels_for(best_isa())), fixed_(points),
        pool_(uses_threads(points, k) ? machine.threads : 1),
        tiles_(std::make_unique_for_overwrite<float[]>(tiles_for(points.n) * tile_points * points.d)),
        labels_(tiles_for(points.n) * tile_points), found_(points.n), workers_(pool_.size()) {
    for (Worker& worker : workers_) worker.changes.reset(k, points.d);
    fill_tiles(points_, nullptr, pool_, tiles_.get());
    NeighbourGroups::restart();
  }

  void restart() override {
    motion_.restart();
    has_lists_ = false;
    fresh_ = true;
    pause_ = 0;
    next_pause_ = shortest_pause;
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    const bool comparable = motion_.follow(centroids, k_, points_.d) && !fresh_;
    prepare(centroids);
    if (fresh_) total_.reset(k_, points_.d);
    if (!comparable) has_lists_ = false;
    travelled_ += motion_.largest();
    if (!in_order() && !fresh_ && pause_ == 0) try_order(centroids);
    const bool complete = in_order() && pause_ == 0 ? by_lists(comparable, cancel) : by_force(cancel);
    finish(result);
    fresh_ = !complete;
    if (complete) total_.store(fixed_, result);
    if (timed) result.iterate_ms = now_ms() - began;
    return complete;
  }

  void labels_of_pass(std::int32_t* labels) const override { unfold(labels_, labels); }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    const double way = motion_.way_to(centroids, k_, points_.d);
    prepare(centroids);
    const TileJob job = job_of_pass();
    const auto label = [&](const TileJob& part, std::size_t, std::size_t first, std::size_t last) {
      kernels_.tiles.label(part, first, last, found_.data());
    };
    const bool complete = in_order() && pause_ == 0 ? label_by_lists(way, cancel, label)
                                                    : for_all_tiles(cancel, [&](auto... part) { label(job, part...); });
    if (complete) unfold(found_, labels);
    return complete;
  }

 private:
  bool in_order() const { return !order_.empty(); }

  void prepare(const float* centroids) {
    packed_.pack(centroids, k_, points_.d);
    for (Worker& worker : workers_) worker.sublist.clear();
  }

  TileJob job_of_pass() {
    TileJob job{};
    job.tiles = tiles_.get();
    job.rows = points_.x;
    job.n = points_.n;
    job.d = points_.d;
    job.centroids = packed_.values.data();
    job.half_norms = packed_.half_norms.data();
    job.original = packed_.complete ? nullptr : packed_.original.data();
    job.live = packed_.live;
    job.blocks = packed_.blocks;
    job.by_scores = scores_pay_ && packed_.reach < max_score_reach && packed_.live >= min_score_centroids;
    job.reach = packed_.reach;
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
    job.by_scores = all.by_scores && job.live >= min_score_centroids;
    return job;
  }

  void run_tiles(const TileJob& job, std::size_t worker, std::size_t first, std::size_t last) {
    Changes& changes = workers_[worker].changes;
    TileSums sums{changes.sums.sums.data(), changes.sums.counts.data(), changes.touched.data(), 0, 0};
    if (in_order()) {
      kernels_.tiles.label(job, first, last, found_.data());
      kernels_.balls.accumulate(job, order_.data(), found_.data(), first, last, sums);
    } else {
      kernels_.tiles.pass(job, first, last, sums);
    }
    changes.changed += sums.changed;
    if (job.by_scores) workers_[worker].undecided += sums.undecided;
  }

  template <class Visit>
  bool for_all_tiles(const CancelFlag& cancel, const Visit& visit) {
    const std::size_t chunk = work_of_chunk / (tile_points * packed_.live * points_.d) + 1;
    return pool_.share(tiles_for(points_.n), chunk, visit, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  bool by_force(const CancelFlag& cancel) {
    if (pause_ > 0) pause_--;
    has_lists_ = false;
    std::fill(owners_.begin(), owners_.end(), -1);
    const TileJob job = job_of_pass();
    return for_all_tiles(cancel, [&](std::size_t worker, std::size_t first, std::size_t last) {
      run_tiles(job, worker, first, last);
    });
  }

  bool lists_hold(double travelled) const { return has_lists_ && 2 * travelled <= skin_; }

  bool by_lists(bool comparable, const CancelFlag& cancel) {
    const bool renewed = !lists_hold(travelled_);
    if (renewed) {
      skin_ = comparable ? skin_for(motion_.largest()) : 0;
      travelled_ = 0;
      has_lists_ = find(lists_, skin_, cancel);
      if (!has_lists_) return false;
      if (share_of(lists_) > largest_share) {
        pause_ = next_pause_;
        next_pause_ = std::min(2 * next_pause_, longest_pause);
        return by_force(cancel);
      }
      next_pause_ = shortest_pause;
    }
    const TileJob job = job_of_pass();
    return for_all_groups(cancel, [&](std::size_t worker, std::size_t group) {
      if (!fresh_ && !renewed && !any_moved(group)) return;
      const std::int32_t owner = lists_.counts[group] == 1 ? packed_.original[*lists_.of(group)] : -1;
      if (!fresh_ && owner >= 0 && owner == owners_[group]) return;
      owners_[group] = owner;
      const auto [first, last] = tiles_of_group_at(group);
      run_tiles(job_of_group(job, lists_, group, workers_[worker]), worker, first, last);
    });
  }

  /// Labels by the lists there are where they hold after one more step of length `way`, else by new ones.
  template <class Label>
  bool label_by_lists(double way, const CancelFlag& cancel, const Label& label) {
    CandidateLists own;
    const bool hold = lists_hold(travelled_ + way);
    if (!hold && !find(own, 0, cancel)) return false;
    const CandidateLists& lists = hold ? lists_ : own;
    const TileJob job = job_of_pass();
    return for_all_groups(cancel, [&](std::size_t worker, std::size_t group) {
      const auto [first, last] = tiles_of_group_at(group);
      label(job_of_group(job, lists, group, workers_[worker]), worker, first, last);
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

  /// Share of all distances that the lists leave.
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

  /// Brings neighbouring points together where that promises short lists.
  void try_order(const float* centroids) {
    const Anchors anchors(points_, centroids, k_);
    std::vector<std::int32_t> labels(points_.n);
    if (!anchors.extended) label_by_position(labels);
    const std::int32_t* known = anchors.extended ? nullptr : labels.data();
    if (expected_share(points_, anchors, known, centroids, k_) > largest_share) {
      pause_ = std::exchange(next_pause_, std::min(2 * next_pause_, longest_pause));
      return;
    }
    if (anchors.extended) label_by_anchors(anchors, labels);
    put_in_order(order_by(labels, anchors.chain(points_.d)));
  }

  /// Labels of the last pass as positions among the centroids in play; a cluster that has gone counts as the first.
  void label_by_position(std::vector<std::int32_t>& labels) const {
    std::vector<std::int32_t> positions(k_, 0);
    for (std::size_t c = 0; c < packed_.live; c++) {
      positions[static_cast<std::size_t>(packed_.original[c])] = static_cast<std::int32_t>(c);
    }
    for (std::size_t i = 0; i < points_.n; i++) labels[i] = positions[static_cast<std::size_t>(labels_[i])];
  }

  void label_by_anchors(const Anchors& anchors, std::vector<std::int32_t>& labels) {
    const PackedCentroids centroids = std::move(packed_);
    packed_ = {};
    packed_.pack(anchors.rows.data(), anchors.count, points_.d);
    const TileJob job = job_of_pass();
    const CancelFlag never{false};
    for_all_tiles(never, [&](std::size_t, std::size_t first, std::size_t last) {
      kernels_.tiles.label(job, first, last, labels.data());
    });
    packed_ = centroids;
  }

  void put_in_order(std::vector<std::uint32_t> order) {
    order_ = std::move(order);
    std::vector<std::int32_t> labels(labels_.size());
    for (std::size_t i = 0; i < points_.n; i++) labels[i] = labels_[order_[i]];
    labels_ = std::move(labels);
    fill_tiles(points_, order_.data(), pool_, tiles_.get());
    balls_.measure(kernels_.balls, tiles_.get(), points_, pool_);
    owners_.assign(balls_.groups, -1);
    double sum = 0;
    for (std::size_t group = 0; group < balls_.groups; group++) sum += balls_.radii[group];
    mean_radius_ = sum / static_cast<double>(balls_.groups);
  }

  void unfold(const std::vector<std::int32_t>& from, std::int32_t* labels) const {
    if (!in_order()) std::copy_n(from.begin(), points_.n, labels);
    else for (std::size_t i = 0; i < points_.n; i++) labels[order_[i]] = from[i];
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
  /// (n) where each point came from; empty before there is an order.
  std::vector<std::uint32_t> order_;
  std::unique_ptr<float[]> tiles_;
  /// Labels of the last pass, in order, up to the end of the last tile: vectors are read of them.
  std::vector<std::int32_t> labels_;
  /// (n) room for labels that are compared with those.
  std::vector<std::int32_t> found_;
  Balls balls_;
  double mean_radius_ = 0;
  CandidateLists lists_;
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
  /// Passes by brute force still to go, and how many after the next vain attempt.
  int pause_ = 0;
  int next_pause_ = shortest_pause;
  bool fresh_ = true;
  bool scores_pay_ = true;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<NeighbourGroups>(points, k, machine);
}

}  // namespace

CpuRegime pruned_neighbour_groups() { return {"pruned", "neighbour-groups", make}; }

}  // namespace centroid_lab

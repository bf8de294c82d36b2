#include "methods/tiles/tile_passes.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "clock.hpp"
#include "fixed_point.hpp"
#include "isa.hpp"
#include "methods/projections/projected_session.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "thread_pool.hpp"
#include "methods/tiles/tiles.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Multiply-adds of an iteration below which one thread is faster than several.
constexpr double work_for_threads = 2e5;
/// Multiply-adds of a chunk: what a worker takes at once, and how often the cancel flag is looked at.
constexpr std::size_t work_of_chunk = std::size_t{1} << 17;
/// Scores of all features that a distance computed on its own takes as long as.
constexpr std::int64_t distance_in_scores = 5;
/// Coordinates from which tiles are made by the first pass only: what chooses the first centroids needs its memory before them.
constexpr std::size_t late_from = std::size_t{1} << 24;
/// What else a point costs, in multiply-adds.
constexpr std::size_t work_of_point = 16;

const TileKernels& kernels_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512_kernels;
  if (isa == Isa::avx2) return avx2_kernels;
#endif
  (void)isa;
  return baseline_kernels;
}

LabelBytes bytes_for(std::size_t k) {
  if (k <= 256) return LabelBytes::one;
  return k <= 65536 ? LabelBytes::two : LabelBytes::four;
}

std::size_t size_of(LabelBytes bytes) {
  return bytes == LabelBytes::one ? 1 : bytes == LabelBytes::two ? 2 : 4;
}

bool uses_threads(const Points& points, std::size_t k) {
  return static_cast<double>(points.n) * static_cast<double>(k * points.d) >= work_for_threads;
}

/// The changes one worker adds up, apart from every other worker's cache lines.
struct alignas(128) Share {
  ExactSums changes;
  Aligned<std::uint8_t> touched;
  std::int64_t changed = 0;
  std::int64_t undecided = 0;
  /// The one it is at, where none are kept.
  Aligned<float> tile;
};

class TilePasses final : public Variant {
 public:
  TilePasses(const Points& points, std::size_t k, const Machine& machine, Choice choice)
      : points_(points), k_(k), stride_(stride_of_sums(points.d)), choice_(choice),
        keeps_tiles_(points.n * points.d < max_kept),
        kernels_(kernels_for(best_isa())), fixed_(points),
        pool_(uses_threads(points, k) ? machine.threads : 1),
        chunk_(work_of_chunk / (tile_points * (k * points.d + work_of_point)) + 1), label_bytes_(bytes_for(k)),
        labels_(tiles_for(points.n) * tile_points * size_of(label_bytes_)), shares_(pool_.size()) {
    if (choice == Choice::by_projections) projected_ = std::make_unique<ProjectedSession>(points, k, pool_);
    else if (points.n * points.d < late_from) make_tiles();
    for (Share& share : shares_) {
      share.changes.reset(k, stride_);
      share.touched.assign(k, 0);
    }
    TilePasses::restart();
  }

  void restart() override {
    fresh_ = true;
    scores_pay_ = true;
    projections_pay_ = projected_ != nullptr;
    packed_.restart();
    if (projected_ != nullptr) projected_->restart();
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    if (!projections_pay_) make_tiles();
    const double began = mark(timed);
    if (!fresh_ && are_unchanged(centroids)) return repeat(began, timed, result);
    before_.assign(centroids, centroids + k_ * points_.d);
    const TileJob job = prepare(centroids);
    if (fresh_) total_.reset(k_, points_.d);
    const auto visit = [&](std::size_t worker, std::size_t first, std::size_t last) {
      Share& share = shares_[worker];
      TileSums sums{share.changes.sums.data(), stride_, share.changes.counts.data(), share.touched.data(), 0, 0};
      kernels_.pass(with_tile(job, share), first, last, sums);
      share.changed += sums.changed;
      share.undecided += sums.undecided;
    };
    const bool complete = for_all_tiles(cancel, visit);
    merge(job, result);
    result.same_labels = complete && !fresh_ && result.changed == 0;
    fresh_ = !complete;
    if (complete) total_.store(fixed_, result);
    if (timed) result.iterate_ms = now_ms() - began;
    return complete;
  }

  void labels_of_pass(std::int32_t* labels) const override {
    const auto widen = [&](const auto* kept) { std::copy(kept, kept + points_.n, labels); };
    if (label_bytes_ == LabelBytes::one) widen(reinterpret_cast<const std::uint8_t*>(labels_.data()));
    else if (label_bytes_ == LabelBytes::two) widen(reinterpret_cast<const std::uint16_t*>(labels_.data()));
    else widen(reinterpret_cast<const std::int32_t*>(labels_.data()));
  }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    const TileJob job = prepare(centroids);
    return for_all_tiles(cancel, [&](std::size_t worker, std::size_t first, std::size_t last) {
      kernels_.label(with_tile(job, shares_[worker]), first, last, labels);
    });
  }

 private:
  /// Against those of the last complete pass, by their bits, so that rows out of play (NaN) are alike.
  bool are_unchanged(const float* centroids) const {
    return std::memcmp(centroids, before_.data(), before_.size() * sizeof(float)) == 0;
  }

  /// The result of the pass before: the same centroids give the same labels.
  bool repeat(double began, bool timed, PassResult& result) {
    result.changed = 0;
    result.same_labels = true;
    total_.store(fixed_, result);
    if (timed) result.iterate_ms = now_ms() - began;
    return true;
  }

  void make_tiles() {
    if (keeps_tiles_ && tiles_.empty()) tiles_ = tiles_of(points_, pool_);
  }

  /// The job of one worker.
  TileJob with_tile(const TileJob& job, Share& share) const {
    TileJob own = job;
    if (keeps_tiles_ || job.projections != nullptr) return own;
    share.tile.resize(tile_points * points_.d);
    own.tile = share.tile.data();
    return own;
  }

  TileJob prepare(const float* centroids) {
    TileJob job{};
    if (projections_pay_) {
      job.projections = &projected_->prepare(centroids, pool_);
      fill(job);
      return job;
    }
    make_tiles();
    const bool scored = choice_ != Choice::by_distances && scores_pay_;
    if (scored && keeps_tiles_ && squares_.empty()) squares_ = squares_of(tiles_, points_.d, pool_);
    packed_.pack(centroids, k_, points_.d, scored);
    fill(job);
    job.tiles = keeps_tiles_ ? tiles_.data() : nullptr;
    job.squares = squares_.empty() ? nullptr : squares_.data();
    job.centroids = packed_.values.data();
    job.half_norms = packed_.half_norms.data();
    job.original = packed_.complete ? nullptr : packed_.original.data();
    job.live = packed_.live;
    job.blocks = packed_.blocks;
    job.by_scores = scored && packed_.reach.all < max_score_reach;
    job.reach = packed_.reach;
    return job;
  }

  /// What holds whatever the nearest centroid is found by.
  void fill(TileJob& job) {
    job.rows = points_.x;
    job.n = points_.n;
    job.d = points_.d;
    job.near = near_tie(points_.d);
    job.scale = fixed_.scale();
    job.labels = labels_.data();
    job.label_bytes = label_bytes_;
    job.fresh = fresh_;
  }

  template <class Visit>
  bool for_all_tiles(const CancelFlag& cancel, const Visit& visit) {
    return pool_.share(tiles_for(points_.n), chunk_, visit, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  /// Adds every worker's changes to the sums, cluster by cluster, and leaves the shares empty.
  void merge(const TileJob& job, PassResult& result) {
    result.changed = 0;
    std::int64_t undecided = 0;
    for (Share& share : shares_) {
      for (std::size_t cluster = 0; cluster < k_; cluster++) {
        if (share.touched[cluster]) take_over(share, cluster);
      }
      result.changed += share.changed;
      undecided += share.undecided;
      share.changed = 0;
      share.undecided = 0;
    }
    // Labels are the same whatever they are found by, so this only saves time.
    const std::int64_t n = static_cast<std::int64_t>(points_.n);
    if (job.by_scores) scores_pay_ = undecided * 4 < n;
    if (job.projections != nullptr) projections_pay_ = undecided < n * static_cast<std::int64_t>(k_) / distance_in_scores;
  }

  void take_over(Share& share, std::size_t cluster) {
    const std::size_t d = points_.d;
    std::int64_t* from = share.changes.sums.data() + cluster * stride_;
    std::int64_t* to = total_.sums.data() + cluster * d;
    for (std::size_t j = 0; j < d; j++) to[j] += from[j];
    std::fill_n(from, d, 0);
    total_.counts[cluster] += share.changes.counts[cluster];
    share.changes.counts[cluster] = 0;
    share.touched[cluster] = 0;
  }

  Points points_;
  std::size_t k_;
  std::size_t stride_;
  Choice choice_;
  bool keeps_tiles_;
  const TileKernels& kernels_;
  FixedPoint fixed_;
  ThreadPool pool_;
  /// None as long as projections pay, and where the passes make them one by one.
  Aligned<float> tiles_;
  /// Squared lengths of the points, where scores are used.
  Aligned<float> squares_;
  std::unique_ptr<ProjectedSession> projected_;
  /// Tiles of a chunk.
  std::size_t chunk_;
  LabelBytes label_bytes_;
  /// Labels of the last pass, up to the end of the last tile.
  Aligned<std::uint8_t> labels_;
  std::vector<Share> shares_;
  ExactSums total_;
  PackedCentroids packed_;
  /// (k, d) centroids of the last pass.
  std::vector<float> before_;
  bool fresh_ = true;
  bool scores_pay_ = true;
  bool projections_pay_ = false;
};

}  // namespace

std::unique_ptr<Variant> make_tile_passes(const Points& points, std::size_t k, const Machine& machine, Choice choice) {
  return std::make_unique<TilePasses>(points, k, machine, choice);
}

}  // namespace centroid_lab

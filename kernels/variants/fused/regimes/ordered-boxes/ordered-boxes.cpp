// `fused`, regime `ordered-boxes`: a plain list of boxes of ordered points, filtered by the centroids. See README.md.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "box_share.hpp"
#include "boxes.hpp"
#include "changed_sums.hpp"
#include "clock.hpp"
#include "fixed_point.hpp"
#include "isa.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "methods/tiles/tiles.hpp"
#include "strips.hpp"
#include "thread_pool.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Multiply-adds of a brute-force iteration below which one thread is faster than several.
constexpr double work_for_threads = 5e5;
/// Boxes that a thread takes at once, and after which the cancel flag is looked at.
constexpr std::size_t boxes_of_chunk = 128;

/// Tiles whose points a thread labels at once.
constexpr std::size_t tiles_of_chunk = 64;

struct Kernels {
  const BoxKernels& boxes;
  const TileKernels& tiles;
};

Kernels kernels_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return {avx512_boxes, avx512_kernels};
  if (isa == Isa::avx2) return {avx2_boxes, avx2_kernels};
#endif
  (void)isa;
  return {baseline_boxes, baseline_kernels};
}

bool uses_threads(const Points& points, std::size_t k) {
  return static_cast<double>(points.n) * static_cast<double>(k * points.d) >= work_for_threads;
}

bool never() { return false; }

/// The changes one worker adds up, apart from every other worker's cache lines.
struct alignas(128) Share {
  Changes changes;
  /// Room for a chunk of tiles.
  Aligned<float> tiles;
};

class OrderedBoxes final : public Variant {
 public:
  OrderedBoxes(const Points& points, std::size_t k, const Machine& machine)
      : points_(points), k_(k), kernels_(kernels_for(best_isa())), fixed_(points),
        pool_(uses_threads(points, k) ? machine.threads : 1), tiles_(strip_tiles(points, pool_)),
        boxes_(tiles_for(points.n)), stride_((boxes_ + boxes_together - 1) / boxes_together * boxes_together),
        low_(points.d * stride_), high_(points.d * stride_),
        groups_(2 * points.d * (stride_ / boxes_together)), sums_(boxes_ * points.d), owners_(stride_),
        labels_(boxes_ * tile_points), shares_(pool_.size()) {
    std::fill(low_.begin(), low_.end(), 0.0F);
    std::fill(high_.begin(), high_.end(), 0.0F);
    columns_.resize(points.d * (k + beyond_list));
    positions_.resize(k + beyond_list);
    std::iota(positions_.begin(), positions_.end(), 0);
    const BoxJob job = job_of_pass();
    const auto measure = [&](std::size_t, std::size_t first, std::size_t last) {
      kernels_.boxes.measure(job, first, last, {low_.data(), high_.data(), groups_.data(), sums_.data()});
    };
    pool_.share(boxes_, boxes_of_chunk, measure, never);
    for (Share& share : shares_) {
      share.changes.reset(k, points.d);
      share.tiles.resize(tiles_of_chunk * tile_points * points.d);
    }
    OrderedBoxes::restart();
  }

  void restart() override {
    fresh_ = true;
    in_play_.restart();
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    assigned_.assign(centroids, centroids + k_ * points_.d);
    pack(centroids);
    if (fresh_) {
      total_.reset(k_, points_.d);
      std::fill(owners_.begin(), owners_.end(), box_is_new);
    }
    const bool complete = visit(job_of_pass(), cancel);
    result.changed = 0;
    for (Share& share : shares_) result.changed += share.changes.hand_over(total_);
    result.same_labels = complete && !fresh_ && result.changed == 0;
    fresh_ = !complete;
    if (complete) total_.store(fixed_, result);
    if (timed) result.iterate_ms = now_ms() - began;
    return complete;
  }

  void labels_of_pass(std::int32_t* labels) const override { label(assigned_.data(), CancelFlag{false}, labels); }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    return label(centroids, cancel, labels);
  }

 private:
  /// The centroids in play as rows and as columns.
  void pack(const float* centroids) {
    in_play_.choose(centroids, k_, points_.d);
    rows_.clear();
    for (const std::int32_t cluster : in_play_.clusters()) {
      const float* row = centroids + static_cast<std::size_t>(cluster) * points_.d;
      rows_.insert(rows_.end(), row, row + points_.d);
    }
    const std::size_t live = in_play_.count();
    const std::size_t stride = k_ + beyond_list;
    for (std::size_t j = 0; j < points_.d; j++) {
      float* column = columns_.data() + j * stride;
      for (std::size_t c = 0; c < live; c++) column[c] = rows_[c * points_.d + j];
      std::fill(column + live, column + stride, std::numeric_limits<float>::infinity());
    }
  }

  BoxJob job_of_pass() {
    BoxJob job{};
    job.tiles = tiles_.data();
    job.n = points_.n;
    job.d = points_.d;
    job.low = low_.data();
    job.high = high_.data();
    job.stride = stride_;
    job.boxes = boxes_;
    job.groups = groups_.data();
    job.box_sums = sums_.data();
    job.owners = owners_.data();
    job.labels = labels_.data();
    job.scale = fixed_.scale();
    job.centroids = rows_.data();
    job.original = in_play_.clusters().data();
    job.near = near_tie(points_.d);
    job.all = {positions_.data(), columns_.data(), k_ + beyond_list, in_play_.count()};
    return job;
  }

  bool visit(const BoxJob& job, const CancelFlag& cancel) {
    const auto boxes = [&](std::size_t worker, std::size_t first, std::size_t last) {
      Changes& changes = shares_[worker].changes;
      BoxSink sink{changes.sums.sums.data(), changes.sums.counts.data(), changes.touched.data(), 0};
      kernels_.boxes.visit(job, first, last, sink);
      changes.changed += sink.changed;
    };
    return pool_.share(boxes_, boxes_of_chunk, boxes, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  /// Labels by brute force from the points as they came: their order was not kept, which would cost more than this.
  bool label(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) const {
    PackedCentroids packed;
    packed.pack(centroids, k_, points_.d, k_ >= min_score_centroids);
    const auto chunk = [&](std::size_t worker, std::size_t first, std::size_t last) {
      float* tiles = shares_[worker].tiles.data();
      const std::size_t size = tile_points * points_.d;
      for (std::size_t tile = first; tile < last; tile++) fill_tile(points_, tile, tiles + (tile - first) * size);
      TileJob job{};
      job.tiles = tiles;
      job.n = std::min(points_.n, last * tile_points) - first * tile_points;
      job.d = points_.d;
      job.centroids = packed.values.data();
      job.half_norms = packed.half_norms.data();
      job.by_scores = packed.live >= min_score_centroids && packed.reach.all < max_score_reach;
      job.reach = packed.reach;
      job.near = near_tie(points_.d);
      job.original = packed.complete ? nullptr : packed.original.data();
      job.live = packed.live;
      job.blocks = packed.blocks;
      kernels_.tiles.label(job, 0, last - first, labels + first * tile_points);
    };
    return pool_.share(boxes_, tiles_of_chunk, chunk, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  Points points_;
  std::size_t k_;
  Kernels kernels_;
  FixedPoint fixed_;
  /// Threads and their room are no part of what `labels_of_pass` tells.
  mutable ThreadPool pool_;
  Aligned<float> tiles_;
  /// See BoxJob.
  std::size_t boxes_;
  std::size_t stride_;
  Aligned<float> low_;
  Aligned<float> high_;
  Aligned<float> groups_;
  Aligned<std::int64_t> sums_;
  Aligned<std::int32_t> owners_;
  Aligned<BoxLabel> labels_;
  mutable std::vector<Share> shares_;
  ExactSums total_;
  CentroidsInPlay in_play_;
  /// (live, d) their coordinates.
  std::vector<float> rows_;
  /// The same as a list for the filter.
  std::vector<float> columns_;
  std::vector<std::int32_t> positions_;
  /// (k, d) of the last pass.
  std::vector<float> assigned_;
  bool fresh_ = true;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<OrderedBoxes>(points, k, machine);
}

/// Share of the distances that boxes may leave: beyond, they are hardly faster than brute force, or slower.
constexpr double max_box_share = 0.2;

bool boxes_are_narrow(const Points& points, std::size_t k) {
  return expected_box_share(points, k) <= max_box_share;
}

}  // namespace

CpuRegime fused_ordered_boxes() { return {"fused", "ordered-boxes", make, "narrow-boxes", boxes_are_narrow}; }

}  // namespace centroid_lab

#include "block_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "aligned.hpp"

namespace centroid_lab {
namespace {

/// Sums (points, clusters) that are kept at a time, at most.
constexpr std::size_t kept_sums = std::size_t{1} << 23;

/// Sums as whole numbers: whatever the order in which threads add them, the same to the last bit.
class ExactDistanceSums {
 public:
  /// @param largest no sum is larger
  explicit ExactDistanceSums(double largest) : scale_(std::exp2(61 - std::ilogb(std::max(largest, 1e-30)))) {}

  /// (rows, columns) zeros.
  void clear(std::size_t rows, std::size_t columns) {
    columns_ = columns;
    sums_ = std::vector<std::atomic<std::int64_t>>(rows * columns);
  }
  void add(std::size_t row, std::size_t column, double sum) {
    sums_[row * columns_ + column].fetch_add(std::llrint(sum * scale_), std::memory_order_relaxed);
  }
  double at(std::size_t row, std::size_t column) const {
    return static_cast<double>(sums_[row * columns_ + column].load(std::memory_order_relaxed)) / scale_;
  }

 private:
  double scale_;
  std::size_t columns_ = 0;
  std::vector<std::atomic<std::int64_t>> sums_;
};

/// Some neighbouring clusters, whose pairs with all clusters from them on are gone through together.
struct Phase {
  std::size_t first_cluster;
  std::size_t last_cluster;
  std::size_t first_block;
  std::size_t last_block;
  /// Slot of the first point of the clusters.
  std::size_t first_slot;
};

class BlockPairs {
 public:
  BlockPairs(const ClusteredPoints& points, ThreadPool& pool, const CancelFlag& cancel, PairProgress& progress)
      : points_(points), pool_(pool), cancel_(cancel), progress_(progress),
        to_phase_(largest_sum(points)), beyond_(largest_sum(points)) {}

  bool run(NeighbourMeans& means) {
    progress_.total = total_pairs();
    Phase phase{};
    while (phase.last_cluster < points_.clusters()) {
      next(phase);
      to_phase_.clear(points_.points(), phase.last_cluster - phase.first_cluster);
      beyond_.clear(points_.starts()[phase.last_cluster] - phase.first_slot, points_.clusters() - phase.last_cluster);
      if (!add_pairs(phase)) return false;
      hand_over(phase, means);
    }
    return true;
  }

 private:
  static double largest_sum(const ClusteredPoints& points) {
    return points.largest_distance() * static_cast<double>(points.points());
  }

  std::uint64_t total_pairs() const {
    std::uint64_t pairs = 0;
    std::uint64_t before = 0;
    for (const ClusterBlock& block : points_.blocks()) {
      before += block.count;
      pairs += before * block.count;
    }
    return pairs;
  }

  /// As many clusters more as there is room for, at least one.
  void next(Phase& phase) const {
    const std::vector<ClusterBlock>& blocks = points_.blocks();
    const std::size_t fitting = std::max(std::size_t{1}, kept_sums / points_.points());
    phase.first_cluster = phase.last_cluster;
    phase.last_cluster = std::min(points_.clusters(), phase.first_cluster + fitting);
    phase.first_block = phase.last_block;
    while (phase.last_block < blocks.size() && blocks[phase.last_block].cluster < phase.last_cluster) phase.last_block++;
    phase.first_slot = points_.starts()[phase.first_cluster];
  }

  bool add_pairs(const Phase& phase) {
    const std::size_t all = points_.blocks().size() - phase.first_block;
    const std::size_t rows = phase.last_block - phase.first_block;
    return pool_.share(
        rows * all, 1,
        [&](std::size_t, std::size_t first, std::size_t last) {
          for (std::size_t pair = first; pair < last; pair++) {
            const std::size_t a = pair / all;
            const std::size_t b = pair % all;
            if (a <= b) add_pair(phase, points_.blocks()[phase.first_block + a], points_.blocks()[phase.first_block + b]);
          }
        },
        [&] { return cancel_.load(std::memory_order_relaxed); });
  }

  /// `rows` against `lanes`, which lie in the same block or a later one.
  void add_pair(const Phase& phase, const ClusterBlock& rows, const ClusterBlock& lanes) {
    alignas(64) double lane_sums[ClusteredPoints::block_points];
    alignas(64) double row_sums[ClusteredPoints::block_points];
    const bool same = rows.first == lanes.first;
    pair_kernels().sums({points_.tiles_from(lanes.first_tile), lanes.count, points_.rows_from(rows.first), rows.count,
                         points_.features(), lane_sums, same ? nullptr : row_sums});
    for (std::size_t i = 0; i < lanes.count; i++) {
      to_phase_.add(lanes.first + i, rows.cluster - phase.first_cluster, lane_sums[i]);
    }
    if (!same) add_rows(phase, rows, lanes.cluster, row_sums);
    progress_.done.fetch_add(rows.count * lanes.count, std::memory_order_relaxed);
  }

  void add_rows(const Phase& phase, const ClusterBlock& rows, std::size_t cluster, const double* sums) {
    const bool inside = cluster < phase.last_cluster;
    for (std::size_t i = 0; i < rows.count; i++) {
      if (inside) to_phase_.add(rows.first + i, cluster - phase.first_cluster, sums[i]);
      else beyond_.add(rows.first + i - phase.first_slot, cluster - phase.last_cluster, sums[i]);
    }
  }

  /// A phase has the sums of its own points to the clusters from it on, and those of later points to its clusters.
  void hand_over(const Phase& phase, NeighbourMeans& means) const {
    for (std::size_t own = phase.first_cluster; own < points_.clusters(); own++) {
      const bool inside = own < phase.last_cluster;
      for (std::size_t slot = points_.starts()[own]; slot < points_.starts()[own + 1]; slot++) {
        for (std::size_t c = phase.first_cluster; c < phase.last_cluster; c++) {
          if (points_.size_of(c) > 0) means.take(slot, own, c, to_phase_.at(slot, c - phase.first_cluster));
        }
        for (std::size_t c = phase.last_cluster; inside && c < points_.clusters(); c++) {
          const double sum = beyond_.at(slot - phase.first_slot, c - phase.last_cluster);
          if (points_.size_of(c) > 0) means.take(slot, own, c, sum);
        }
      }
    }
  }

  const ClusteredPoints& points_;
  ThreadPool& pool_;
  const CancelFlag& cancel_;
  PairProgress& progress_;
  /// (n, clusters of the phase) and (points of the phase, clusters beyond it).
  ExactDistanceSums to_phase_;
  ExactDistanceSums beyond_;
};

}  // namespace

bool add_block_pairs(const ClusteredPoints& points, ThreadPool& pool, const CancelFlag& cancel, PairProgress& progress,
                     NeighbourMeans& means) {
  return BlockPairs(points, pool, cancel, progress).run(means);
}

}  // namespace centroid_lab

// `openmp`: assignment and update parallel over points. See README.md.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "fixed_point.hpp"
#include "nearest.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

/// Enough blocks that a thread that was held up costs little.
constexpr std::size_t blocks_per_thread = 8;

class OpenMp final : public TwoPhase {
 public:
  OpenMp(const Points& points, std::size_t k, const Machine& machine)
      : TwoPhase(points, k), threads_(machine.threads), fixed_(points), partial_(machine.threads) {}

 private:
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    const std::size_t share = points_.n / (threads_ * blocks_per_thread) + 1;
    const std::size_t step = std::min(share, points_per_look(k_, points_.d));
    const std::int64_t blocks = static_cast<std::int64_t>((points_.n + step - 1) / step);
    std::int64_t different = 0;
    // schedule(static): every point costs the same. A loop cannot be left, so blocks are skipped when cancelled.
#pragma omp parallel for num_threads(team()) schedule(static) reduction(+ : different)
    for (std::int64_t block = 0; block < blocks; block++) {
      if (cancel.load(std::memory_order_relaxed)) continue;
      const std::size_t first = static_cast<std::size_t>(block) * step;
      const std::size_t last = std::min(points_.n, first + step);
      different += label_nearest(points_, first, last, centroids, k_, labels);
    }
    changed = different;
    return !cancel.load(std::memory_order_relaxed);
  }

  /// Each thread sums its share privately; the shares are added as integers, in any order.
  void sum_members(PassResult& result) override {
    total_.reset(k_, points_.d);
#pragma omp parallel num_threads(team())
    {
      ExactSums& mine = partial_[static_cast<std::size_t>(omp_get_thread_num())];
      mine.reset(k_, points_.d);
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(points_.n); i++) add_point(i, mine);
#pragma omp critical
      add_to_total(mine);
    }
    total_.store(fixed_, result);
  }

  void add_point(std::int64_t point, ExactSums& to) const {
    const std::size_t label = static_cast<std::size_t>(labels_[static_cast<std::size_t>(point)]);
    const float* row = points_.row(static_cast<std::size_t>(point));
    const float* scale = fixed_.scale();
    std::int64_t* sums = to.sums.data() + label * points_.d;
    to.counts[label]++;
    for (std::size_t j = 0; j < points_.d; j++) sums[j] += to_fixed(row[j], scale[j]);
  }

  void add_to_total(const ExactSums& part) {
    for (std::size_t at = 0; at < part.sums.size(); at++) total_.sums[at] += part.sums[at];
    for (std::size_t at = 0; at < part.counts.size(); at++) total_.counts[at] += part.counts[at];
  }

  int team() const { return static_cast<int>(threads_); }

  std::size_t threads_;
  FixedPoint fixed_;
  std::vector<ExactSums> partial_;
  ExactSums total_;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<OpenMp>(points, k, machine);
}

}  // namespace

CpuRegime openmp_as_studied() { return {"openmp", as_studied, make}; }

}  // namespace centroid_lab

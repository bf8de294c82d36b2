// `tbb`: assignment and update parallel over points, on oneTBB. See README.md.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "fixed_point.hpp"
#include "nearest.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

/// Enough ranges that a thread that was held up costs little.
constexpr std::size_t ranges_per_thread = 8;

using Range = oneapi::tbb::blocked_range<std::size_t>;

/// Body of the reduction: oneTBB splits it where another thread takes a share, and joins the shares two by two.
/// Integer sums: the same whatever was split where.
class Reduction {
 public:
  Reduction(const Points& points, const FixedPoint& fixed, const std::int32_t* labels, std::size_t k)
      : points_(points), scale_(fixed.scale()), labels_(labels), k_(k) {
    part_.reset(k, points.d);
  }

  Reduction(const Reduction& other, oneapi::tbb::split)
      : points_(other.points_), scale_(other.scale_), labels_(other.labels_), k_(other.k_) {
    part_.reset(k_, points_.d);
  }

  void operator()(const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); i++) {
      const std::size_t label = static_cast<std::size_t>(labels_[i]);
      const float* row = points_.row(i);
      std::int64_t* sums = part_.sums.data() + label * points_.d;
      part_.counts[label]++;
      for (std::size_t j = 0; j < points_.d; j++) sums[j] += to_fixed(row[j], scale_[j]);
    }
  }

  void join(const Reduction& right) {
    for (std::size_t at = 0; at < part_.sums.size(); at++) part_.sums[at] += right.part_.sums[at];
    for (std::size_t at = 0; at < part_.counts.size(); at++) part_.counts[at] += right.part_.counts[at];
  }

  const ExactSums& total() const { return part_; }

 private:
  const Points& points_;
  const float* scale_;
  const std::int32_t* labels_;
  std::size_t k_;
  ExactSums part_;
};

class Tbb final : public TwoPhase {
 public:
  Tbb(const Points& points, std::size_t k, const Machine& machine)
      : TwoPhase(points, k), threads_(machine.threads),
        thread_limit_(oneapi::tbb::global_control::max_allowed_parallelism, machine.threads),
        arena_(static_cast<int>(machine.threads)), fixed_(points) {}

 private:
  /// Ranges of about as much work as lies between two looks at the cancel flag; they are skipped when it is raised.
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    std::atomic<std::int64_t> different{0};
    const auto label = [&](const Range& range) {
      if (cancel.load(std::memory_order_relaxed)) return;
      const std::int64_t changed_here = label_nearest(points_, range.begin(), range.end(), centroids, k_, labels);
      different.fetch_add(changed_here, std::memory_order_relaxed);
    };
    // Simple: down to ranges of that size; the automatic partitioner may stop at ones of seconds.
    const std::size_t share = points_.n / (threads_ * ranges_per_thread) + 1;
    const Range all(0, points_.n, std::min(share, points_per_look(k_, points_.d)));
    arena_.execute([&] { oneapi::tbb::parallel_for(all, label, oneapi::tbb::simple_partitioner()); });
    changed = different.load(std::memory_order_relaxed);
    return !cancel.load(std::memory_order_relaxed);
  }

  void sum_members(PassResult& result) override {
    Reduction reduction(points_, fixed_, labels_.data(), k_);
    // A share costs k d numbers to clear and to join, so a range is worth at least as many additions.
    const Range all(0, points_.n, std::max(k_, std::size_t{1024}));
    arena_.execute([&] { oneapi::tbb::parallel_reduce(all, reduction); });
    reduction.total().store(fixed_, result);
  }

  std::size_t threads_;
  /// Without it oneTBB allows one thread a core and complains of more.
  oneapi::tbb::global_control thread_limit_;
  oneapi::tbb::task_arena arena_;
  FixedPoint fixed_;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<Tbb>(points, k, machine);
}

}  // namespace

CpuRegime tbb_as_studied() { return {"tbb", as_studied, make}; }

}  // namespace centroid_lab

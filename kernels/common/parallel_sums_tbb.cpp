// A oneTBB reduction: shares of the points are split off where a thread is free, and joined two by two.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "parallel_sums.hpp"

namespace centroid_lab {
namespace {

using Range = oneapi::tbb::blocked_range<std::size_t>;

/// Points that a share is worth at least, beside the clearing and joining of its sums.
constexpr std::size_t min_points = 1024;

class Reduction {
 public:
  explicit Reduction(const SumJob& job) : job_(job) { part_.reset(job.k, job.d); }
  Reduction(const Reduction& other, oneapi::tbb::split) : Reduction(other.job_) {}

  void operator()(const Range& range) {
    const std::size_t step = additions_at_once / job_.d + 1;
    for (std::size_t first = range.begin(); first < range.end(); first += step) {
      if (job_.cancel.load(std::memory_order_relaxed)) return;
      job_.add(first, std::min(range.end(), first + step), part_);
    }
  }

  void join(const Reduction& right) {
    for (std::size_t at = 0; at < part_.sums.size(); at++) part_.sums[at] += right.part_.sums[at];
    for (std::size_t at = 0; at < part_.counts.size(); at++) part_.counts[at] += right.part_.counts[at];
  }

  void hand_over(ExactSums& to) { std::swap(to, part_); }

 private:
  const SumJob& job_;
  ExactSums part_;
};

class TbbSums final : public ParallelSums {
 public:
  explicit TbbSums(std::size_t threads)
      : max_threads_(oneapi::tbb::global_control::max_allowed_parallelism, threads),
        arena_(static_cast<int>(threads)) {}

  bool sum(const SumJob& job, ExactSums& to) override {
    Reduction reduction(job);
    const Range all(0, job.n, std::max(job.k, min_points));
    arena_.execute([&] { oneapi::tbb::parallel_reduce(all, reduction); });
    reduction.hand_over(to);
    return !job.cancel.load(std::memory_order_relaxed);
  }

 private:
  /// Without it oneTBB allows one thread a core and complains of more.
  oneapi::tbb::global_control max_threads_;
  oneapi::tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<ParallelSums> make_parallel_sums(std::size_t threads) { return std::make_unique<TbbSums>(threads); }

}  // namespace centroid_lab

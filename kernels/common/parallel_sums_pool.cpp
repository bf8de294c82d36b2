// Private sums for each thread over blocks of points, then clusters shared out among the threads to add these up.
#include <vector>

#include "parallel_sums.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

class PoolSums final : public ParallelSums {
 public:
  explicit PoolSums(std::size_t threads) : pool_(threads), partial_(threads) {}

  bool sum(const SumJob& job, ExactSums& to) override {
    // Tasks of the pool must not throw, so room is made here.
    for (ExactSums& mine : partial_) mine.reset(job.k, job.d);
    const auto visit = [&](std::size_t worker, std::size_t first, std::size_t last) {
      job.add(first, last, partial_[worker]);
    };
    const auto stopped = [&] { return job.cancel.load(std::memory_order_relaxed); };
    if (!pool_.share(job.n, additions_at_once / job.d + 1, visit, stopped)) return false;
    add_partials(job, to);
    return true;
  }

 private:
  /// Adds what the threads have, each thread taking its share of the clusters.
  void add_partials(const SumJob& job, ExactSums& to) {
    const auto add = [&](std::size_t, std::size_t first, std::size_t last) {
      for (const ExactSums& part : partial_) {
        for (std::size_t at = first * job.d; at < last * job.d; at++) to.sums[at] += part.sums[at];
        for (std::size_t at = first; at < last; at++) to.counts[at] += part.counts[at];
      }
    };
    pool_.share(job.k, additions_at_once / (job.d * partial_.size()) + 1, add, [] { return false; });
  }

  ThreadPool pool_;
  /// One for each thread.
  std::vector<ExactSums> partial_;
};

}  // namespace

std::unique_ptr<ParallelSums> make_parallel_sums(std::size_t threads) { return std::make_unique<PoolSums>(threads); }

}  // namespace centroid_lab

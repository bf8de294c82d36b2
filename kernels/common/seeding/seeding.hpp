// The primitives of src/engine/init/kernel.ts, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "seeding/groups.hpp"
#include "seeding/steps.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// On the processor. Results do not depend on the number of threads.
class Seeding final : public SeedingSteps {
 public:
  /// @param x (n, d) row-major, kept alive by the caller.
  Seeding(const float* x, std::size_t n, std::size_t d, std::size_t threads);

  std::vector<double> potentials(const std::vector<std::int32_t>& candidates) override;
  double commit(const std::vector<std::int32_t>& rows) override;
  std::vector<std::int32_t> pick(const std::vector<double>& targets) override;
  std::vector<double> distances(std::size_t start, std::size_t count) override;
  std::vector<double> nearest_counts(const std::vector<std::int32_t>& rows) override;
  std::size_t points() const override { return n_; }
  /// D2 of every point.
  const std::vector<double>& nearest() const { return nearest_; }

 private:
  template <class Visit>
  void for_each_block(std::size_t centres, const Visit& visit);
  std::vector<double> centres_of(const std::vector<std::int32_t>& rows) const;
  std::int32_t pick_one(double target) const;
  std::int32_t pick_in_block(std::size_t block, double before, double target) const;
  std::int32_t last_with_distance() const;

  const float* x_;
  std::size_t n_;
  std::size_t d_;
  std::size_t blocks_;
  const SeedingKernels& kernels_;
  ThreadPool pool_;
  /// A transposed group for each worker.
  std::vector<std::vector<double>> groups_;
  /// (n, rounded up to whole groups) D2; the places past n are 0 and add nothing.
  std::vector<double> nearest_;
  /// Sum of D2 of each block.
  std::vector<double> block_sums_;
};

}  // namespace centroid_lab

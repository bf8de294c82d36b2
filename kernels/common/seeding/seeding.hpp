// The primitives of src/engine/init/kernel.ts, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "seeding/groups.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Distances to the centres chosen so far. Results do not depend on the number of threads. Every function stops
/// early when `cancel` is raised; its answer is then meaningless. Rows must be in 0..n-1.
class Seeding {
 public:
  /// @param x (n, d) row-major, kept alive by the caller.
  Seeding(const float* x, std::size_t n, std::size_t d, std::size_t threads);

  /// For each candidate row the sum over points of min(D2, |x_i - x_row|^2).
  std::vector<double> potentials(const std::vector<std::int32_t>& candidates);
  /// Lowers D2 to the distances to every row given. @returns the new sum of D2.
  double commit(const std::vector<std::int32_t>& rows);
  /// For each target the row where the running sum of D2 passes it.
  std::vector<std::int32_t> pick(const std::vector<double>& targets) const;
  /// For each row given the number of points nearest to it; ties to the first in the list.
  std::vector<double> nearest_counts(const std::vector<std::int32_t>& rows);

  const std::vector<double>& nearest() const { return nearest_; }
  std::size_t points() const { return n_; }
  std::size_t features() const { return d_; }

  CancelFlag cancel{false};

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

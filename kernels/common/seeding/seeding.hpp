// The primitives of src/engine/init/kernel.ts, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "aligned.hpp"
#include "seeding/groups.hpp"
#include "seeding/running_sums.hpp"
#include "seeding/steps.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// On the processor. Results do not depend on the number of threads.
class Seeding final : public SeedingSteps {
 public:
  /// @param x (n, d) row-major, kept alive by the caller.
  /// @param column_bytes up to which many rounds have a second copy of the points, transposed; a quarter of that where they are few,
  /// since larger points come from memory as slowly either way.
  Seeding(const float* x, std::size_t n, std::size_t d, std::size_t threads,
          std::size_t column_bytes = std::size_t{1} << 29);

  std::vector<double> potentials(const std::vector<std::int32_t>& candidates) override;
  double commit(const std::vector<std::int32_t>& rows) override;
  std::vector<std::int32_t> pick(const std::vector<double>& targets) override;
  std::vector<double> distances(std::size_t start, std::size_t count) override;
  std::vector<double> nearest_counts(const std::vector<std::int32_t>& rows) override;
  /// The rows of the plain rounds, mostly without comparing every point (README.md).
  std::vector<std::int32_t> greedy(std::int32_t first, const std::vector<double>& uniforms,
                                   std::size_t candidates) override;
  std::size_t points() const override { return n_; }
  /// The same for centres (centres, d) that need be none of these points. (blocks, centres) sums of each block.
  std::vector<double> potentials_of_blocks(const std::vector<float>& centres);
  void lower(const std::vector<float>& centres);
  std::vector<double> nearest_counts_of(const std::vector<float>& centres);
  /// As `commit` or `lower` left them.
  const RunningSums& sums() const { return sums_; }
  /// D2 of every point.
  const std::vector<double>& nearest() const { return nearest_; }

 private:
  /// One block's share of the work, group by group.
  struct Block {
    std::size_t index;
    std::size_t first;
    std::size_t last;
    std::size_t worker;

    std::size_t points_from(std::size_t i) const { return last - i < group_points ? last - i : group_points; }
  };

  template <class Visit>
  void for_each_block(std::size_t centres, const Visit& visit);
  template <class Visit>
  void for_each_group(const Block& block, const Visit& visit);
  std::vector<float> centres_of(const std::vector<std::int32_t>& rows) const;
  std::vector<std::int32_t> skipping_rounds(std::vector<std::int32_t> rows, const std::vector<double>& uniforms,
                                            std::size_t candidates);

  const float* x_;
  std::size_t n_;
  std::size_t d_;
  std::size_t blocks_;
  const SeedingKernels& kernels_;
  ThreadPool pool_;
  bool may_order_;
  /// The points are kept transposed, [group][feature][32], for all calls; else each worker has room for one group.
  bool keeps_columns_;
  Aligned<float> columns_;
  /// Blocks that are transposed already: each by the worker that came first, which is then mostly the one to read it.
  std::vector<std::uint8_t> gathered_;
  /// A group as float64 for each worker.
  std::vector<Aligned<double>> groups_;
  /// (n, rounded up to whole groups) D2; the places past n are 0 and add nothing.
  std::vector<double> nearest_;
  RunningSums sums_;
};

}  // namespace centroid_lab

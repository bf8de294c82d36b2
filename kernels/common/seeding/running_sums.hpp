// Sums of D2 over blocks of points, and the rows where their running sum passes a target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "seeding/groups.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Points whose D2 are summed on their own, see src/engine/init/kernel.ts.
constexpr std::size_t block_points = 1024;

/// The sum of a block, of its lanes.
double sum_of_lanes(const double* lane);

/// Exact, that is with the bits of the definition, after `set` of every block or `refresh`. In between `lower` keeps them
/// up approximately, within a margin that is known, so that most rows are found without summing anything anew.
class RunningSums {
 public:
  /// @param nearest D2 of all points, kept and kept up by the caller; places past n, to a whole group, are 0.
  RunningSums(const std::vector<double>& nearest, std::size_t n, const SeedingKernels& kernels);

  std::size_t blocks() const { return sums_.size(); }
  /// The sum of a block as D2 is now.
  double sum_of_block(std::size_t block) const;
  void set(std::size_t block, double sum) { sums_[block] = sum; }
  /// All sums in order.
  double total() const;
  /// The sums are exact but for blocks `touched`: the total as D2 is now.
  double total_with(const std::vector<std::uint8_t>& touched) const;
  /// The sums are exact: the row where the running sum passes the target, by the definition.
  std::int32_t pick(double target) const;
  /// The same where `before` is the sum of points before these; nothing where the running sum does not pass the target here.
  std::optional<std::int32_t> pick_from(double before, double target) const;
  /// The last row with D2 > 0.
  std::optional<std::int32_t> last_with_distance() const;
  const std::vector<double>& of_blocks() const { return sums_; }

  /// All blocks are as `set` left them.
  void begin();
  /// D2 of a row became less.
  void lower(std::size_t row, double by);
  /// Sums anew whatever was lowered, or all blocks.
  void refresh(ThreadPool& pool, const CancelFlag& cancel, bool all = false);
  /// To be called after the last `lower`. @returns whether `refresh` is worth it.
  bool add_up_blocks();
  /// The sum of everything to within the margin, exact where nothing was lowered since `refresh`.
  double about() const { return before_.back(); }
  double margin() const { return margin_; }
  /// The row for the target `share` times the sum; nothing where the margin does not let it be told.
  std::optional<std::int32_t> pick_share(double share) const;

 private:
  std::int32_t pick_in_block(std::size_t block, double before, double target) const;
  double margin_of(double total, double rounded) const;

  const std::vector<double>& nearest_;
  std::size_t n_;
  const SeedingKernels& kernels_;
  std::vector<double> sums_;
  /// (blocks + 1) sums of the blocks before.
  std::vector<double> before_;
  /// Blocks that were lowered since they were summed.
  std::vector<std::uint8_t> stale_;
  /// The sum of everything when all sums were exact last.
  double fresh_total_ = 0;
  /// Sum over the calls of `lower` of the sums they rounded.
  double rounded_ = 0;
  double margin_ = 0;
};

}  // namespace centroid_lab

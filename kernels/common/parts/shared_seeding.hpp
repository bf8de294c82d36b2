// The primitives of a seeding over rows that several processes hold, bit for bit those of one with all rows.
#pragma once

#include <memory>
#include <vector>

#include "parts/process_group.hpp"
#include "seeding/seeding.hpp"

namespace centroid_lab {

/// Rows are those of the whole run: who holds a centre tells its coordinates, sums of blocks are added up in the order of the
/// rows. A round of `greedy` is two sums over the processes and two ways along them, of a few numbers each.
class SharedSeeding final : public SeedingSteps {
 public:
  /// @param points this process's part of a whole, from the beginning of a block on; kept alive by the caller, as the group is.
  SharedSeeding(const Points& points, ProcessGroup& group, std::size_t threads);

  std::vector<double> potentials(const std::vector<std::int32_t>& candidates) override;
  double commit(const std::vector<std::int32_t>& rows) override;
  std::vector<std::int32_t> pick(const std::vector<double>& targets) override;
  /// Of rows of this process alone.
  std::vector<double> distances(std::size_t start, std::size_t count) override;
  std::vector<double> nearest_counts(const std::vector<std::int32_t>& rows) override;
  std::size_t points() const override { return points_.whole_n(); }

 private:
  /// (rows, d), whoever holds them. Empty when cancelled.
  std::vector<float> centres_of(const std::vector<std::int32_t>& rows);
  bool add_in_order(std::vector<double>& sums, const std::vector<double>& blocks, double* before);

  const Points points_;
  ProcessGroup& group_;
  /// Null where this process has no rows.
  std::unique_ptr<Seeding> own_;
  /// Sum of D2 of all rows before those of this process.
  double before_ = 0;
};

}  // namespace centroid_lab

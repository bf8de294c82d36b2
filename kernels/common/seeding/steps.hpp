// What a seeding asks of a processor, whichever it is: the primitives of src/engine/init/kernel.ts, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// Distances to the centres chosen so far. Every function stops early when `cancel` is raised; its answer is then
/// meaningless. Rows must be in 0..n-1. One call at a time.
class SeedingSteps {
 public:
  virtual ~SeedingSteps() = default;

  /// For each candidate row the sum over points of min(D2, |x_i - x_row|^2).
  virtual std::vector<double> potentials(const std::vector<std::int32_t>& candidates) = 0;
  /// Lowers D2 to the distances to every row given. @returns the new sum of D2.
  virtual double commit(const std::vector<std::int32_t>& rows) = 0;
  /// For each target the row where the running sum of D2 passes it.
  virtual std::vector<std::int32_t> pick(const std::vector<double>& targets) = 0;
  /// D2 of `count` points from `start` on.
  virtual std::vector<double> distances(std::size_t start, std::size_t count) = 0;
  /// For each row given the number of points nearest to it; ties to the first in the list.
  virtual std::vector<double> nearest_counts(const std::vector<std::int32_t>& rows) = 0;
  /// Greedy k-means++ from the row `first` on: for each further centre `candidates` rows are drawn, of which the one with
  /// the smallest potential stays, ties to the first.
  /// @param uniforms (centres after the first, candidates) draws in [0, 1).
  /// @returns the rows chosen, `first` included; fewer when every point is a centre.
  virtual std::vector<std::int32_t> greedy(std::int32_t first, const std::vector<double>& uniforms,
                                           std::size_t candidates);

  virtual std::size_t points() const = 0;

  CancelFlag cancel{false};

 protected:
  /// The rounds of `greedy` after `rows`, with the draws from `at` on. @param potential the sum of D2
  std::vector<std::int32_t> further_rounds(std::vector<std::int32_t> rows, double potential,
                                           const std::vector<double>& uniforms, std::size_t at, std::size_t candidates);
};

}  // namespace centroid_lab

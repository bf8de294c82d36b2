// Sums of the members of clusters by several threads: on oneTBB, as the study has it, or, where the addon is built without
// it, on our own threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "fixed_point.hpp"
#include "types.hpp"

namespace centroid_lab {

/// What is to be added up.
struct SumJob {
  std::size_t n;
  std::size_t k;
  std::size_t d;
  /// Adds points first..last-1 to sums of its own; must not throw.
  const std::function<void(std::size_t first, std::size_t last, ExactSums& to)>& add;
  const CancelFlag& cancel;
};

/// Threads that live as long as it does. Used by one thread at a time.
class ParallelSums {
 public:
  ParallelSums() = default;
  ParallelSums(const ParallelSums&) = delete;
  ParallelSums& operator=(const ParallelSums&) = delete;
  virtual ~ParallelSums() = default;

  /// Adds all points to `to` (k, d), which is empty. Integers: the same whoever adds what.
  /// @returns false when cancelled.
  virtual bool sum(const SumJob& job, ExactSums& to) = 0;
};

/// Additions between two looks at the cancel flag, and to one thread at a time.
constexpr std::size_t additions_at_once = std::size_t{1} << 17;

/// @param threads at least 2.
std::unique_ptr<ParallelSums> make_parallel_sums(std::size_t threads);

}  // namespace centroid_lab

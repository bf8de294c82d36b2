// The processes that carry out one run together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// Every process calls the same functions in the same order; each ends when all that it concerns have called it. A process
/// that is gone ends the run of all (kernels/mpi), so that nothing waits for good. Where a function answers false it was
/// cancelled meanwhile, and no further call is possible.
///
/// Made in one addon and called from another, so that it throws nothing and has no members here.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  /// Adds `values` up over all processes, in place.
  virtual bool sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) = 0;

  /// To one other process, which calls `receive` with this one's rank and as many bytes.
  virtual bool send(const void* bytes, std::size_t count, std::size_t to, const CancelFlag& cancel) = 0;
  virtual bool receive(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) = 0;

  /// What process `from` has is copied to all.
  virtual bool broadcast(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) = 0;
};

}  // namespace centroid_lab

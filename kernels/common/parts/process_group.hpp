// The processes that carry out one run together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parts/split_rows.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Every process calls the same functions in the same order; each ends when all have called it. A process that is gone
/// ends the run of all (kernels/mpi), so that nothing waits for good.
///
/// Made in one addon and called from another, so that it throws nothing and has no members here.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  /// Adds `values` up over all processes, in place.
  /// @returns false when cancelled meanwhile; no further call is possible then.
  virtual bool sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) = 0;

  /// Each has filled the range of its rank; afterwards every process has all of them.
  /// @param ranges one a process @returns as `sum`
  virtual bool share(std::int32_t* labels, const std::vector<RowRange>& ranges, const CancelFlag& cancel) = 0;
};

}  // namespace centroid_lab

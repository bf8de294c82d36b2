// Rows that lie anywhere in a region, the very numbers of src/engine/generate: Philox4x32-10 at the address of the row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "types.hpp"

namespace centroid_lab {

struct UniformRows {
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;
  std::size_t d = 0;
  /// (d) extent of a feature over 2^32.
  const double* scales = nullptr;
  /// (d) steps in a unit: coordinates are whole multiples of one over it.
  const double* units = nullptr;
  /// Taken from every coordinate.
  double origin = 0;
};

/// Writes rows first..first+count-1 to `out (count, d)`, of double or float; what is not reached before a cancel stays as it was.
/// O(count d).
template <class Real>
void uniform_rows(const UniformRows& spec, std::uint64_t first, std::size_t count, std::size_t threads,
                  const CancelFlag& cancel, Real* out);

}  // namespace centroid_lab

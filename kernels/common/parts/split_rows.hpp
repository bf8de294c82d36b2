// Where the rows of a run are cut when several devices or processes take a part each.
#pragma once

#include <cstddef>
#include <vector>

namespace centroid_lab {

/// Parts begin at multiples of so many rows: blocks of float64 sums over rows lie in one part each (kernels/contract.md).
constexpr std::size_t part_rows = std::size_t{1} << 14;

struct RowRange {
  std::size_t first = 0;
  std::size_t count = 0;

  std::size_t end() const { return first + count; }
  bool operator==(const RowRange& other) const { return first == other.first && count == other.count; }
};

/// A range for each of `speeds` (rows in a time, any unit; 0: none), in their order, that together are rows 0..n-1: shares
/// as the speeds are, to the nearest border. Those that would get no rows have an empty range.
/// @param speeds at least one of them above 0. @param step Parts begin at multiples of it; a smaller one is for tests.
std::vector<RowRange> split_rows(std::size_t n, const std::vector<double>& speeds, std::size_t step = part_rows);

}  // namespace centroid_lab

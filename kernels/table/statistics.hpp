// What is asked of a column before points are made of it. Every figure is the same for any number of threads, and the
// same as that of src/engine/dataset without this addon.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "series.hpp"

namespace centroid_lab::table {

/// Points that are summed on their own, before the sums are: what decides the order of additions.
inline constexpr std::size_t points_of_piece = 1 << 14;

struct Moments {
  /// Values that are not missing.
  std::uint64_t count = 0;
  /// Infinite and crossed where there is none.
  double min = 0;
  double max = 0;
  double sum = 0;
};

Moments moments_of(const Series& series, std::size_t threads);

/// Sum of squares about `mean` of the values that are not missing.
double squares_about(const Series& series, double mean, std::size_t threads);

/// The values at the ranks on either side of a share of the way from the smallest to the largest, and where between them
/// that lies, from 0 to 1.
struct Neighbours {
  double low = 0;
  double high = 0;
  double part = 0;
};

/// Exact: of many values those are looked for that lie between two of a sample, else the digits of the numbers' bits are counted.
/// @returns one for each share in 0..1; NaN where there is no value
std::vector<Neighbours> neighbours_of(const Series& series, const std::vector<double>& shares, std::size_t threads);

/// Fills `marks` with 1 for the points that miss a value in one of the columns, 0 for the others. @returns how many do
std::uint64_t mark_incomplete(const std::vector<Series>& columns, std::uint8_t* marks, std::size_t threads);

/// Fills `marks` with 1 for the points whose value is from `low` to `high`, 0 for the others and those that miss one.
void mark_between(const Series& series, double low, double high, std::uint8_t* marks, std::size_t threads);

}  // namespace centroid_lab::table

// A numeric column over the points of a run, as src/engine/dataset/feature-column.ts has it: the same float64 to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parts/process_group.hpp"

namespace centroid_lab::table {

/// Rows of a block (src/engine/dataset/number-blocks.ts); the last of a column may have fewer.
inline constexpr std::size_t block_rows = 1 << 14;
/// Stands for a missing cell among whole numbers.
inline constexpr std::int32_t no_number = INT32_MIN;

/// Values as whole numbers over `scale`, as float64, as float32, or as codes of one byte or two: one of the pointers is not null. Not
/// owned.
struct Block {
  const std::int32_t* whole = nullptr;
  const double* values = nullptr;
  double scale = 1;
  const std::uint8_t* bytes = nullptr;
  const std::uint16_t* codes = nullptr;
  const float* floats = nullptr;
};

/// `file value = offset + value * 2^exponent`, for a missing cell `fill`, which may be NaN. Nothing is owned.
struct Series {
  std::vector<Block> blocks;
  /// What each code stands for.
  std::vector<double> code_values;
  /// Row of each point; null where every row is a point.
  const std::uint32_t* rows = nullptr;
  /// Points.
  std::size_t length = 0;
  double offset = 0;
  int exponent = 0;
  double fill = 0;
  /// Processes that hold the points after and before these, from the beginning of a piece on; null where these are all. Then
  /// figures are of all of them.
  ProcessGroup* group = nullptr;

  /// Values of points first..last-1, in column units.
  void read(std::size_t first, std::size_t last, double* to) const;
};

}  // namespace centroid_lab::table

// A table of float32 numbers in a file (NumPy's .npy), read on all threads into columns by blocks of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "read_piece.hpp"

namespace centroid_lab::reader {

struct FloatTable {
  int file = -1;
  /// Bytes before the first number.
  std::uint64_t offset = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  /// Columns lie one behind the other, not rows.
  bool by_column = false;
  /// Rows that are read: all, or a part from the beginning of a block on.
  std::size_t first = 0;
  std::size_t count = 0;
};

/// What src/engine/csv/column-builder.ts gathers of a column; a number that is NaN is missing.
struct FloatColumn {
  std::uint64_t numbers = 0;
  /// Infinite and crossed where there is none.
  double min = 0;
  double max = 0;
  /// Of each block for itself, then of these.
  double sum = 0;
  bool integer = true;
  /// Each number is the one before plus one.
  bool counts_up = true;
  /// Of the numbers, where they count up.
  double first = 0;
  double last = 0;
  /// What `sum` is made of, in order.
  std::vector<double> block_sums;
};

struct FloatTableFacts {
  /// False where a number is infinite or one that float64 does not tell from its neighbours: nothing else holds then.
  bool plain = true;
  bool cancelled = false;
  /// The bytes of these numbers, in the order of the file.
  std::vector<ReadPiece> read;
  std::vector<FloatColumn> columns;
};

/// What is told while it is read, and asked for: others write to it and read it by atomic operations.
struct ReadProgress {
  /// Not zero: no more is to be read.
  std::int32_t cancelled = 0;
  /// Blocks that were read.
  std::int32_t blocks = 0;
};

/// Reads numbers to `x` (count, columns): blocks of `table::block_rows` rows, in each of them column after column.
/// @throws std::runtime_error where the file cannot be read, or ends before
FloatTableFacts read_float_table(const FloatTable& table, std::size_t threads, ReadProgress& progress, float* x);

}  // namespace centroid_lab::reader

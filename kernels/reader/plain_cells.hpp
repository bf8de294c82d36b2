// Cells that are plain numbers, one behind the other, over as many rows as there are of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lines.hpp"

namespace centroid_lab::reader {

/// More than any number has whose digits are exact.
inline constexpr std::int32_t unknown_decimals = 1000;

/// A cell of a column whose numbers are not kept, valid and without NUL.
struct TextCell {
  std::size_t row;
  std::size_t column;
  Cell cell;
};

/// Room for such cells, in the order of the file.
struct TextCells {
  TextCell* cells;
  std::size_t count;
  std::size_t room;
};

/// Where the cells of a table go.
struct PlainCells {
  LineForm line;
  /// Cells of a row.
  std::size_t width;
  /// (width) a column's values by row; null where its numbers are not kept, whose cells may go to `texts`.
  double* const* targets;
  /// (width) raised to the decimals of each number that is read; to `unknown_decimals` where nobody counts them.
  std::int32_t* decimals;
  TextCells* texts;
  /// Before these lines there may be no text.
  const char* text;
  /// Behind the last line.
  const char* end;
};

struct CellPosition {
  const char* at;
  std::size_t row;
  /// Cells of the row before `at`.
  std::size_t cell;
  /// `at` is the line end of a row that is not complete or did not begin here; else a cell begins there, or the lines are at their end.
  bool is_line_end;
};

/// Reads on as long as cells are plain numbers, or texts of columns that are none, in quotes perhaps; rows that begin and end so are
/// complete.
using ReadPlainCells = void (*)(const PlainCells& cells, CellPosition& position, LineEnds& ends);

/// By the best means of this processor.
ReadPlainCells plain_cells_reader();

extern const ReadPlainCells avx2_plain_cells;

/// By no means but those every processor has.
void read_cells_one_by_one(const PlainCells& cells, CellPosition& position, LineEnds& ends);

}  // namespace centroid_lab::reader

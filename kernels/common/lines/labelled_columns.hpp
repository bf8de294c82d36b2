// Rows of a table that lies in columns, as text, with the label of their point and its distance to the centroid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "lines/label_cells.hpp"
#include "lines/text_buffer.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {

/// Cells of text, one behind the other.
struct TextCells {
  /// UTF-8.
  const char* bytes = nullptr;
  /// (rows) where each ends.
  const std::uint32_t* ends = nullptr;
};

/// One column for some rows that follow each other. Nothing in it is owned.
struct CellColumn {
  std::variant<TextCells, const std::int8_t*, const std::uint8_t*, const std::int16_t*, const std::uint16_t*,
               const std::int32_t*, const std::uint32_t*, const std::int64_t*, const std::uint64_t*, const float*,
               const double*>
      values;
  /// Numbers from one row to the next.
  std::size_t step = 1;
  /// (rows) not 0 where the cell is missing; null where none is.
  const std::uint8_t* missing = nullptr;
};

class LabelledColumns {
 public:
  /// @param chunk rows that a thread takes at a time
  LabelledColumns(LabelCells form, LabelledRows rows, std::size_t threads, std::size_t chunk);

  /// Writes rows 0..count-1 of the columns, each a line. Numbers are the shortest text that reads back to the same float64, whole
  /// ones of 64 bits have all their digits, missing cells are empty.
  /// @param from of the first row @returns bytes written
  /// @throws std::length_error where there is too little room
  std::size_t write(const std::vector<CellColumn>& columns, std::size_t count, Position from, char* out,
                    std::size_t room);

 private:
  void write_rows(const std::vector<CellColumn>& columns, std::size_t first, std::size_t last, Position from,
                  TextBuffer& to) const;

  LabelCells form_;
  LabelledRows rows_;
  ThreadPool pool_;
  std::size_t chunk_;
  std::vector<TextBuffer> chunks_;
};

}  // namespace centroid_lab

// A stretch of whole lines as rows of a table: numbers by column, and what is not plain for whoever tells about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "distinct_texts.hpp"
#include "lines.hpp"
#include "number.hpp"
#include "plain_cells.hpp"

namespace centroid_lab::reader {

/// What is read of every row.
struct TableForm {
  LineForm line;
  /// Cells of a row.
  std::size_t width;
  /// (width) of a column whose numbers are kept, its index among those; -1 for the others, of which texts are counted.
  std::vector<std::int32_t> kept;
  std::size_t kept_count;
  /// (width) of the others, their index among those.
  std::vector<std::int32_t> texts;
  std::size_t text_count;
};

/// A cell that a sentence may be about.
enum class Oddity : std::uint8_t { infinite, other, coarse };

struct OddCell {
  /// Counted from the first of the lines.
  std::uint64_t record;
  std::uint32_t column;
  Oddity oddity;
  /// Among `texts`.
  std::size_t offset;
  std::size_t length;
};

/// Odd cells of a column that are looked at; the others are counted.
inline constexpr std::uint32_t max_looked = 1000;

/// What a column's cells are that are no numbers, and what they hold where numbers are not kept.
struct CellCounts {
  std::uint64_t numbers = 0;
  std::uint64_t other = 0;
  std::uint64_t infinite = 0;
  std::uint64_t coarse = 0;
  /// Infinite and other cells of which the text is among the odd ones.
  std::uint32_t looked = 0;
  DistinctTexts texts;

  void clear();
};

/// A record that does not have the table's cells.
struct RaggedRecord {
  std::uint64_t record;
  std::uint64_t cells;
};

/// What a stretch of lines holds; its memory is used again.
struct Rows {
  Refusal refusal = Refusal::none;
  std::uint64_t records = 0;
  std::size_t rows = 0;
  LineEnds line_ends;
  /// (kept_count, stride), by column; NaN where there is no number.
  std::unique_ptr<double[]> values;
  std::size_t room = 0;
  std::size_t stride = 0;
  /// (text_count, stride), by column: the code of a row's text in `counts`, 0 where there is none or they are too many.
  std::unique_ptr<std::uint16_t[]> codes;
  std::size_t code_room = 0;
  /// Room for those that wait to be looked at.
  std::vector<TextCell> text_cells;
  /// (width) The most decimals of a column's numbers, `unknown_decimals` where one of them was not read digit by digit.
  std::vector<std::int32_t> decimals;
  /// (width)
  std::vector<CellCounts> counts;
  std::vector<OddCell> odd;
  std::string texts;
  std::vector<RaggedRecord> ragged;
  /// Records that are blank lines.
  std::vector<std::uint64_t> blank;

  const double* column(std::size_t kept) const { return values.get() + kept * stride; }
  const std::uint16_t* codes_of(std::size_t text) const { return codes.get() + text * stride; }
};

/// What is known of the columns from the lines before.
struct ColumnsKnown {
  /// More texts than are told apart, so that none need be looked at.
  bool many_texts = false;
  /// Odd cells whose text is wanted.
  std::uint32_t wanted = max_looked;
  bool coarse_wanted = true;
};

/// Reads whole lines, behind which there are `padding_bytes` to look at.
void read_rows(const TableForm& form, const std::vector<ColumnsKnown>& known, const char* begin, const char* end,
               Rows& rows);

/// Reads over one record whatever its cells. @returns why not; `is_blank`: it is a blank line
Refusal pass_record(const LineForm& form, const char*& at, LineEnds& ends, bool& is_blank);

}  // namespace centroid_lab::reader

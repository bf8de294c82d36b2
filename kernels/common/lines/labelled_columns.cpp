#include "lines/labelled_columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "lines/number_text.hpp"

namespace centroid_lab {
namespace {

/// As JavaScript's String(value): cells are written as they stand, what is no number too.
char* cell_text(double value, char* to) {
  if (std::isfinite(value)) return number_text(value, '.', to);
  constexpr std::string_view none = "NaN";
  constexpr std::string_view infinite = "-Infinity";
  const std::string_view text = std::isnan(value) ? none : value < 0 ? infinite : infinite.substr(1);
  return std::copy(text.begin(), text.end(), to);
}

/// A cell of any column, `row` counted from the first of its values.
void append_value(TextBuffer& to, const CellColumn& column, std::size_t row, char separator) {
  if (column.missing != nullptr && column.missing[row] != 0) return;
  std::visit(
      [&](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, TextCells>) {
          const std::size_t begin = row == 0 ? 0 : values.ends[row - 1];
          append_cell(to, {values.bytes + begin, values.ends[row] - begin}, separator);
        } else {
          char* at = to.room(longest_number);
          const auto value = values[row * column.step];
          if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) to.end_at(cell_text(value, at));
          else to.end_at(std::to_chars(at, at + longest_number, value).ptr);
        }
      },
      column.values);
}

}  // namespace

LabelledColumns::LabelledColumns(LabelCells form, LabelledRows rows, std::size_t threads, std::size_t chunk)
    : form_(form), rows_(std::move(rows)), pool_(threads), chunk_(chunk) {}

std::size_t LabelledColumns::write(const std::vector<CellColumn>& columns, std::size_t count, Position from, char* out,
                                   std::size_t room) {
  const std::size_t chunks = (count + chunk_ - 1) / chunk_;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) {
      const std::size_t row = i * chunk_;
      write_rows(columns, row, std::min(row + chunk_, count), behind(rows_, from, row, row), chunks_[i]);
    }
  };
  pool_.share(chunks, 1, visit, [] { return false; });
  std::size_t written = 0;
  for (std::size_t i = 0; i < chunks; i++) written += chunks_[i].text().size();
  if (written > room) throw std::length_error("the lines need " + std::to_string(written) + " bytes");
  for (std::size_t i = 0; i < chunks; i++) {
    const std::string_view text = chunks_[i].text();
    out = std::copy(text.begin(), text.end(), out);
  }
  return written;
}

/// @param from of row `first`
void LabelledColumns::write_rows(const std::vector<CellColumn>& columns, std::size_t first, std::size_t last,
                                 Position from, TextBuffer& to) const {
  to.clear();
  RowWalk walk(rows_, from);
  for (std::size_t row = first; row < last; row++) {
    for (std::size_t j = 0; j < columns.size(); j++) {
      if (j > 0) to.append(form_.separator);
      append_value(to, columns[j], row, form_.separator);
    }
    append_label(to, rows_, walk.point_of(from.record + (row - first)), form_);
    to.append('\n');
  }
}

}  // namespace centroid_lab

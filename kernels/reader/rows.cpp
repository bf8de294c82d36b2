#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace centroid_lab::reader {
namespace {

/// Between two looks at them; the row in which they become more is read cell by cell.
constexpr std::size_t max_texts = 1 << 11;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Reads the rows of one stretch of lines.
class RowReader {
 public:
  RowReader(const TableForm& form, const std::vector<ColumnsKnown>& known, const char* begin, const char* end, Rows& rows)
      : form_(form), known_(known), rows_(rows), scanner_(form.line),
        texts_{rows.text_cells.data(), 0, rows.text_cells.size()} {
    for (const std::int32_t kept : form.kept) {
      targets_.push_back(kept < 0 ? nullptr : rows.values.get() + static_cast<std::size_t>(kept) * rows.stride);
    }
    plain_ = {form.line, form.width, targets_.data(), rows.decimals.data(), &texts_, begin, end};
  }

  Refusal read(const char* at) {
    while (at < plain_.end) {
      CellPosition position{at, rows_.rows, 0, false};
      waiting_.clear();
      read_plain(position);
      if (position.at >= plain_.end) break;
      const Refusal refusal = read_record(position);
      if (refusal != Refusal::none) return refusal;
      at = behind_line_end(position.at, rows_.line_ends);
      take_record();
      rows_.records++;
    }
    return Refusal::none;
  }

 private:
  /// A cell to be told of once its record is known to be a row.
  struct Waiting {
    std::uint32_t column;
    CellKind kind;
    double value;
    Cell cell;
  };

  /// Reads rows as far as they are plain; texts of the row in which that ends wait.
  void read_plain(CellPosition& position) {
    texts_.count = 0;
    read_plain_cells_(plain_, position, rows_.line_ends);
    for (std::size_t i = 0; i < texts_.count; i++) take_text(texts_.cells[i], position.row);
    rows_.records += position.row - rows_.rows;
    rows_.rows = position.row;
  }

  void take_text(const TextCell& text, std::size_t open_row) {
    const ReadCell read = kind_of(text.cell);
    const Waiting waiting{static_cast<std::uint32_t>(text.column), read.kind, read.value, text.cell};
    if (text.row == open_row) {
      if (read.kind != CellKind::missing) waiting_.push_back(waiting);
      return;
    }
    code(static_cast<std::size_t>(form_.texts[text.column]), text.row) = 0;
    if (read.kind != CellKind::missing) report(waiting, rows_.records + text.row - rows_.rows, text.row);
  }

  /// Reads the other cells of a record whose first ones were plain; to its line end.
  Refusal read_record(CellPosition& position) {
    is_first_blank_ = false;
    is_surplus_blank_ = false;
    while (!position.is_line_end) {
      cells_ = position.cell;
      const Refusal refusal = read_cell(position.at, cells_ < form_.width ? targets_[cells_] : nullptr);
      if (refusal != Refusal::none) return refusal;
      position.cell++;
      position.is_line_end = *position.at != form_.line.delimiter;
      if (position.is_line_end) break;
      position.at++;
      read_plain(position);
    }
    cells_ = position.cell;
    return Refusal::none;
  }

  /// What has many digits, say.
  bool read_number(const char*& at, double& value) const {
    const char* const stop = plain_number(at, form_.line.decimal, value);
    if (stop == nullptr || (*stop != form_.line.delimiter && !is_line_end(*stop))) return false;
    at = stop;
    return true;
  }

  Refusal read_cell(const char*& at, double* target) {
    if (target != nullptr && read_number(at, target[rows_.rows])) {
      rows_.decimals[cells_] = unknown_decimals;
      return Refusal::none;
    }
    Cell cell;
    const Refusal refusal = scanner_.read(at, cell);
    if (refusal != Refusal::none) return refusal;
    if (cells_ == 0) is_first_blank_ = trimmed(text_of(cell)).empty();
    if (cells_ == form_.width) is_surplus_blank_ = trimmed(text_of(cell)).empty();
    if (cells_ >= form_.width) return Refusal::none;
    const ReadCell read = kind_of(cell);
    const bool is_number = read.kind == CellKind::number;
    if (target != nullptr) target[rows_.rows] = is_number ? read.value : missing;
    if (target != nullptr && is_number) rows_.decimals[cells_] = unknown_decimals;
    const bool is_plain = target != nullptr && is_number && !(std::abs(read.value) > max_safe_integer);
    if (is_plain || read.kind == CellKind::missing) return Refusal::none;
    waiting_.push_back({static_cast<std::uint32_t>(cells_), read.kind, read.value, cell});
    return Refusal::none;
  }

  /// Most texts begin with a letter that begins no number and no mark.
  ReadCell kind_of(const Cell& cell) {
    constexpr std::size_t longest_mark = 9;  // -Infinity
    const unsigned char first = cell.length == 0 ? 0 : static_cast<unsigned char>(cell.text[0] | 0x20);
    const bool is_letter = first >= 'a' && first <= 'z' && !cell.doubled;
    if (is_letter && (cell.length > longest_mark + 32 || (first != 'n' && first != 'i'))) return {CellKind::other, 0};
    return classify(text_of(cell), form_.line.decimal);
  }

  std::string_view text_of(const Cell& cell) { return undoubled(cell, form_.line.quote, room_); }

  /// A blank line, a row, or a record that is left out.
  void take_record() {
    const std::size_t width = form_.width;
    if (cells_ == 1 && is_first_blank_) {
      rows_.blank.push_back(rows_.records);
    } else if (cells_ == width || (cells_ == width + 1 && is_surplus_blank_)) {
      for (std::size_t text = 0; text < form_.text_count; text++) code(text, rows_.rows) = 0;
      for (const Waiting& waiting : waiting_) report(waiting, rows_.records, rows_.rows);
      rows_.rows++;
    } else {
      rows_.ragged.push_back({rows_.records, cells_});
    }
  }

  void report(const Waiting& waiting, std::uint64_t record, std::size_t row) {
    CellCounts& counts = rows_.counts[waiting.column];
    const ColumnsKnown& known = known_[waiting.column];
    const std::string_view text = text_of(waiting.cell);
    const bool is_kept = form_.kept[waiting.column] >= 0;
    if (is_kept && waiting.kind == CellKind::number) {
      if (!is_coarse(text, waiting.value)) return;
      if (counts.coarse++ == 0 && known.coarse_wanted) add_odd(record, waiting.column, Oddity::coarse, text);
      return;
    }
    if (waiting.kind != CellKind::infinite && !known.many_texts) {
      const std::uint16_t found = counts.texts.add(text);
      if (!is_kept) code(static_cast<std::size_t>(form_.texts[waiting.column]), row) = found;
    }
    if (waiting.kind == CellKind::number) {
      counts.numbers++;
      return;
    }
    const bool is_infinite = waiting.kind == CellKind::infinite;
    (is_infinite ? counts.infinite : counts.other)++;
    if (counts.looked == known.wanted) return;
    counts.looked++;
    add_odd(record, waiting.column, is_infinite ? Oddity::infinite : Oddity::other, text);
  }

  std::uint16_t& code(std::size_t text, std::size_t row) { return rows_.codes[text * rows_.stride + row]; }

  void add_odd(std::uint64_t record, std::uint32_t column, Oddity oddity, std::string_view text) {
    rows_.odd.push_back({record, column, oddity, rows_.texts.size(), text.size()});
    rows_.texts.append(text);
  }

  const TableForm& form_;
  const std::vector<ColumnsKnown>& known_;
  Rows& rows_;
  CellScanner scanner_;
  /// (width) where numbers are kept; null for other columns.
  std::vector<double*> targets_;
  PlainCells plain_{};
  ReadPlainCells read_plain_cells_ = plain_cells_reader();
  TextCells texts_;
  std::vector<Waiting> waiting_;
  std::string room_;
  std::size_t cells_ = 0;
  bool is_first_blank_ = false;
  bool is_surplus_blank_ = false;
};

/// No row is shorter than its delimiters and its line end.
std::size_t max_rows(const TableForm& form, std::size_t bytes) {
  return bytes / std::max<std::size_t>(1, form.width) + 2;
}

void prepare(const TableForm& form, std::size_t bytes, Rows& rows) {
  rows.refusal = Refusal::none;
  rows.records = 0;
  rows.rows = 0;
  rows.line_ends = {};
  rows.stride = max_rows(form, bytes);
  const std::size_t size = form.kept_count * rows.stride;
  if (rows.room < size) {
    rows.values = std::make_unique_for_overwrite<double[]>(size);
    rows.room = size;
  }
  const std::size_t codes = form.text_count * rows.stride;
  if (rows.code_room < codes) {
    rows.codes = std::make_unique_for_overwrite<std::uint16_t[]>(codes);
    rows.code_room = codes;
  }
  if (form.text_count > 0) rows.text_cells.resize(max_texts);
  rows.decimals.assign(form.width, 0);
  rows.counts.resize(form.width);
  for (CellCounts& counts : rows.counts) counts.clear();
  rows.odd.clear();
  rows.texts.clear();
  rows.ragged.clear();
  rows.blank.clear();
}

}  // namespace

void CellCounts::clear() {
  numbers = other = infinite = coarse = 0;
  looked = 0;
  texts.clear();
}

void read_rows(const TableForm& form, const std::vector<ColumnsKnown>& known, const char* begin, const char* end,
               Rows& rows) {
  prepare(form, static_cast<std::size_t>(end - begin), rows);
  rows.refusal = RowReader(form, known, begin, end, rows).read(begin);
}

Refusal pass_record(const LineForm& form, const char*& at, LineEnds& ends, bool& is_blank) {
  const CellScanner scanner(form);
  std::string room;
  for (std::size_t cells = 1;; cells++) {
    Cell cell;
    const Refusal refusal = scanner.read(at, cell);
    if (refusal != Refusal::none) return refusal;
    is_blank = cells == 1 && trimmed(undoubled(cell, form.quote, room)).empty();
    if (*at != form.delimiter) break;
    at++;
  }
  at = behind_line_end(at, ends);
  return Refusal::none;
}

}  // namespace centroid_lab::reader

#include "lines/labelled_lines.hpp"

#include <algorithm>
#include <utility>

namespace centroid_lab {
namespace {

/// Goes through a text line by line; line ends are LF and CR LF.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next() {
    begin_ = end_;
    if (begin_ == text_.size()) return false;
    const std::size_t feed = text_.find('\n', begin_);
    end_ = feed == std::string_view::npos ? text_.size() : feed + 1;
    line_ = text_.substr(begin_, end_ - begin_);
    if (feed == std::string_view::npos) return true;
    line_.remove_suffix(1);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    return true;
  }

  /// Without its line end.
  std::string_view line() const { return line_; }
  std::size_t begin() const { return begin_; }

 private:
  std::string_view text_;
  std::string_view line_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

bool has(std::string_view text, char character) { return text.find(character) != std::string_view::npos; }

/// A line that is no record: one cell of nothing but blanks.
bool is_blank_line(std::string_view line, const LineForm& form, std::vector<Cell>& cells, std::string& scratch) {
  if (line.empty()) return true;
  const char first = line.front();
  // Most lines begin with what is neither blank nor quote.
  if (first > ' ' && first < 0x7f && first != form.quote && first != form.delimiter) return false;
  return cut_cells(line, form, cells) && cells.size() == 1 && is_blank(value_of(cells[0], form, scratch));
}

}  // namespace

LabelledLines::LabelledLines(LabelledForm form, LabelledRows rows, std::size_t threads, std::size_t chunk)
    : form_(form), rows_(std::move(rows)), pool_(threads), chunk_(chunk) {}

template <class Task>
void LabelledLines::each(std::size_t chunks, const Task& task) {
  const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) task(chunks_[i]);
  };
  pool_.share(chunks, 1, visit, [] { return false; });
}

LabelledText LabelledLines::write(std::string_view text, Position from, char* out, std::size_t room) {
  LabelledText answer;
  std::size_t chunks = divide(text);
  each(chunks, [this](Chunk& chunk) { count(chunk); });
  chunks = locate(chunks, from, answer);
  each(chunks, [this](Chunk& chunk) { rewrite(chunk); });
  for (std::size_t i = 0; i < chunks; i++) answer.written += chunks_[i].written.text().size();
  if (answer.written > room) return answer;
  for (std::size_t i = 0; i < chunks; i++) {
    const std::string_view written = chunks_[i].written.text();
    out = std::copy(written.begin(), written.end(), out);
  }
  return answer;
}

/// Whole lines to every chunk. @returns how many there are
std::size_t LabelledLines::divide(std::string_view text) {
  std::size_t chunks = 0;
  while (!text.empty()) {
    const std::size_t feed = text.find('\n', std::min(chunk_, text.size()) - 1);
    const std::size_t size = feed == std::string_view::npos ? text.size() : feed + 1;
    if (chunks == chunks_.size()) chunks_.emplace_back();
    chunks_[chunks++].text = text.substr(0, size);
    text.remove_prefix(size);
  }
  return chunks;
}

/// Counts lines and records, up to one that cannot be told by itself.
void LabelledLines::count(Chunk& chunk) const {
  const bool has_quotes = form_.source.quote != 0 && has(chunk.text, form_.source.quote);
  const bool has_returns = has(chunk.text, '\r');
  const bool has_nul = has(chunk.text, '\0');
  chunk.lines = chunk.records = 0;
  chunk.is_cut = false;
  for (Lines lines(chunk.text); lines.next(); chunk.lines++) {
    const std::string_view line = lines.line();
    const bool is_open =
        has_quotes && has(line, form_.source.quote) && !cut_cells(line, form_.source, chunk.cells);
    if (is_open || (has_returns && has(line, '\r')) || (has_nul && has(line, '\0'))) {
      chunk.text = chunk.text.substr(0, lines.begin());
      chunk.is_cut = true;
      return;
    }
    if (!is_blank_line(line, form_.source, chunk.cells, chunk.scratch)) chunk.records++;
  }
}

/// Tells each chunk where it stands, up to the first that was cut. @returns how many chunks are to be written
std::size_t LabelledLines::locate(std::size_t chunks, Position from, LabelledText& answer) {
  answer.after = from;
  for (std::size_t i = 0; i < chunks; i++) {
    Chunk& chunk = chunks_[i];
    Position& now = answer.after;
    chunk.from = now;
    now = behind(rows_, now, chunk.lines, chunk.records);
    answer.read += chunk.text.size();
    answer.records += chunk.records;
    if (chunk.is_cut) return i + 1;
  }
  return chunks;
}

void LabelledLines::rewrite(Chunk& chunk) const {
  chunk.written.clear();
  RowWalk walk(rows_, chunk.from);
  std::uint64_t record = chunk.from.record;
  for (Lines lines(chunk.text); lines.next(); record++) {
    const std::string_view line = lines.line();
    if (is_blank_line(line, form_.source, chunk.cells, chunk.scratch)) continue;
    rewrite_line(chunk, line, walk.point_of(record));
  }
}

void LabelledLines::rewrite_line(Chunk& chunk, std::string_view line, std::int64_t point) const {
  TextBuffer& to = chunk.written;
  chunk.cells.clear();
  if (is_plain(line)) {
    to.append(line);
  } else {
    cut_cells(line, form_.source, chunk.cells);
    write_cells(chunk, 0, form_.width, to);
  }
  append_label(to, rows_, point, {form_.separator, form_.mark});
  if (form_.has_surplus) {
    to.append(form_.separator);
    write_surplus(chunk, to);
  }
  to.append('\n');
}

/// Would its cells be written as they stand, all of them and no other?
bool LabelledLines::is_plain(std::string_view line) const {
  if (form_.separator != form_.source.delimiter) return false;
  // Few enough for a byte to count them; without branches, so that the compiler takes many at a time.
  constexpr std::size_t piece = 128;
  const char separator = form_.separator;
  const char quote = form_.source.quote;
  std::size_t delimiters = 0;
  for (std::size_t from = 0; from < line.size(); from += piece) {
    const char* at = line.data() + from;
    const std::size_t length = std::min(piece, line.size() - from);
    std::uint8_t found = 0;
    std::uint8_t odd = 0;
    for (std::size_t i = 0; i < length; i++) {
      const auto parts = static_cast<std::uint8_t>(at[i] == separator);
      // Signed: what is not ASCII is below.
      const auto is_odd = static_cast<std::uint8_t>((at[i] <= ' ') | (at[i] == '"') | (at[i] == quote));
      found = static_cast<std::uint8_t>(found + parts);
      odd = static_cast<std::uint8_t>(odd | (is_odd & ~parts));
    }
    if (odd != 0) return false;
    delimiters += found;
  }
  return delimiters + 1 == form_.width;
}

/// Cells first..last-1, empty ones where the record has no more.
void LabelledLines::write_cells(Chunk& chunk, std::size_t first, std::size_t last, TextBuffer& to) const {
  for (std::size_t i = first; i < last; i++) {
    if (i > first) to.append(form_.separator);
    if (i >= chunk.cells.size()) continue;
    append_cell(to, value_of(chunk.cells[i], form_.source, chunk.scratch), form_.separator);
  }
}

/// Cells beyond the last column as one line; empty where there is none.
void LabelledLines::write_surplus(Chunk& chunk, TextBuffer& to) const {
  const std::size_t cells = chunk.cells.size();
  const auto is_empty = [](const Cell& cell) { return cell.text.empty(); };
  const auto surplus = chunk.cells.begin() + static_cast<std::ptrdiff_t>(std::min(form_.width, cells));
  if (std::all_of(surplus, chunk.cells.end(), is_empty)) return;
  TextBuffer line;
  write_cells(chunk, form_.width, cells, line);
  append_cell(to, line.text(), form_.separator);
}

}  // namespace centroid_lab

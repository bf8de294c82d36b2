// Cells between delimiters that are found 64 bytes at a time, and numbers of up to fifteen digits by their sixteen bytes: no number
// waits for the one before it, and texts between them are only noted. What is inline elsewhere is not called here: the linker might take its code for machines without AVX2.
#include <immintrin.h>

#include <cstdint>

#include "number_groups.hpp"
#include "plain_cells.hpp"

namespace centroid_lab::reader {
namespace {

/// Delimiters, line ends and quotes, one behind the other.
class Stops {
 public:
  Stops(const char* at, const LineForm& line)
      : block_(at), delimiter_(_mm256_set1_epi8(line.delimiter)),
        quote_(_mm256_set1_epi8(line.quote != '\0' ? line.quote : line.delimiter)), left_(found()) {}

  /// Stops from there on again, which is before the last one.
  void go_back(const char* at) {
    block_ = at;
    left_ = found();
  }

  /// There is always one more: lines end.
  const char* next() {
    while (left_ == 0) {
      block_ += 64;
      left_ = found();
    }
    const char* const stop = block_ + __builtin_ctzll(left_);
    left_ &= left_ - 1;
    return stop;
  }

 private:
  std::uint64_t found() const { return found_in(block_) | static_cast<std::uint64_t>(found_in(block_ + 32)) << 32; }

  std::uint32_t found_in(const char* at) const {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i cuts = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, delimiter_), _mm256_cmpeq_epi8(bytes, quote_));
    const __m256i ends = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n')),
                                         _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r')));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_or_si256(cuts, ends)));
  }

  const char* block_;
  __m256i delimiter_, quote_;
  std::uint64_t left_;
};

/// Where a reader of cells is, between two of them.
struct Cursor {
  const char* at;
  std::size_t row, cell;
  bool is_line_end = false;
  /// Nothing is read on.
  bool is_end = false;
};

/// What is read, with what does not change on the way.
struct Course {
  Course(const PlainCells& of, std::size_t first)
      : cells(of), delimiter(of.line.delimiter), quote(of.line.quote == '\0' ? no_character : of.line.quote), begins_row(first == 0) {}

  static constexpr int no_character = 1 << 8;

  const PlainCells& cells;
  int delimiter, quote;
  bool begins_row;
};

/// Goes on behind the last cell of a line, which ends at `stop`.
inline void pass_line(const Course& course, const char* stop, Cursor& cursor, Stops& stops, LineEnds& ends) {
  if (cursor.cell != course.cells.width || !course.begins_row) {
    cursor.at = stop;
    cursor.is_line_end = cursor.is_end = true;
    return;
  }
  cursor.row++;
  cursor.cell = 0;
  cursor.at = behind_line_end(stop, ends);
  cursor.is_end = cursor.at >= course.cells.end;
  // The second half of a line end.
  if (!cursor.is_end && cursor.at != stop + 1) stops.next();
}

/// Where a cell's text lies, and what ends the cell.
struct Bounds {
  const char* begin;
  const char* end;
  /// Null where the cell is to be looked at by others.
  const char* stop;
  bool doubled = false;
};

/// Of the cell at `at`. @param may_hold_stops a text in quotes may hold delimiters and doubled quotes
inline Bounds bounds_of(const Course& course, const char* at, bool may_hold_stops, Stops& stops) {
  const char* stop = stops.next();
  if (*at != course.quote) return {at, stop, *stop == course.quote ? nullptr : stop};
  const char* const begin = at + 1;
  bool doubled = false;
  for (const char* end = stops.next();; end = stops.next()) {
    const int byte = *end;
    if (byte == '\n' || byte == '\r') return {begin, end, nullptr};
    if (byte != course.quote) {
      if (!may_hold_stops) return {begin, end, nullptr};
      continue;
    }
    stop = stops.next();
    if (stop != end + 1) return {begin, end, nullptr};
    if (*stop != course.quote) return {begin, end, stop, doubled};
    if (!may_hold_stops) return {begin, end, nullptr};
    doubled = true;
  }
}

/// Without NUL, and of valid UTF-8.
inline bool is_sound(const char* begin, const char* end) {
  std::uint32_t zeros = 0, high = 0;
  for (const char* at = begin; at < end; at += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const std::uint32_t own = end - at >= 32 ? ~0u : (1u << (end - at)) - 1;
    zeros |= static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()))) & own;
    high |= static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes)) & own;
  }
  return zeros == 0 && (high == 0 || is_valid_utf8({begin, static_cast<std::size_t>(end - begin)}));
}

/// A text that others need not look at: a first cell that may be blank may be all there is of its line.
inline bool take_text(const Course& course, const Bounds& bounds, std::size_t row, std::size_t column) {
  TextCells& texts = *course.cells.texts;
  if (texts.count == texts.room || !is_sound(bounds.begin, bounds.end)) return false;
  if (column == 0 && (bounds.begin == bounds.end || *bounds.begin <= ' ')) return false;
  texts.cells[texts.count++] = {row, column, {bounds.begin, static_cast<std::size_t>(bounds.end - bounds.begin), bounds.doubled}};
  return true;
}

/// Takes cells that may be plain numbers, and texts.
/// @param most of the numbers
inline void collect(const Course& course, int most, Cursor& cursor, Stops& stops, LineEnds& ends, Group& group) {
  double* const* const targets = course.cells.targets;
  const std::int32_t* const decimals = course.cells.decimals;
  const std::size_t width = course.cells.width;
  const int quote = course.quote, delimiter = course.delimiter;
  const char* at = cursor.at;
  std::size_t cell = cursor.cell, row = cursor.row;
  int count = 0;
  while (count < most && cell < width) {
    double* const target = targets[cell];
    const char* stop;
    const char* end;
    const char* begin = at;
    if (target != nullptr && *at != quote) {
      stop = end = stops.next();
      if (*stop == quote) {
        stops.go_back(at);
        break;
      }
    } else {
      const Bounds bounds = bounds_of(course, at, target == nullptr, stops);
      stop = bounds.stop;
      end = bounds.end;
      begin = bounds.begin;
      if (stop == nullptr || (target == nullptr && !take_text(course, bounds, row, cell))) {
        stops.go_back(at);
        break;
      }
    }
    if (target != nullptr) {
      group.lengths[count] = static_cast<std::int32_t>(end - begin);
      group.ends[count] = end;
      group.targets[count] = target + row;
      group.decimals[count] = decimals[cell];
      group.columns[count] = static_cast<std::int32_t>(cell);
      count++;
    }
    cell++;
    at = stop + 1;
    if (*stop == delimiter) continue;
    cursor.cell = cell;
    cursor.row = row;
    pass_line(course, stop, cursor, stops, ends);
    if (!cursor.is_line_end) {
      group.line_stops[group.line_count] = stop;
      group.cells_before[group.line_count++] = count;
    }
    at = cursor.at;
    cell = cursor.cell;
    row = cursor.row;
    if (cursor.is_end || group.line_count == group_cells) break;
  }
  group.count = count;
  cursor.at = at;
  cursor.cell = cell;
  cursor.row = row;
}

/// Where the cell of a group begins. @param ends raised by the line ends before it
inline Cursor cursor_at(const Group& group, int cell, const Course& course, LineEnds& ends) {
  for (int line = 0; line < group.line_count && group.cells_before[line] <= cell; line++) behind_line_end(group.line_stops[line], ends);
  const auto column = static_cast<std::size_t>(group.columns[cell]);
  const int quotes = *group.ends[cell] == course.quote ? 1 : 0;
  const auto row = static_cast<std::size_t>(group.targets[cell] - course.cells.targets[column]);
  return {group.ends[cell] - group.lengths[cell] - quotes, row, column};
}

/// Of texts only those before the cursor stay.
inline void drop_texts(const Cursor& cursor, TextCells& texts) {
  while (texts.count > 0) {
    const TextCell& last = texts.cells[texts.count - 1];
    if (last.row < cursor.row || (last.row == cursor.row && last.column < cursor.cell)) break;
    texts.count--;
  }
}

/// Reads cells, many at once. @param most numbers of them; next time @returns whether there were any
inline bool read_some(const Course& course, int& most, Cursor& cursor, Stops& stops, LineEnds& ends) {
  if (cursor.at - course.cells.text < number_bytes) return false;
  const char* const begin = cursor.at;
  Cursor next = cursor;
  LineEnds ends_then = ends;
  Group group;
  collect(course, most, next, stops, ends_then, group);
  const int count = group.count == 0 ? 0 : read_group(group, course.cells);
  if (count == group.count) {
    cursor = next;
    ends = ends_then;
    most = group_cells;
    return next.at != begin;
  }
  cursor = cursor_at(group, count, course, ends);
  drop_texts(cursor, *course.cells.texts);
  most = lane_count;
  stops.go_back(cursor.at);
  return cursor.at != begin;
}

/// Reads a cell, in quotes perhaps; where it is no plain number, nothing is read on.
inline void read_one(const Course& course, Cursor& cursor, Stops& stops, LineEnds& ends) {
  const PlainCells& cells = course.cells;
  cursor.is_end = true;
  if (cursor.cell >= cells.width || cells.targets[cursor.cell] == nullptr) return;
  const char* begin = cursor.at;
  const char* end = stops.next();
  const char* stop = end;
  if (*begin == course.quote) {
    begin++;
    end = stops.next();
    if (*end != course.quote) return;
    stop = stops.next();
    if (stop != end + 1) return;
  }
  if (*stop == course.quote) return;
  double& value = cells.targets[cursor.cell][cursor.row];
  if (!read_number(begin, end, cells.text, cells.line.decimal, value, cells.decimals[cursor.cell])) return;
  cursor.is_end = false;
  cursor.cell++;
  cursor.at = stop + 1;
  if (*stop != course.delimiter) pass_line(course, stop, cursor, stops, ends);
}

void read_cells(const PlainCells& cells, CellPosition& position, LineEnds& ends) {
  const Course course(cells, position.cell);
  Cursor cursor{position.at, position.row, position.cell};
  Stops stops(position.at, cells.line);
  LineEnds counted = ends;
  // Where one cell is no plain number, others soon are not either.
  int most = lane_count;
  while (!cursor.is_end) {
    if (!read_some(course, most, cursor, stops, counted)) read_one(course, cursor, stops, counted);
  }
  ends = counted;
  position = {cursor.at, cursor.row, cursor.cell, cursor.is_line_end};
}

}  // namespace

const ReadPlainCells avx2_plain_cells = read_cells;

}  // namespace centroid_lab::reader

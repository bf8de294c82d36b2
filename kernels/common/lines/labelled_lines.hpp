// Rows of a table with the label of their point and its distance to the centroid spliced in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lines/cells.hpp"
#include "lines/label_cells.hpp"
#include "lines/text_buffer.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {

/// How rows are written.
struct LabelledForm {
  LineForm source;
  /// Between the cells that are written.
  char separator = ',';
  /// Decimal mark of the distance.
  char mark = '.';
  /// Columns of the table: shorter records are filled up, cells of longer ones are surplus.
  std::size_t width = 0;
  /// A last column holds the surplus cells of a record as one line.
  bool has_surplus = false;
};

/// What was made of a text.
struct LabelledText {
  /// Bytes of it that were read: all, or those before a line that only a reader of the whole text understands.
  std::size_t read = 0;
  /// Records met, blank lines apart.
  std::uint64_t records = 0;
  /// Bytes written; more than there was room for: nothing was written.
  std::size_t written = 0;
  Position after;
};

class LabelledLines {
 public:
  /// @param chunk bytes that a thread takes at a time
  LabelledLines(LabelledForm form, LabelledRows rows, std::size_t threads, std::size_t chunk);

  /// @param text whole lines; the last one may lack its line end
  LabelledText write(std::string_view text, Position from, char* out, std::size_t room);

 private:
  /// Lines that one thread rewrites.
  struct Chunk {
    std::string_view text;
    Position from;
    std::uint64_t lines = 0;
    std::uint64_t records = 0;
    bool is_cut = false;
    TextBuffer written;
    std::vector<Cell> cells;
    std::string scratch;
  };

  std::size_t divide(std::string_view text);
  void count(Chunk& chunk) const;
  std::size_t locate(std::size_t chunks, Position from, LabelledText& answer);
  void rewrite(Chunk& chunk) const;
  void rewrite_line(Chunk& chunk, std::string_view line, std::int64_t point) const;
  void write_cells(Chunk& chunk, std::size_t first, std::size_t last, TextBuffer& to) const;
  void write_surplus(Chunk& chunk, TextBuffer& to) const;
  bool is_plain(std::string_view line) const;
  template <class Task>
  void each(std::size_t chunks, const Task& task);

  LabelledForm form_;
  LabelledRows rows_;
  ThreadPool pool_;
  std::size_t chunk_;
  std::vector<Chunk> chunks_;
};

}  // namespace centroid_lab

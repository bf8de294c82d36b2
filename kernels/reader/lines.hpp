// Lines and cells of text in UTF-8, by the grammar of src/engine/csv/README.md as far as each record is one line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace centroid_lab::reader {

/// Bytes of NUL behind a text that its readers may look at.
inline constexpr std::size_t padding_bytes = 64;

/// Why a text is not read here: the reader in TypeScript reads it, from its beginning.
enum class Refusal : std::uint8_t { none, nul, damaged, doubtful_quote, several_lines, long_line };

const char* name_of(Refusal refusal);

/// How records are cut into cells.
struct LineForm {
  char delimiter;
  /// NUL where there is none.
  char quote;
  char decimal;
};

struct LineEnds {
  std::uint64_t feeds = 0;
  std::uint64_t pairs = 0;
  std::uint64_t returns = 0;
};

inline bool is_line_end(char byte) { return byte == '\n' || byte == '\r'; }

/// Counts the line end at `at`. @returns behind it
const char* behind_line_end(const char* at, LineEnds& ends);

/// Where the first line begins at `from` or behind it. @param begin where a line begins for certain
const char* next_line(const char* begin, const char* from, const char* end);

/// A cell as it stands between its delimiters, without its quotes.
struct Cell {
  const char* text = nullptr;
  std::size_t length = 0;
  /// Holds doubled quotes, which are one each.
  bool doubled = false;

  std::string_view view() const { return {text, length}; }
};

/// Reads cells one behind the other.
class CellScanner {
 public:
  explicit CellScanner(const LineForm& form) : form_(form) {}

  /// The cell that begins at `at`, which is then its delimiter or its line end. @returns none, or what it cannot be read for
  Refusal read(const char*& at, Cell& cell) const;

 private:
  struct Stop {
    const char* at;
    /// Bytes beyond ASCII stand before it.
    bool wide;
  };

  /// The next delimiter, quote, line end or NUL.
  Stop next_stop(const char* at) const;
  Refusal read_quoted(const char*& at, Cell& cell) const;

  LineForm form_;
};

/// A cell's text with each doubled quote once; kept in `room` where it is not the cell itself.
std::string_view undoubled(const Cell& cell, char quote, std::string& room);

bool is_valid_utf8(std::string_view text);

}  // namespace centroid_lab::reader

// Lines of a table cut into cells, and cells written again. The grammar is that of src/engine/csv/README.md, for what it decides
// within one line; text is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace centroid_lab {

/// What is between the cells of a line and around them; 0 for none.
struct LineForm {
  /// ' ' for runs of blanks and tabs.
  char delimiter = ',';
  char quote = '"';
};

/// A cell as it stands in its line, without the quotes around it.
struct Cell {
  std::string_view text;
  /// Quotes within it are doubled.
  bool is_quoted = false;
};

/// Cuts a line, without its line end, into cells.
/// @returns false where a quoted cell may go on in the next line: then only a reader of the whole text can tell
bool cut_cells(std::string_view line, const LineForm& form, std::vector<Cell>& cells);

/// The characters of a cell; `scratch` holds them where they are not those of the line.
std::string_view value_of(const Cell& cell, const LineForm& form, std::string& scratch);

/// Of nothing but blanks, in the sense of JavaScript's trim.
bool is_blank(std::string_view text);

/// A reader of cells parted by `separator` would misread this one without quotes: as csvCell of src/engine/export/csv-text.ts.
bool needs_quotes(std::string_view text, char separator);

/// Does it begin or end with a blank character, in the sense of a regular expression's \s?
bool has_outer_blank(std::string_view text);

}  // namespace centroid_lab

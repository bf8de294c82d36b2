#include "lines/cells.hpp"

#include <algorithm>

namespace centroid_lab {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_space_or_tab(char character) { return character == ' ' || character == '\t'; }

/// The blank characters of JavaScript beyond ASCII, in UTF-8.
constexpr std::string_view wide_blanks[] = {
    "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
    "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff",
};

bool is_ascii_blank(char character) { return character == ' ' || (character >= '\t' && character <= '\r'); }

/// Bytes of the blank character that a text begins with; 0 for another.
std::size_t leading_blank(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<unsigned char>(text.front()) < 0x80) return is_ascii_blank(text.front()) ? 1 : 0;
  for (const std::string_view blank : wide_blanks) {
    if (text.substr(0, blank.size()) == blank) return blank.size();
  }
  return 0;
}

bool ends_with_blank(std::string_view text) {
  if (text.empty()) return false;
  if (static_cast<unsigned char>(text.back()) < 0x80) return is_ascii_blank(text.back());
  return std::any_of(std::begin(wide_blanks), std::end(wide_blanks), [&](std::string_view blank) {
    return text.size() >= blank.size() && text.substr(text.size() - blank.size()) == blank;
  });
}

std::size_t behind_blanks(std::string_view line, std::size_t at, char delimiter) {
  while (at < line.size() && is_space_or_tab(line[at]) && line[at] != delimiter) at++;
  return at;
}

/// The first quote at `from` or behind it that is not one of a doubled pair.
std::size_t single_quote(std::string_view line, char quote, std::size_t from) {
  std::size_t at = line.find(quote, from);
  while (at != none && at + 1 < line.size() && line[at + 1] == quote) at = line.find(quote, at + 2);
  return at;
}

/// Where cells end, and the next begins one character behind.
bool cut_delimited(std::string_view line, const LineForm& form, std::vector<Cell>& cells) {
  for (std::size_t at = 0;;) {
    const std::size_t open = behind_blanks(line, at, form.delimiter);
    std::size_t stop = none;
    if (form.quote != 0 && open < line.size() && line[open] == form.quote) {
      const std::size_t close = single_quote(line, form.quote, open + 1);
      if (close == none) return false;
      const std::size_t behind = behind_blanks(line, close + 1, form.delimiter);
      if (behind == line.size() || line[behind] == form.delimiter) {
        cells.push_back({line.substr(open + 1, close - open - 1), true});
        stop = behind;
      }
    }
    if (stop == none) {
      stop = std::min(line.find(form.delimiter, at), line.size());
      cells.push_back({line.substr(at, stop - at), false});
    }
    if (stop == line.size()) return true;
    at = stop + 1;
  }
}

std::size_t end_of_word(std::string_view line, std::size_t at) {
  while (at < line.size() && !is_space_or_tab(line[at])) at++;
  return at;
}

void cut_at_blanks(std::string_view line, char quote, std::vector<Cell>& cells) {
  std::size_t at = behind_blanks(line, 0, 0);
  while (!line.empty() && is_space_or_tab(line.back())) line.remove_suffix(1);
  if (at >= line.size()) cells.push_back({});
  while (at < line.size()) {
    const std::size_t close = quote != 0 && line[at] == quote ? single_quote(line, quote, at + 1) : none;
    const bool is_quoted = close != none && (close + 1 == line.size() || is_space_or_tab(line[close + 1]));
    const std::size_t end = is_quoted ? close + 1 : end_of_word(line, at);
    cells.push_back(is_quoted ? Cell{line.substr(at + 1, close - at - 1), true} : Cell{line.substr(at, end - at), false});
    at = behind_blanks(line, end, 0);
  }
}

}  // namespace

bool cut_cells(std::string_view line, const LineForm& form, std::vector<Cell>& cells) {
  cells.clear();
  if (form.delimiter != ' ') return cut_delimited(line, form, cells);
  cut_at_blanks(line, form.quote, cells);
  return true;
}

std::string_view value_of(const Cell& cell, const LineForm& form, std::string& scratch) {
  if (!cell.is_quoted || cell.text.find(form.quote) == none) return cell.text;
  scratch.clear();
  for (std::size_t at = 0; at < cell.text.size(); at++) {
    scratch.push_back(cell.text[at]);
    if (cell.text[at] == form.quote) at++;
  }
  return scratch;
}

bool is_blank(std::string_view text) {
  while (const std::size_t blank = leading_blank(text)) text.remove_prefix(blank);
  return text.empty();
}

bool has_outer_blank(std::string_view text) { return leading_blank(text) > 0 || ends_with_blank(text); }

bool needs_quotes(std::string_view text, char separator) {
  if (has_outer_blank(text)) return true;
  return std::any_of(text.begin(), text.end(), [&](char character) {
    return character == '"' || character == separator || character == '\r' || character == '\n';
  });
}

}  // namespace centroid_lab

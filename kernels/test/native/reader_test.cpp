// Text as tables: numbers to the last bit, cells, and nothing read beyond the text, whatever it holds (under sanitizers).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "reader/number_column.hpp"
#include "reader/plain_cells.hpp"
#include "reader/rows.hpp"
#include "tests.hpp"

namespace centroid_lab {
namespace {

using namespace reader;

/// Columns 0 and 1 are kept as numbers, column 2 as texts.
TableForm form_of(char delimiter) { return {{delimiter, '"', '.'}, 3, {0, 1, -1}, 2, {-1, -1, 0}, 1}; }

/// A copy with nothing behind it but the padding, so that a sanitizer sees every byte beyond.
Rows read(const std::string& text, const TableForm& form) {
  const std::unique_ptr<char[]> held(new char[text.size() + padding_bytes]());
  std::memcpy(held.get(), text.data(), text.size());
  Rows rows;
  read_rows(form, std::vector<ColumnsKnown>(form.width), held.get(), held.get() + text.size(), rows);
  return rows;
}

void check_cells() {
  const Rows rows = read("1,2,a\n\"3\",\"4\",\"b \"\"q\"\"\"\n\n5,x,a\n6\n7,,c\n", form_of(','));
  expect(rows.refusal == Refusal::none, "reader: plain text is read");
  expect(rows.rows == 4 && rows.records == 6, "reader: rows and records");
  expect(rows.blank.size() == 1 && rows.blank[0] == 2, "reader: a blank line");
  expect(rows.ragged.size() == 1 && rows.ragged[0].cells == 1, "reader: a record of one cell");
  expect(rows.column(0)[1] == 3 && rows.column(0)[3] == 7, "reader: numbers");
  expect(std::isnan(rows.column(1)[2]) && std::isnan(rows.column(1)[3]), "reader: what is no number");
  expect(rows.counts[1].other == 1 && rows.counts[1].infinite == 0, "reader: counted");
  const auto* codes = rows.codes_of(0);
  expect(codes[0] == 1 && codes[1] == 2 && codes[2] == 1 && codes[3] == 3, "reader: codes of texts");
  expect(rows.counts[2].texts.text(1) == "b \"q\"", "reader: a text without its quotes");
}

void check_refusals() {
  const auto refusal = [](const std::string& text) { return read(text, form_of(',')).refusal; };
  expect(refusal("1,2,\"a\nb\"\n") == Refusal::several_lines, "reader: a cell of several lines");
  expect(refusal("1,2\",a\n") == Refusal::doubtful_quote, "reader: a stray quote");
  expect(refusal(std::string("1,2,\0\n", 7)) == Refusal::nul, "reader: a NUL");
  expect(refusal("1,2,\xff\n") == Refusal::damaged, "reader: no UTF-8");
}

/// As the C library reads them, which rounds correctly.
void check_numbers() {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200'000; i++) {
    char text[64];
    const int digits = static_cast<int>(random() % 20);
    const double scale = std::pow(10.0, static_cast<double>(random() % 40) - 20);
    const double value = (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5) * scale;
    std::snprintf(text, sizeof text, random() % 8 == 0 ? "%.*e" : "%.*f", digits, value);
    const Rows rows = read(std::string(text) + ",1,a\n", form_of(','));
    const double expected = std::strtod(text, nullptr);
    expect(rows.rows == 1 && rows.column(0)[0] == expected, "reader: ", text);
  }
}

/// Lines of cells that are numbers mostly, in quotes perhaps, as short and long as they may be.
std::string lines_of_numbers(std::mt19937& random) {
  const std::string pieces[] = {"1", "-2.5", "\"3\"", "\"-0.25\"", "", ".5", "5.", "-", "1.2.3", "123456789012345", "1234567890.12345",
                                "1234567890123456", "-0", "+1", "1e3", "\"1\"2", "\"\"", "x", "0.000000000000001", "-12345678.9012345"};
  std::string text;
  for (std::uint32_t line = 1 + random() % 12; line > 0; line--) {
    for (std::uint32_t cell = 1 + random() % 4; cell > 0; cell--) {
      text += random() % 8 == 0 ? pieces[random() % std::size(pieces)] : std::to_string(static_cast<double>(random()) / (1 + random() % 1000));
      if (cell > 1) text += ',';
    }
    text += random() % 4 == 0 ? "\r\n" : random() % 8 == 0 ? "\r" : "\n";
  }
  return text;
}

/// By the bytes at once as one by one: the same numbers, to the same position.
void check_instruction_sets() {
  const ReadPlainCells best = plain_cells_reader();
  std::mt19937 random(13);
  int compared = 0;
  for (int i = 0; i < 50'000; i++) {
    const std::string text = lines_of_numbers(random);
    const std::size_t begin = random() % 3 == 0 ? 0 : random() % text.size();
    const std::unique_ptr<char[]> held(new char[text.size() + padding_bytes]());
    std::memcpy(held.get(), text.data(), text.size());
    std::vector<double> first[2], second[2];
    CellPosition positions[2];
    LineEnds ends[2];
    for (int by = 0; by < 2; by++) {
      first[by].assign(text.size() + 2, 7);
      second[by].assign(text.size() + 2, 7);
      double* const targets[] = {first[by].data(), second[by].data(), i % 5 == 0 ? nullptr : first[by].data()};
      std::int32_t decimals[3] = {};
      TextCells none{nullptr, 0, 0};
      const PlainCells cells{{',', i % 7 == 0 ? '\0' : '"', '.'}, 1 + static_cast<std::size_t>(i % 3), targets, decimals, &none, held.get(), held.get() + text.size()};
      positions[by] = {held.get() + begin, 0, static_cast<std::size_t>(i % 2), false};
      (by == 0 ? read_cells_one_by_one : best)(cells, positions[by], ends[by]);
    }
    const bool same_position = positions[0].at == positions[1].at && positions[0].row == positions[1].row && positions[0].cell == positions[1].cell &&
                            positions[0].is_line_end == positions[1].is_line_end;
    // What goes on one by one reads longer numbers too.
    const bool stopped_before = positions[1].at < positions[0].at;
    compared += !stopped_before;
    const bool same_ends = ends[0].feeds == ends[1].feeds && ends[0].pairs == ends[1].pairs && ends[0].returns == ends[1].returns;
    const std::size_t bytes = text.size() * sizeof(double);
    const bool same_numbers = std::memcmp(first[0].data(), first[1].data(), bytes) == 0 && std::memcmp(second[0].data(), second[1].data(), bytes) == 0;
    expect(stopped_before || (same_position && same_ends && same_numbers), "reader: cells at once and one by one of ", text);
  }
  expect(compared > 25'000, "reader: cells at once stopped before those one by one in all but ", compared);
}

/// A row of two numbers and a text, with what stands in the way of reading many at once.
std::string line_with_text(std::mt19937& random) {
  const std::string texts[] = {"plain", "\"quoted\"", "\"a, b\"", "\"say \"\"so\"\"\"", "Łódź", "\"né\"", "NA", "", "\"\"", "-", "inf", "12", "\"7\"",
                               "12345678901234567890", "a text that is longer than a register of thirty-two bytes", "\" blank\"", "Infinity"};
  const std::string numbers[] = {"1.25", "\"-2\"", "x", "", "NA", "1e3", "12345678901234567", "\"3.5\"", "-0.125"};
  const auto one_of = [&](const auto& list) { return list[random() % std::size(list)]; };
  const auto number = [&] { return random() % 6 == 0 ? one_of(numbers) : std::to_string(random() % 100'000); };
  std::string line = number() + "," + number() + "," + one_of(texts);
  if (random() % 16 == 0) line += ",more";
  return random() % 24 == 0 ? "" : line;
}

constexpr char row_begins = '>';

/// Of all rows: numbers and texts, and which cells are odd.
std::string lines_of(const Rows& rows, std::uint64_t records_before) {
  std::string all;
  for (std::size_t row = 0; row < rows.rows; row++) {
    all += row_begins;
    for (std::size_t column = 0; column < 2; column++) all += std::to_string(rows.column(column)[row]) + ' ';
    const std::uint16_t code = rows.codes_of(0)[row];
    all += code == 0 ? "none" : std::string(rows.counts[2].texts.text(code - 1u));
    all += '\n';
  }
  for (const OddCell& cell : rows.odd) {
    // Only the first of a column is told of.
    if (cell.oddity == Oddity::coarse) continue;
    all += std::to_string(records_before + cell.record) + ' ' + std::to_string(cell.column) + rows.texts.substr(cell.offset, cell.length) + '\n';
  }
  return all;
}

/// Rows and odd cells apart: those of many lines follow each other.
std::string sorted_lines(const std::vector<std::string>& each) {
  std::string rows, odd;
  for (const std::string& lines : each) {
    for (std::size_t at = 0, end; at < lines.size(); at = end + 1) {
      end = lines.find('\n', at);
      const std::string line = lines.substr(at, end - at + 1);
      (line[0] == row_begins ? rows : odd) += line;
    }
  }
  return rows + odd;
}

/// A line alone is read cell by cell as far as its first sixteen bytes go: together with others it is the same.
void check_texts() {
  std::mt19937 random(15);
  for (int i = 0; i < 4000; i++) {
    const TableForm form = form_of(',');
    std::string text;
    std::vector<std::string> alone;
    CellCounts counted;
    for (std::uint32_t line = 0, lines = 1 + random() % 40; line < lines; line++) {
      const std::string one = line_with_text(random) + "\n";
      const Rows rows = read(one, form);
      alone.push_back(lines_of(rows, line));
      counted.other += rows.counts[2].other;
      counted.numbers += rows.counts[2].numbers;
      counted.infinite += rows.counts[2].infinite;
      text += one;
    }
    const Rows rows = read(text, form);
    expect(rows.refusal == Refusal::none && sorted_lines({lines_of(rows, 0)}) == sorted_lines(alone), "reader: texts of ", text);
    const CellCounts& texts = rows.counts[2];
    expect(texts.other == counted.other && texts.numbers == counted.numbers && texts.infinite == counted.infinite, "reader: counts of ", text);
  }
}

/// A block is the same whole numbers whether decimals are known or tried; so is what it amounts to.
void check_known_decimals() {
  std::mt19937 random(14);
  for (int i = 0; i < 300; i++) {
    const std::int32_t decimals = static_cast<std::int32_t>(random() % 11);
    const std::int64_t step = random() % 4 == 0 ? 10 : 1;
    const std::int64_t most = random() % 3 == 0 ? 3'000'000'000 : 2'000'000;
    Aligned<double> values(block_rows);
    for (double& value : values) {
      const std::int64_t whole = (static_cast<std::int64_t>(random()) % most - most / 2) * step;
      value = random() % 9 == 0 ? std::nan("") : static_cast<double>(whole) / std::pow(10.0, decimals);
    }
    NumberBlock known, tried;
    const bool is_known = whole_numbers(values, decimals, known), is_tried = whole_numbers(values, unknown_decimals, tried);
    expect(is_known == is_tried && known.scale == tried.scale && known.whole == tried.whole, "reader: known decimals, ", i);
  }
}

/// Any bytes: each record is a row, a blank line or ragged, unless the text is refused.
void check_anything() {
  std::mt19937 random(12);
  const std::string pieces[] = {"1", "-2.5", "\"", "\"\"", ",", ";", "\n", "\r\n", "\r", " ", "e", "inf", "\xc3\xa9",
                                "\xff", "12345678901234567890", "na", ".", "+", "\t", "0.1e-5"};
  for (int i = 0; i < 100'000; i++) {
    std::string text;
    for (std::uint32_t left = random() % 40; left > 0; left--) text += pieces[random() % std::size(pieces)];
    text += '\n';
    const Rows rows = read(text, form_of(random() % 2 == 0 ? ',' : ';'));
    const bool adds_up = rows.rows + rows.blank.size() + rows.ragged.size() == rows.records;
    expect(rows.refusal != Refusal::none || adds_up, "reader: records add up of ", text);
  }
}

}  // namespace

void test_reader() {
  check_cells();
  check_refusals();
  check_numbers();
  check_instruction_sets();
  check_texts();
  check_known_decimals();
  check_anything();
}

}  // namespace centroid_lab

#include "plain_cells.hpp"

#include "isa.hpp"
#include "number.hpp"

namespace centroid_lab::reader {

void read_cells_one_by_one(const PlainCells& cells, CellPosition& position, LineEnds& ends) {
  const LineForm line = cells.line;
  const bool has_quote = line.quote != '\0';
  const bool begins_row = position.cell == 0;
  const char* at = position.at;
  std::size_t row = position.row, cell = position.cell;
  for (;;) {
    double* const target = cell < cells.width ? cells.targets[cell] : nullptr;
    if (target == nullptr) break;
    const bool is_quoted = has_quote && *at == line.quote;
    double value;
    const char* stop = plain_number(at + is_quoted, line.decimal, value);
    if (stop == nullptr || (is_quoted && *stop != line.quote)) break;
    cells.decimals[cell] = unknown_decimals;
    stop += is_quoted;
    if (*stop == line.delimiter) {
      target[row] = value;
      cell++;
      at = stop + 1;
      continue;
    }
    if (!is_line_end(*stop)) break;
    target[row] = value;
    cell++;
    if (cell != cells.width || !begins_row) {
      position = {stop, row, cell, true};
      return;
    }
    at = behind_line_end(stop, ends);
    row++;
    cell = 0;
    if (at >= cells.end) break;
  }
  position = {at, row, cell, false};
}

ReadPlainCells plain_cells_reader() {
#if defined(__x86_64__)
  if (best_isa() >= Isa::avx2) return avx2_plain_cells;
#endif
  return read_cells_one_by_one;
}

}  // namespace centroid_lab::reader

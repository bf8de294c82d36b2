#include "series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace centroid_lab::table {
namespace {

/// NaN for a code that stands for nothing.
template <class Code>
void read_codes(const Code* codes, std::size_t count, const std::vector<double>& values, double* to) {
  for (std::size_t i = 0; i < count; i++) {
    to[i] = codes[i] < values.size() ? values[codes[i]] : std::numeric_limits<double>::quiet_NaN();
  }
}

void read_block(const Block& block, const std::vector<double>& code_values, std::size_t first, std::size_t count, double* to) {
  if (block.bytes != nullptr) return read_codes(block.bytes + first, count, code_values, to);
  if (block.codes != nullptr) return read_codes(block.codes + first, count, code_values, to);
  if (block.floats != nullptr) return void(std::copy_n(block.floats + first, count, to));
  if (block.whole == nullptr) return void(std::copy_n(block.values + first, count, to));
  const std::int32_t* const whole = block.whole + first;
  for (std::size_t i = 0; i < count; i++) {
    const double value = static_cast<double>(whole[i]) / block.scale;
    to[i] = whole[i] == no_number ? std::numeric_limits<double>::quiet_NaN() : value;
  }
}

void read_rows(const Series& series, std::size_t first, std::size_t last, double* to) {
  for (std::size_t row = first; row < last;) {
    const std::size_t within = row % block_rows;
    const std::size_t count = std::min(last - row, block_rows - within);
    read_block(series.blocks[row / block_rows], series.code_values, within, count, to);
    to += count;
    row += count;
  }
}

/// As inColumnUnits of centre.ts.
template <class ToUnits>
void convert(double* values, std::size_t count, double fill, const ToUnits& to_units) {
  for (std::size_t i = 0; i < count; i++) values[i] = std::isnan(values[i]) ? fill : to_units(values[i]);
}

}  // namespace

void Series::read(std::size_t first, std::size_t last, double* to) const {
  const std::size_t count = last - first;
  if (rows == nullptr) {
    read_rows(*this, first, last, to);
  } else {
    for (std::size_t i = 0; i < count; i++) {
      const std::size_t row = rows[first + i];
      read_block(blocks[row / block_rows], code_values, row % block_rows, 1, to + i);
    }
  }
  const double from = offset;
  if (exponent == 0) return convert(to, count, fill, [=](double value) { return value - from; });
  const double factor = std::ldexp(1.0, -exponent);
  if (exponent > 0) return convert(to, count, fill, [=](double value) { return value * factor - from * factor; });
  convert(to, count, fill, [=](double value) { return (value - from) * factor; });
}

}  // namespace centroid_lab::table

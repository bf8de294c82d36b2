#include "number_column.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "number.hpp"
#include "whole_numbers.hpp"

namespace centroid_lab::reader {
namespace {

constexpr int max_decimals = 9;

bool is_whole(double value) {
  // Beyond 2^53 each float64 is whole.
  return !(std::abs(value) <= max_safe_integer) || static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

/// Whether a smaller power of ten would do is told by the last digits: most blocks have one that is not 0 among their first.
bool uses_last_digit(const Aligned<std::int32_t>& whole) {
  return std::any_of(whole.begin(), whole.end(), [](std::int32_t number) { return number % 10 != 0 && number != no_number; });
}

/// Numbers read digit by digit are whole over the most decimals that one of them has: nothing is tried.
bool whole_over_decimals(const Aligned<double>& values, std::int32_t decimals, NumberBlock& block) {
  if (decimals > max_decimals) return false;
  const double scale = float_powers[static_cast<std::size_t>(decimals)];
  Aligned<std::int32_t> whole(values.size());
  if (!whole_number_kernels().write(values.data(), values.size(), scale, whole.data())) return false;
  if (decimals > 0 && !uses_last_digit(whole)) return false;
  block.scale = scale;
  block.whole = std::move(whole);
  return true;
}

}  // namespace

bool SeenNumbers::add(double number) {
  const double same = number + 0.0;  // -0 is 0
  std::uint64_t bits;
  std::memcpy(&bits, &same, sizeof bits);
  std::size_t slot = bits * 0x9e3779b97f4a7c15 >> (64 - slot_bits);
  for (; slots_[slot] != empty; slot = (slot + 1) % slots_.size()) {
    if (slots_[slot] == bits) return false;
  }
  if (count_ < max_watched) {
    slots_[slot] = bits;
    count_++;
  }
  return true;
}

NumberColumn::NumberColumn(bool watched) {
  facts_.min = std::numeric_limits<double>::infinity();
  facts_.max = -facts_.min;
  previous_ = std::numeric_limits<double>::quiet_NaN();
  facts_.unique = watched;
  if (watched) seen_ = std::make_unique<SeenNumbers>();
  open_.reserve(block_rows);
}

void NumberColumn::append(const double* values, std::size_t count, std::int32_t decimals) {
  while (count > 0) {
    const std::size_t taken = std::min(count, block_rows - open_.size());
    const std::size_t begin = open_.size();
    decimals_ = begin == 0 ? decimals : std::max(decimals_, decimals);
    open_.resize(begin + taken);
    // -0 becomes 0.
    for (std::size_t i = 0; i < taken; i++) open_[begin + i] = values[i] + 0.0;
    values += taken;
    count -= taken;
    if (open_.size() == block_rows) close();
  }
}

void NumberColumn::gather() {
  NumberFacts facts = facts_;
  double sum = 0;
  for (const double value : open_) {
    if (value != value) continue;
    facts.numbers++;
    if (value < facts.min) facts.min = value;
    if (value > facts.max) facts.max = value;
    sum += value;
    if (facts.integer && !is_whole(value)) facts.integer = false;
  }
  facts.sum += sum;
  facts_ = facts;
  follow();
}

/// As `gather`, from the whole numbers of the open block.
void NumberColumn::gather_whole(const NumberBlock& block) {
  const WholeTotals totals = whole_number_kernels().add_up(block.whole.data(), block.whole.size());
  if (totals.numbers == 0) return;
  facts_.numbers += totals.numbers;
  facts_.min = std::min(facts_.min, totals.min / block.scale);
  facts_.max = std::max(facts_.max, totals.max / block.scale);
  facts_.sum += static_cast<double>(totals.sum) / block.scale;
  facts_.integer = facts_.integer && block.scale == 1;
  follow();
}

/// Does each number follow the one before, is one there twice? Most columns say no soon.
void NumberColumn::follow() {
  if (!facts_.counts_up && !seen_) return;
  for (const double value : open_) {
    if (value != value) continue;
    // The first follows none.
    if (previous_ == previous_ && value != previous_ + 1) facts_.counts_up = false;
    previous_ = value;
    if (seen_ && !seen_->add(value)) seen_.reset();
    if (!facts_.counts_up && !seen_) break;
  }
  facts_.unique = seen_ != nullptr;
}

void NumberColumn::close() {
  NumberBlock block;
  if (whole_numbers(open_, decimals_, block)) {
    gather_whole(block);
  } else {
    gather();
    block.values = open_;
  }
  full_.push_back(std::move(block));
  open_.clear();
}

bool whole_numbers(const Aligned<double>& values, std::int32_t decimals, NumberBlock& block) {
  static_assert(block_rows % group == 0);
  if (whole_over_decimals(values, decimals, block)) return true;
  const FitGroups fit = whole_number_kernels().fit;
  Aligned<std::int32_t> whole(values.size());
  int tried = 0;
  double scale = 1;
  std::size_t again = 0;
  std::size_t at = 0;
  for (;;) {
    const Fit found = fit(values.data(), values.size(), scale, whole.data(), at);
    if (found == Fit::fits) break;
    // Whole numbers only grow with the scale.
    if (found == Fit::too_large || tried == max_decimals) return false;
    scale = float_powers[static_cast<std::size_t>(++tried)];
    again = at;
  }
  for (at = 0; at < again; at += group) {
    if (fit(values.data(), again, scale, whole.data(), at) == Fit::too_large) return false;
  }
  block.scale = scale;
  block.whole = std::move(whole);
  return true;
}

}  // namespace centroid_lab::reader

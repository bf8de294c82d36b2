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
  facts_.previous = std::numeric_limits<double>::quiet_NaN();
  facts_.unique = watched;
  if (watched) seen_ = std::make_unique<SeenNumbers>();
  open_.reserve(block_rows);
}

void NumberColumn::append(const double* values, std::size_t count) {
  gather(values, count);
  while (count > 0) {
    const std::size_t taken = std::min(count, block_rows - open_.size());
    const std::size_t begin = open_.size();
    open_.resize(begin + taken);
    // -0 becomes 0.
    for (std::size_t i = 0; i < taken; i++) open_[begin + i] = values[i] + 0.0;
    values += taken;
    count -= taken;
    if (open_.size() == block_rows) close();
  }
}

void NumberColumn::gather(const double* values, std::size_t count) {
  NumberFacts facts = facts_;
  for (std::size_t i = 0; i < count; i++) {
    const double value = values[i];
    if (value != value) continue;
    facts.numbers++;
    if (value < facts.min) facts.min = value;
    if (value > facts.max) facts.max = value;
    facts.sum += value;
    if (facts.integer && !is_whole(value)) facts.integer = false;
    if (facts.counts_up && facts.numbers > 1 && value != facts.previous + 1) facts.counts_up = false;
    facts.previous = value;
    if (seen_) watch(value);
  }
  facts.unique = seen_ != nullptr;
  facts_ = facts;
}

void NumberColumn::watch(double value) {
  if (!seen_->add(value)) seen_.reset();
}

void NumberColumn::close() {
  NumberBlock block;
  if (!whole_numbers(open_, block)) block.values = open_;
  full_.push_back(std::move(block));
  open_.clear();
}

bool whole_numbers(const std::vector<double>& values, NumberBlock& block) {
  static_assert(block_rows % group == 0);
  const FitGroups fit = group_fitter();
  std::vector<std::int32_t> whole(values.size());
  int decimals = 0;
  double scale = 1;
  std::size_t again = 0;
  std::size_t at = 0;
  for (;;) {
    const Fit found = fit(values.data(), values.size(), scale, whole.data(), at);
    if (found == Fit::fits) break;
    // Whole numbers only grow with the scale.
    if (found == Fit::too_large || decimals == max_decimals) return false;
    scale = float_powers[static_cast<std::size_t>(++decimals)];
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

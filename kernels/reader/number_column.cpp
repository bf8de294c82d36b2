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

double scale_of(std::int32_t decimals) { return float_powers[static_cast<std::size_t>(decimals)]; }

/// What a whole number stands for.
double value_of(std::int32_t whole, double scale) {
  return whole == no_number ? std::numeric_limits<double>::quiet_NaN() : whole / scale;
}

/// Numbers read digit by digit are whole over the most decimals that one of them has: nothing is tried.
bool whole_over_decimals(const Aligned<double>& values, std::int32_t decimals, NumberBlock& block) {
  if (decimals > max_decimals) return false;
  Aligned<std::int32_t> whole(values.size());
  WholeTotals unused;
  if (!whole_number_kernels().write(values.data(), values.size(), scale_of(decimals), whole.data(), unused)) return false;
  if (decimals > 0 && !uses_last_digit(whole)) return false;
  block.scale = scale_of(decimals);
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
  previous_ = 0;
  facts_.unique = watched;
  if (watched) seen_ = std::make_unique<SeenNumbers>();
}

void NumberColumn::append(const double* values, std::size_t count, std::int32_t decimals) {
  while (count > 0) {
    const std::size_t taken = std::min(count, block_rows - count_);
    append_some(values, taken, decimals);
    values += taken;
    count -= taken;
    if (count_ == block_rows) close();
  }
}

/// Into the open block, which has room for them.
void NumberColumn::append_some(const double* values, std::size_t count, std::int32_t decimals) {
  if (count_ == 0) {
    decimals_ = decimals;
    whole_decimals_ = decimals > max_decimals ? no_decimals : decimals;
    totals_ = {};
  }
  decimals_ = std::max(decimals_, decimals);
  if (whole_decimals_ != no_decimals && (decimals_ != whole_decimals_ || !append_whole(values, count))) to_float();
  if (whole_decimals_ == no_decimals) {
    open_.resize(count_ + count);
    // -0 becomes 0.
    for (std::size_t i = 0; i < count; i++) open_[count_ + i] = values[i] + 0.0;
  }
  count_ += count;
}

/// @returns false where one of them is too large
bool NumberColumn::append_whole(const double* values, std::size_t count) {
  if (whole_.empty() && !spare_.empty()) {
    whole_ = std::move(spare_.back());
    spare_.pop_back();
  }
  whole_.resize(block_rows);
  return whole_number_kernels().write(values, count, scale_of(whole_decimals_), whole_.data() + count_, totals_);
}

void NumberColumn::to_float() {
  if (whole_decimals_ == no_decimals) return;
  const double scale = scale_of(whole_decimals_);
  open_.resize(count_);
  for (std::size_t i = 0; i < count_; i++) open_[i] = value_of(whole_[i], scale);
  whole_decimals_ = no_decimals;
}

void NumberColumn::end() {
  to_float();
  // Where no row follows a full block, what that held is still there.
  open_.resize(count_);
  gather();
}

void NumberColumn::give_back(NumberBlock&& block) {
  if (!block.whole.empty()) spare_.push_back(std::move(block.whole));
}

void NumberColumn::gather() {
  std::uint64_t numbers = facts_.numbers;
  double min = facts_.min, max = facts_.max, sum = 0;
  bool integer = facts_.integer;
  for (const double value : open_) {
    if (value != value) continue;
    numbers++;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    if (integer && !is_whole(value)) integer = false;
  }
  facts_.numbers = numbers;
  facts_.min = min;
  facts_.max = max;
  facts_.integer = integer;
  facts_.sum += sum;
  facts_.block_sums.push_back(sum);
  follow(open_.size(), [&](std::size_t i) { return open_[i]; });
}

/// As `gather`, from the whole numbers of the open block.
void NumberColumn::gather_whole(const WholeTotals& totals, double scale) {
  const double sum = totals.numbers == 0 ? 0 : static_cast<double>(totals.sum) / scale;
  facts_.block_sums.push_back(sum);
  if (totals.numbers == 0) return;
  facts_.numbers += totals.numbers;
  facts_.min = std::min(facts_.min, totals.min / scale);
  facts_.max = std::max(facts_.max, totals.max / scale);
  facts_.sum += sum;
  facts_.integer = facts_.integer && scale == 1;
}

/// Does each number follow the one before, is one there twice? Most columns say no soon; while the first is so, none is there twice.
template <class ValueAt>
void NumberColumn::follow(std::size_t count, const ValueAt& value_at) {
  if (!facts_.counts_up && !seen_) return;
  for (std::size_t i = 0; i < count; i++) {
    const double value = value_at(i);
    if (value != value) continue;
    if (followed_ == 0) facts_.first = value;
    else if (facts_.counts_up && value != previous_ + 1) stop_counting();
    // Where adding 1 changes nothing.
    if (followed_ > 0 && value == previous_) seen_.reset();
    previous_ = value;
    followed_++;
    if (facts_.counts_up) continue;
    if (seen_ && !seen_->add(value)) seen_.reset();
    if (!seen_) break;
  }
  facts_.unique = seen_ != nullptr;
  facts_.last = previous_;
}

/// What was counted up to here has been seen.
void NumberColumn::stop_counting() {
  facts_.counts_up = false;
  if (!seen_) return;
  double number = facts_.first;
  for (std::uint64_t i = 0; i < followed_ && !seen_->is_full(); i++, number++) seen_->add(number);
}

void NumberColumn::close() {
  if (whole_decimals_ == no_decimals || !close_whole()) close_float();
  count_ = 0;
}

/// @returns false where a smaller power of ten does
bool NumberColumn::close_whole() {
  if (whole_decimals_ > 0 && !uses_last_digit(whole_)) return false;
  const double scale = scale_of(whole_decimals_);
  gather_whole(totals_, scale);
  follow(whole_.size(), [&](std::size_t i) { return value_of(whole_[i], scale); });
  full_.push_back({scale, std::exchange(whole_, {}), {}});
  return true;
}

void NumberColumn::close_float() {
  to_float();
  NumberBlock block;
  if (whole_numbers(open_, decimals_, block)) {
    WholeTotals totals;
    whole_number_kernels().add_up(block.whole.data(), block.whole.size(), totals);
    gather_whole(totals, block.scale);
    follow(open_.size(), [&](std::size_t i) { return open_[i]; });
  } else {
    gather();
    block.values = open_;
  }
  full_.push_back(std::move(block));
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

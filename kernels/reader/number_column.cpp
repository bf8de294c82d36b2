#include "number_column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "number.hpp"

namespace centroid_lab::reader {
namespace {

constexpr int max_decimals = 9;
/// Numbers compared with each other before a column counts as free of repetitions.
constexpr std::size_t max_watched = 1 << 16;
constexpr std::int32_t no_number = std::numeric_limits<std::int32_t>::min();
/// Values looked at together.
constexpr std::size_t group = 16;

bool is_whole(double value) {
  // Beyond 2^53 each float64 is whole.
  return !(std::abs(value) <= max_safe_integer) || static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

/// As JavaScript's Math.round, for what fits.
std::int32_t rounded(double scaled) {
  const auto whole = static_cast<std::int32_t>(scaled);
  const double rest = scaled - whole;
  return whole + (rest >= 0.5) - (rest < -0.5);
}

enum class Fit { fits, other_scale, too_large };

/// Do the values come back from whole numbers over `scale`, which are then written?
Fit fit(const double* values, double scale, std::int32_t* whole) {
  bool is_too_large = false;
  bool comes_back = true;
  for (std::size_t i = 0; i < group; i++) {
    const double value = values[i];
    const bool is_missing = value != value;
    const double scaled = is_missing ? 0 : value * scale;
    const bool is_large = !(std::abs(scaled) < 2147483647.5);
    const std::int32_t number = rounded(is_large ? 0 : scaled);
    is_too_large |= is_large;
    comes_back &= is_missing || static_cast<double>(number) / scale == value;
    whole[i] = is_missing ? no_number : number;
  }
  if (is_too_large) return Fit::too_large;
  return comes_back ? Fit::fits : Fit::other_scale;
}

}  // namespace

NumberColumn::NumberColumn(bool watched) {
  facts_.min = std::numeric_limits<double>::infinity();
  facts_.max = -facts_.min;
  facts_.previous = std::numeric_limits<double>::quiet_NaN();
  facts_.unique = watched;
  if (watched) seen_ = std::make_unique<std::unordered_set<double>>();
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
  if (seen_->count(value) != 0) seen_.reset();
  else if (seen_->size() < max_watched) seen_->insert(value);
}

void NumberColumn::close() {
  NumberBlock block;
  if (!whole_numbers(open_, block)) block.values = open_;
  full_.push_back(std::move(block));
  open_.clear();
}

bool whole_numbers(const std::vector<double>& values, NumberBlock& block) {
  static_assert(block_rows % group == 0);
  std::vector<std::int32_t> whole(values.size());
  int decimals = 0;
  double scale = 1;
  std::size_t again = 0;
  for (std::size_t at = 0; at < values.size();) {
    const Fit found = fit(values.data() + at, scale, whole.data() + at);
    if (found == Fit::fits) {
      at += group;
      continue;
    }
    // Whole numbers only grow with the scale.
    if (found == Fit::too_large || decimals == max_decimals) return false;
    scale = float_powers[static_cast<std::size_t>(++decimals)];
    again = at;
  }
  for (std::size_t at = 0; at < again; at += group) {
    if (fit(values.data() + at, scale, whole.data() + at) == Fit::too_large) return false;
  }
  block.scale = scale;
  block.whole = std::move(whole);
  return true;
}

}  // namespace centroid_lab::reader

// What the instruction sets of whole_numbers.hpp have in common.
#pragma once

#include "whole_numbers.hpp"

namespace centroid_lab::reader {
namespace {

/// As JavaScript's Math.round, for what fits.
inline std::int32_t rounded(double scaled) {
  const auto whole = static_cast<std::int32_t>(scaled);
  const double rest = scaled - whole;
  return whole + (rest >= 0.5) - (rest < -0.5);
}

Fit fit_groups(const double* values, std::size_t count, double scale, std::int32_t* whole, std::size_t& at) {
  for (; at < count; at += group) {
    const double* const from = values + at;
    std::int32_t* const to = whole + at;
    int too_large = 0, others = 0;
    for (std::size_t i = 0; i < group; i++) {
      const double value = from[i];
      const bool is_missing = value != value;
      const double scaled = is_missing ? 0 : value * scale;
      const bool is_large = !(scaled < 2147483647.5 && scaled > -2147483647.5);
      const std::int32_t number = rounded(is_large ? 0 : scaled);
      too_large |= is_large;
      others |= !is_missing & !(static_cast<double>(number) / scale == value);
      to[i] = is_missing ? no_number : number;
    }
    if (too_large != 0) return Fit::too_large;
    if (others != 0) return Fit::other_scale;
  }
  return Fit::fits;
}

bool write_whole(const double* values, std::size_t count, double scale, std::int32_t* whole) {
  int too_large = 0;
  for (std::size_t i = 0; i < count; i++) {
    const double value = values[i];
    const bool is_missing = value != value;
    const double scaled = is_missing ? 0 : value * scale;
    const bool is_large = !(scaled < 2147483647.5 && scaled > -2147483647.5);
    const std::int32_t number = rounded(is_large ? 0 : scaled);
    too_large |= is_large;
    whole[i] = is_missing ? no_number : number;
  }
  return too_large == 0;
}

WholeTotals add_up(const std::int32_t* whole, std::size_t count) {
  WholeTotals totals;
  for (std::size_t i = 0; i < count; i++) {
    const std::int32_t number = whole[i];
    const bool is_missing = number == no_number;
    const std::int32_t low = is_missing ? totals.min : number;
    totals.min = low < totals.min ? low : totals.min;
    totals.max = number > totals.max ? number : totals.max;
    totals.sum += is_missing ? 0 : number;
    totals.numbers += is_missing ? 0 : 1;
  }
  return totals;
}

}  // namespace
}  // namespace centroid_lab::reader

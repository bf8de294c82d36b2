// Numbers as whole numbers over a power of ten; one file an instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace centroid_lab::reader {

inline constexpr std::int32_t no_number = std::numeric_limits<std::int32_t>::min();
/// Values looked at together.
inline constexpr std::size_t group = 16;

enum class Fit : std::uint8_t { fits, other_scale, too_large };

/// Writes whole numbers as long as the values come back from them over `scale`, group by group from `at` on.
/// @param at then the first group in which one does not, or `count`
using FitGroups = Fit (*)(const double* values, std::size_t count, double scale, std::int32_t* whole, std::size_t& at);

/// What whole numbers amount to that are not missing.
struct WholeTotals {
  std::int32_t min = std::numeric_limits<std::int32_t>::max();
  std::int32_t max = no_number;
  std::int64_t sum = 0;
  std::uint32_t numbers = 0;
};

/// Writes values as whole numbers over `scale`, which brings each of them back, and adds them to `totals`.
/// @returns false where one of them is too large: nothing written or added is of use then
using WriteWhole = bool (*)(const double* values, std::size_t count, double scale, std::int32_t* whole, WholeTotals& totals);

using AddUp = void (*)(const std::int32_t* whole, std::size_t count, WholeTotals& totals);

struct WholeNumbers {
  FitGroups fit;
  WriteWhole write;
  AddUp add_up;
};

/// By the best means of this processor.
const WholeNumbers& whole_number_kernels();

extern const WholeNumbers avx2_whole_numbers;
extern const WholeNumbers avx512_whole_numbers;

}  // namespace centroid_lab::reader

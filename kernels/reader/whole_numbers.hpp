// Groups of numbers as whole numbers over a power of ten; one file an instruction set.
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

/// By the best means of this processor.
FitGroups group_fitter();

extern const FitGroups avx2_groups;
extern const FitGroups avx512_groups;

}  // namespace centroid_lab::reader

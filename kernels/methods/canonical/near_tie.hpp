// Canonical labels from float32 distances: how near the second best may come before both have to be decided exactly
// (common/exact_order.hpp). proof.md derives the margin; processor, CUDA and WGSL take it from here.
#pragma once

#include <cstddef>

#include "exact_order.hpp"

namespace centroid_lab {

/// Rounding units 2^-24 that computed squared distances of d features may be off by, relatively, whatever the order of
/// the additions and with or without contraction; the last two are of the test itself.
CENTROID_LAB_BOTH inline double units_of_distance(std::size_t d) { return static_cast<double>(d) + 6; }

/// A computed distance that exceeds the least one by more than
///     least * near_tie_factor(units_of_distance(d)) + near_tie_rest(d)
/// is that of a centroid which is farther, exactly. All that do not exceed it are to be decided by exact_order.
/// @param units larger where the distances are off by more, as where bits of them hold a number
/// @returns infinity where nothing is proven: everything is to be decided exactly
CENTROID_LAB_BOTH inline float near_tie_factor(double units) {
  const double error = 2.01 * units * 0x1p-24;
  if (error >= 0.5) return __builtin_huge_valf();
  return static_cast<float>(1 / (1 - error));
}

CENTROID_LAB_BOTH inline float near_tie_rest(std::size_t d) { return static_cast<float>(d) * 0x1p-120F; }

}  // namespace centroid_lab

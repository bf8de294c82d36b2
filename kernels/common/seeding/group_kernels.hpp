// Body of groups.hpp, compiled once per instruction set (-ffp-contract=off, without which products and sums
// would be fused on some processors and not on others). Shares no inline function with other files.
#pragma once

#include "groups.hpp"

namespace centroid_lab {
namespace {

using Doubles = double __attribute__((vector_size(64), aligned(8), may_alias));
using Integers = std::int64_t __attribute__((vector_size(64), aligned(8), may_alias));
constexpr int vectors = group_points / sum_lanes;

inline Doubles& at(double* values, int vector) { return reinterpret_cast<Doubles*>(values)[vector]; }
inline const Doubles& at(const double* values, int vector) {
  return reinterpret_cast<const Doubles*>(values)[vector];
}

/// Four independent chains hide the latency of the additions.
inline void squared_distances(const double* group, const double* centre, std::size_t d, Doubles (&sums)[vectors]) {
  for (int v = 0; v < vectors; v++) sums[v] = Doubles{};
  for (std::size_t j = 0; j < d; j++) {
    const double coordinate = centre[j];
    for (int v = 0; v < vectors; v++) {
      const Doubles difference = at(group + j * group_points, v) - coordinate;
      sums[v] = sums[v] + difference * difference;
    }
  }
}

inline Doubles smaller(Doubles a, Doubles b) { return a < b ? a : b; }

void gather(const float* rows, std::size_t count, std::size_t d, double* group) {
  for (std::size_t i = 0; i < group_points; i++) {
    const float* row = rows + (i < count ? i : count - 1) * d;
    for (std::size_t j = 0; j < d; j++) group[j * group_points + i] = row[j];
  }
}

void add_potential(const double* group, const double* centre, std::size_t d, const double* nearest, double* lanes) {
  Doubles sums[vectors];
  squared_distances(group, centre, d, sums);
  for (int v = 0; v < vectors; v++) at(lanes, 0) = at(lanes, 0) + smaller(sums[v], at(nearest, v));
}

void lower(const double* group, const double* centre, std::size_t d, double* nearest) {
  Doubles sums[vectors];
  squared_distances(group, centre, d, sums);
  for (int v = 0; v < vectors; v++) at(nearest, v) = smaller(sums[v], at(nearest, v));
}

void compare(const double* group, const double* centre, std::size_t d, std::int64_t number, double* smallest,
             std::int64_t* best) {
  Doubles sums[vectors];
  squared_distances(group, centre, d, sums);
  for (int v = 0; v < vectors; v++) {
    Integers& winner = reinterpret_cast<Integers*>(best)[v];
    const Integers closer = sums[v] < at(smallest, v);
    winner = closer ? Integers{} + number : winner;
    at(smallest, v) = closer ? sums[v] : at(smallest, v);
  }
}

constexpr SeedingKernels kernels{gather, add_potential, lower, compare};

}  // namespace
}  // namespace centroid_lab

// Body of groups.hpp, compiled once per instruction set (-ffp-contract=off, without which products and sums
// would be fused on some processors and not on others). Shares no inline function with other files.
#pragma once

#include "groups.hpp"

namespace centroid_lab {
namespace {

#if defined(__AVX512F__)
constexpr int width = 8;
#elif defined(__AVX2__)
constexpr int width = 4;
#else
constexpr int width = 2;
#endif
using Doubles = double __attribute__((vector_size(8 * width), aligned(8), may_alias));
using Integers = std::int64_t __attribute__((vector_size(8 * width), aligned(8), may_alias));
using Floats = float __attribute__((vector_size(4 * width), aligned(4), may_alias));
constexpr int vectors = group_points / width;
constexpr int lane_vectors = sum_lanes / width;
/// Vectors that go through the features together: independent chains hide the latency of the additions, and all fit the
/// registers.
constexpr int together = vectors < 8 ? vectors : 8;

inline Doubles& at(double* values, int vector) { return reinterpret_cast<Doubles*>(values)[vector]; }
inline const Doubles& at(const double* values, int vector) {
  return reinterpret_cast<const Doubles*>(values)[vector];
}

/// Of the vectors from `first` on.
inline void squared_distances(const double* group, const double* centre, std::size_t d, int first,
                              Doubles (&sums)[together]) {
  for (int v = 0; v < together; v++) sums[v] = Doubles{};
  for (std::size_t j = 0; j < d; j++) {
    const double coordinate = centre[j];
    for (int v = 0; v < together; v++) {
      const Doubles difference = at(group + j * group_points, first + v) - coordinate;
      sums[v] = sums[v] + difference * difference;
    }
  }
}

inline Doubles smaller(Doubles a, Doubles b) { return a < b ? a : b; }

/// Adds vector `v` of a group, whose turn it is in its lanes.
inline void add_to(double* lanes, int v, Doubles values) { at(lanes, v % lane_vectors) = at(lanes, v % lane_vectors) + values; }

void gather(const float* rows, std::size_t count, std::size_t d, float* columns) {
  for (std::size_t i = 0; i < group_points; i++) {
    const float* row = rows + (i < count ? i : count - 1) * d;
    for (std::size_t j = 0; j < d; j++) columns[j * group_points + i] = row[j];
  }
}

void widen(const float* columns, std::size_t d, double* group) {
  const Floats* from = reinterpret_cast<const Floats*>(columns);
  for (std::size_t v = 0; v < d * vectors; v++) at(group, static_cast<int>(v)) = __builtin_convertvector(from[v], Doubles);
}

void add_potential(const double* group, const double* centre, std::size_t d, const double* nearest, double* lanes) {
  for (int first = 0; first < vectors; first += together) {
    Doubles sums[together];
    squared_distances(group, centre, d, first, sums);
    for (int v = 0; v < together; v++) add_to(lanes, first + v, smaller(sums[v], at(nearest, first + v)));
  }
}

void lower(const double* group, const double* centre, std::size_t d, double* nearest) {
  for (int first = 0; first < vectors; first += together) {
    Doubles sums[together];
    squared_distances(group, centre, d, first, sums);
    for (int v = 0; v < together; v++) at(nearest, first + v) = smaller(sums[v], at(nearest, first + v));
  }
}

void add_up(const double* nearest, double* lanes) {
  for (int v = 0; v < vectors; v++) add_to(lanes, v, at(nearest, v));
}

void compare(const double* group, const double* centre, std::size_t d, std::int64_t number, double* smallest,
             std::int64_t* best) {
  for (int first = 0; first < vectors; first += together) {
    Doubles sums[together];
    squared_distances(group, centre, d, first, sums);
    for (int v = 0; v < together; v++) {
      Integers& winner = reinterpret_cast<Integers*>(best)[first + v];
      const Integers closer = sums[v] < at(smallest, first + v);
      winner = closer ? Integers{} + number : winner;
      at(smallest, first + v) = closer ? sums[v] : at(smallest, first + v);
    }
  }
}

constexpr SeedingKernels kernels{gather, widen, add_potential, lower, add_up, compare};

}  // namespace
}  // namespace centroid_lab

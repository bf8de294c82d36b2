// Body of filters.hpp, compiled once per instruction set beside group_kernels.hpp, whose vectors of doubles it uses.
#pragma once

#include <type_traits>

#include "filters.hpp"
#include "group_kernels.hpp"

namespace centroid_lab {
namespace {

/// As many float32 as a vector register holds.
constexpr int wide = 2 * width;
using Wide = float __attribute__((vector_size(4 * wide), aligned(4), may_alias));
using WideBits = std::int32_t __attribute__((vector_size(4 * wide)));
constexpr int wide_vectors = group_points / wide;
/// Features after which a filter looks whether anything is left to decide.
constexpr std::size_t features_between_looks = 16;

inline const Wide& wide_at(const float* values, int vector) { return reinterpret_cast<const Wide*>(values)[vector]; }

/// Bit i: values[i] <= most[i].
inline Mask at_most(const Wide (&values)[wide_vectors], const float* most) {
  WideBits lanes;
  for (int lane = 0; lane < wide; lane++) lanes[lane] = lane;
  WideBits bits{};
  for (int v = 0; v < wide_vectors; v++) {
    const WideBits holds = values[v] <= wide_at(most, v);
    bits |= holds & ((WideBits{} + 1) << (lanes + v * wide));
  }
  Mask mask = 0;
  for (int lane = 0; lane < wide; lane++) mask |= static_cast<Mask>(bits[lane]);
  return mask;
}

/// Adds the terms of features first..last-1. Two sums for each point: twice the independent chains.
template <class Term>
inline void add_terms(std::size_t first, std::size_t last, const Term& term, Wide (&even)[wide_vectors],
                      Wide (&odd)[wide_vectors]) {
  std::size_t j = first;
  for (; j + 2 <= last; j += 2) {
    for (int v = 0; v < wide_vectors; v++) even[v] = term(j, v, even[v]);
    for (int v = 0; v < wide_vectors; v++) odd[v] = term(j + 1, v, odd[v]);
  }
  for (; j < last; j++) {
    for (int v = 0; v < wide_vectors; v++) even[v] = term(j, v, even[v]);
  }
}

/// Terms are at least 0, so that what is beyond its reach after some features stays there.
template <class Term>
inline Mask filter(std::size_t d, const float* reach, const Term& term) {
  Wide even[wide_vectors] = {};
  Wide odd[wide_vectors] = {};
  Mask mask = ~Mask{0};
  for (std::size_t j = 0; j < d && mask != 0; j += features_between_looks) {
    add_terms(j, j + features_between_looks < d ? j + features_between_looks : d, term, even, odd);
    Wide sums[wide_vectors];
    for (int v = 0; v < wide_vectors; v++) sums[v] = even[v] + odd[v];
    mask = at_most(sums, reach);
  }
  return mask;
}

inline Wide plus_square(Wide value, Wide sum) {
#if defined(__AVX512F__)
  return reinterpret_cast<Wide>(_mm512_fmadd_ps(value, value, sum));
#elif defined(__FMA__)
  return reinterpret_cast<Wide>(_mm256_fmadd_ps(value, value, sum));
#else
  return sum + value * value;
#endif
}

Mask within(const float* columns, const float* row, std::size_t d, const float* reach) {
  return filter(d, reach, [=](std::size_t j, int v, Wide sum) {
    return plus_square(wide_at(columns + j * group_points, v) - row[j], sum);
  });
}

inline Wide larger(Wide a, Wide b) { return a > b ? a : b; }

Mask touching(const float* boxes, const float* row, std::size_t d, const float* reach) {
  return filter(d, reach, [=](std::size_t j, int v, Wide sum) {
    const float* low = boxes + 2 * j * group_points;
    const Wide outside = larger(wide_at(low, v) - row[j], row[j] - wide_at(low + group_points, v));
    return plus_square(larger(outside, Wide{}), sum);
  });
}

/// Of vector `v` of a group.
inline Doubles distance_of(const float* columns, const double* row, std::size_t d, int v) {
  Doubles sum{};
  for (std::size_t j = 0; j < d; j++) {
    const Floats& floats = reinterpret_cast<const Floats*>(columns + j * group_points)[v];
    const Doubles difference = __builtin_convertvector(floats, Doubles) - row[j];
    sum = sum + difference * difference;
  }
  return sum;
}

/// Whether vector `v` holds one of the points.
inline bool is_asked(Mask points, int v) { return (points >> (v * width) & ((Mask{1} << width) - 1)) != 0; }

double gain(const float* columns, const double* row, std::size_t d, Mask points, const double* nearest) {
  Doubles total{};
  for (int v = 0; v < vectors; v++) {
    if (!is_asked(points, v)) continue;
    const Doubles lowered = at(nearest, v) - distance_of(columns, row, d, v);
    total = total + (lowered > 0 ? lowered : Doubles{});
  }
  double sum = 0;
  for (int lane = 0; lane < width; lane++) sum += total[lane];
  return sum;
}

Mask closer(const float* columns, const double* row, std::size_t d, Mask points, const double* nearest,
            double* distances) {
  Mask mask = 0;
  for (int v = 0; v < vectors; v++) {
    if (!is_asked(points, v)) continue;
    at(distances, v) = distance_of(columns, row, d, v);
    for (int i = v * width; i < (v + 1) * width; i++) mask |= static_cast<Mask>(distances[i] < nearest[i]) << i;
  }
  return mask;
}

float largest(const float* values) {
  Wide most = wide_at(values, 0);
  for (int v = 1; v < wide_vectors; v++) most = larger(most, wide_at(values, v));
  float answer = most[0];
  for (int lane = 1; lane < wide; lane++) answer = most[lane] > answer ? most[lane] : answer;
  return answer;
}

constexpr FilterKernels filters{within, touching, gain, closer, largest};

}  // namespace
}  // namespace centroid_lab

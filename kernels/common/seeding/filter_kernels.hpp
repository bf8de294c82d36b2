// Body of filters.hpp, compiled once per instruction set beside group_kernels.hpp, whose vectors of doubles it uses.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/// The lowest bit of each lane's comparison.
inline Mask bits_of(WideBits holds) {
#if defined(__AVX512F__)
  return static_cast<Mask>(_mm512_movepi32_mask(reinterpret_cast<__m512i>(holds)));
#elif defined(__AVX2__)
  return static_cast<Mask>(_mm256_movemask_ps(reinterpret_cast<__m256>(holds)));
#elif defined(__SSE2__)
  return static_cast<Mask>(_mm_movemask_ps(reinterpret_cast<__m128>(holds)));
#else
  Mask mask = 0;
  for (int lane = 0; lane < wide; lane++) mask |= (holds[lane] != 0 ? Mask{1} : Mask{0}) << lane;
  return mask;
#endif
}

inline Mask bits_of(Integers holds) {
#if defined(__AVX512F__)
  return static_cast<Mask>(_mm512_movepi64_mask(reinterpret_cast<__m512i>(holds)));
#elif defined(__AVX2__)
  return static_cast<Mask>(_mm256_movemask_pd(reinterpret_cast<__m256d>(holds)));
#elif defined(__SSE2__)
  return static_cast<Mask>(_mm_movemask_pd(reinterpret_cast<__m128d>(holds)));
#else
  Mask mask = 0;
  for (int lane = 0; lane < width; lane++) mask |= (holds[lane] != 0 ? Mask{1} : Mask{0}) << lane;
  return mask;
#endif
}

/// Bit i: values[i] <= most[i].
inline Mask at_most(const Wide (&values)[wide_vectors], const float* most) {
  Mask mask = 0;
  for (int v = 0; v < wide_vectors; v++) mask |= bits_of(values[v] <= wide_at(most, v)) << (v * wide);
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

/// Vectors that go through the features together where one of their points is asked for: one alone would take as long,
/// waiting for its additions.
constexpr int strand = 4;
constexpr Mask strand_points = strand * width == 32 ? ~Mask{0} : (Mask{1} << (strand * width)) - 1;

/// Calls visit(vector, squared distances) for all vectors with a point that is asked for, and some beside them.
template <class Visit>
inline void measure(const float* columns, const double* row, std::size_t d, Mask points, const Visit& visit) {
  for (int first = 0; first < vectors; first += strand) {
    if ((points >> (first * width) & strand_points) == 0) continue;
    Doubles sums[strand] = {};
    for (std::size_t j = 0; j < d; j++) {
      const Floats* floats = reinterpret_cast<const Floats*>(columns + j * group_points) + first;
      const double coordinate = row[j];
      for (int v = 0; v < strand; v++) {
        const Doubles difference = __builtin_convertvector(floats[v], Doubles) - coordinate;
        sums[v] = sums[v] + difference * difference;
      }
    }
    for (int v = 0; v < strand; v++) visit(first + v, sums[v]);
  }
}

double gain(const float* columns, const double* row, std::size_t d, Mask points, const double* nearest) {
  Doubles total{};
  measure(columns, row, d, points, [&](int v, Doubles squares) {
    const Doubles lowered = at(nearest, v) - squares;
    total = total + (lowered > 0 ? lowered : Doubles{});
  });
  double sum = 0;
  for (int lane = 0; lane < width; lane++) sum += total[lane];
  return sum;
}

Mask closer(const float* columns, const double* row, std::size_t d, Mask points, const double* nearest,
            double* distances) {
  Mask mask = 0;
  measure(columns, row, d, points, [&](int v, Doubles squares) {
    at(distances, v) = squares;
    mask |= bits_of(squares < at(nearest, v)) << (v * width);
  });
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

// Exact sums: float32 coordinates as 64-bit fixed-point numbers. Integer addition is associative, so sums do
// not depend on threads, order or history, and a point can be taken out of a sum without a trace.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "aligned.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Scale of each feature: 2^(62 - ceil(log2 n) - e) with max_abs < 2^e, so that n summands stay below 2^62.
/// A coordinate is rounded to a multiple of 1/scale: at n = 2^20 that is 2^-42 of the feature's range a point,
/// and nothing at all for a coordinate above 2^-19 of it.
class FixedPoint {
 public:
  FixedPoint() = default;

  explicit FixedPoint(const Points& points) : scale_(points.d), unit_(points.d) {
    const int bits = bits_for(points.whole_n());
    for (std::size_t j = 0; j < points.d; j++) {
      int exponent = 0;
      std::frexp(points.max_abs[j], &exponent);
      // A float cannot hold a scale beyond 2^127, which only a feature below 2^-65 would ask for.
      const int power = std::min(62 - bits - exponent, 126);
      scale_[j] = std::ldexp(1.0F, power);
      unit_[j] = std::ldexp(1.0, -power);
    }
  }

  /// (d) multiply a coordinate by this before rounding to an integer.
  const float* scale() const { return scale_.data(); }

  std::size_t features() const { return unit_.size(); }

  /// (d) value of one step of the fixed-point number.
  double unit(std::size_t j) const { return unit_[j]; }

 private:
  static int bits_for(std::size_t n) {
    int bits = 0;
    while ((std::size_t{1} << bits) < n) bits++;
    return bits;
  }

  std::vector<float> scale_;
  std::vector<double> unit_;
};

/// Rounds to nearest, ties to even.
inline std::int64_t to_fixed(float coordinate, float scale) { return std::llrintf(coordinate * scale); }

/// Sums (k, d) and counts (k) of clusters, apart from what other threads add up.
struct ExactSums {
  Aligned<std::int64_t> sums;
  Aligned<std::int64_t> counts;

  void reset(std::size_t k, std::size_t d) {
    sums.assign(k * d, 0);
    counts.assign(k, 0);
  }

  void store(const FixedPoint& fixed, PassResult& result) const {
    result.counts.assign(counts.begin(), counts.end());
    if (result.wants_fixed) result.fixed.assign(sums.begin(), sums.end());
    store_sums(fixed, sums.data(), sums.size(), result);
  }

  /// The sums (k, d), of `size` numbers together, as float64.
  static void store_sums(const FixedPoint& fixed, const std::int64_t* from, std::size_t size, PassResult& result) {
    const std::size_t d = fixed.features();
    result.sums.resize(size);
    double* to = result.sums.data();
    for (const double* end = to + size; to < end; from += d, to += d) {
      for (std::size_t j = 0; j < d; j++) to[j] = static_cast<double>(from[j]) * fixed.unit(j);
    }
  }
};

}  // namespace centroid_lab

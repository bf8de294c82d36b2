// Which of two centroids is nearer to a point, in exact arithmetic over the float32 values: what float32 cannot decide
// (methods/canonical) is decided here, always. For the processor and for CUDA; WGSL has the same in integers.
//
// |x-a|^2 - |x-b|^2 is a sum of products of two float32, each of which float64 holds exactly; methods/canonical/proof.md
// derives the bounds. First a compensated float64 sum, which decides nearly everything and also ties where nothing was
// rounded (lattices, copies); then whole numbers, which decide what is left. No result here depends on contraction: a
// fused multiply-add of an exact product rounds as the addition alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define CENTROID_LAB_BOTH __host__ __device__
#else
#define CENTROID_LAB_BOTH
#endif

namespace centroid_lab {

/// Every `apart`-th float from `at` on: a row (1), or a column of a tile.
struct Strided {
  const float* at;
  std::size_t apart;
  CENTROID_LAB_BOTH float operator[](std::size_t j) const { return at[j * apart]; }
};

namespace exact {

/// A sum of exact float64 terms, with what its additions lost (Ogita, Rump & Oishi 2005, algorithm 4.4).
struct CompensatedSum {
  double sum = 0;
  double lost = 0;
  double magnitude = 0;
  double terms = 0;
  bool rounded = false;

  CENTROID_LAB_BOTH void add(double term) {
    const double next = sum + term;
    const double part = next - sum;
    const double error = (sum - (next - part)) + (term - part);
    sum = next;
    lost += error;
    rounded = rounded || error != 0;
    magnitude += term < 0 ? -term : term;
    terms += 1;
  }

  /// Sign of the exact sum. @returns 2 where it is not certain.
  CENTROID_LAB_BOTH int sign() const {
    const double found = sum + lost;
    const double bound = rounded ? 2 * terms * terms * 0x1p-106 * magnitude : 0;
    if (found > bound) return 1;
    if (found < -bound) return -1;
    return rounded ? 2 : 0;
  }
};

/// A sum of products of two float32 as a whole number of 2^-298, in digits of 32 bits that are carried at the end only.
struct WholeSum {
  /// 2^-298 * 2^(32 * 20): sums of 2^32 products of the largest float32 fit.
  static constexpr int digits = 20;
  std::int64_t digit[digits] = {};

  /// Adds p * q, or twice that, or takes it away.
  CENTROID_LAB_BOTH void add(float p, float q, bool twice, bool negative) {
    std::uint32_t first, second;
    std::memcpy(&first, &p, sizeof first);
    std::memcpy(&second, &q, sizeof second);
    const std::uint64_t product = static_cast<std::uint64_t>(mantissa(first)) * mantissa(second);
    const int place = exponent(first) + exponent(second) + (twice ? 1 : 0);
    const int shift = place % 32;
    const bool down = negative != (((first ^ second) >> 31) != 0);
    const std::uint64_t low = product << shift;
    const std::uint64_t high = shift == 0 ? 0 : product >> (64 - shift);
    put(place / 32, static_cast<std::int64_t>(low & 0xffffffffu), down);
    put(place / 32 + 1, static_cast<std::int64_t>(low >> 32), down);
    put(place / 32 + 2, static_cast<std::int64_t>(high), down);
  }

  CENTROID_LAB_BOTH int sign() const {
    std::int64_t carry = 0;
    bool any = false;
    for (int i = 0; i < digits; i++) {
      const std::int64_t value = digit[i] + carry;
      any = any || (value & 0xffffffff) != 0;
      carry = value >> 32;
    }
    if (carry < 0) return -1;
    return any || carry > 0 ? 1 : 0;
  }

 private:
  CENTROID_LAB_BOTH void put(int at, std::int64_t value, bool down) { digit[at] += down ? -value : value; }

  /// A float32 is mantissa * 2^(exponent - 149); subnormal ones have no leading 1.
  CENTROID_LAB_BOTH static std::uint32_t mantissa(std::uint32_t bits) {
    return (bits & 0x7fffffu) | ((bits & 0x7f800000u) != 0 ? 0x800000u : 0u);
  }
  CENTROID_LAB_BOTH static int exponent(std::uint32_t bits) {
    const int field = static_cast<int>((bits >> 23) & 0xffu);
    return field == 0 ? 0 : field - 1;
  }
};

/// Adds `sign` * (|x-a|^2 - |x|^2).
template <class X, class A>
CENTROID_LAB_BOTH inline void add_relative(CompensatedSum& sum, const X& x, const A& a, std::size_t j, double sign) {
  const double centre = sign * static_cast<double>(a[j]);
  sum.add(centre * static_cast<double>(a[j]));
  sum.add(-2.0 * static_cast<double>(x[j]) * centre);
}

template <class X, class A>
CENTROID_LAB_BOTH inline void add_relative(WholeSum& sum, const X& x, const A& a, std::size_t j, bool negative) {
  sum.add(a[j], a[j], false, negative);
  sum.add(x[j], a[j], true, !negative);
}

}  // namespace exact

/// Sign of |x-a|^2 - |x-b|^2: -1 where a is nearer, 1 where b is, 0 where both are as near. d finite coordinates each, of
/// anything indexed by the feature (a row, Strided).
template <class X, class A, class B>
CENTROID_LAB_BOTH inline int exact_order(const X& x, const A& a, const B& b, std::size_t d) {
  exact::CompensatedSum sum;
  for (std::size_t j = 0; j < d; j++) {
    exact::add_relative(sum, x, a, j, 1.0);
    exact::add_relative(sum, x, b, j, -1.0);
  }
  const int sign = sum.sign();
  if (sign != 2) return sign;
  exact::WholeSum whole;
  for (std::size_t j = 0; j < d; j++) {
    exact::add_relative(whole, x, a, j, false);
    exact::add_relative(whole, x, b, j, true);
  }
  return whole.sign();
}

/// Sign of |x-a|^2 - |y-b|^2, of two points to a centroid each (`farthest`).
template <class X, class A, class Y, class B>
CENTROID_LAB_BOTH inline int exact_order(const X& x, const A& a, const Y& y, const B& b, std::size_t d) {
  exact::CompensatedSum sum;
  for (std::size_t j = 0; j < d; j++) {
    sum.add(static_cast<double>(x[j]) * static_cast<double>(x[j]));
    exact::add_relative(sum, x, a, j, 1.0);
    sum.add(-(static_cast<double>(y[j]) * static_cast<double>(y[j])));
    exact::add_relative(sum, y, b, j, -1.0);
  }
  const int sign = sum.sign();
  if (sign != 2) return sign;
  exact::WholeSum whole;
  for (std::size_t j = 0; j < d; j++) {
    whole.add(x[j], x[j], false, false);
    exact::add_relative(whole, x, a, j, false);
    whole.add(y[j], y[j], false, true);
    exact::add_relative(whole, y, b, j, true);
  }
  return whole.sign();
}

/// The nearest of several centroids, lowest position among equals: `centroid(position)` for each of 0..count-1 tells
/// coordinates, in ascending order of what ties go by.
template <class X, class Centroid>
CENTROID_LAB_BOTH inline std::size_t exact_nearest(const X& x, std::size_t count, std::size_t d,
                                                   const Centroid& centroid) {
  std::size_t best = 0;
  for (std::size_t at = 1; at < count; at++) {
    if (exact_order(x, centroid(at), centroid(best), d) < 0) best = at;
  }
  return best;
}

}  // namespace centroid_lab

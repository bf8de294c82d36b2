// Four float32 lanes in the compiler's own vector type: any processor. Products and sums are rounded apart.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace centroid_lab {
namespace {

struct Vectors {
  using Floats = float __attribute__((vector_size(16)));
  using Integers = std::int32_t __attribute__((vector_size(16)));
  using Mask = Integers;
  static constexpr int lanes = 4;
  static constexpr int block_vectors = 2;
  static constexpr int block_centroids = 4;

  static Floats load(const float* from) {
    Floats value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  /// Few registers: the compiler may load it for each use.
  static Floats hold(const float* from) { return load(from); }
  static Floats all(float value) { return Floats{value, value, value, value}; }
  static Integers all(std::int32_t value) { return Integers{value, value, value, value}; }
  static void store(std::int32_t* to, Integers value) { std::memcpy(to, &value, sizeof value); }
  static void store(float* to, Floats value) { std::memcpy(to, &value, sizeof value); }
  static Floats add(Floats a, Floats b) { return a + b; }
  static Floats subtract(Floats a, Floats b) { return a - b; }
  /// sum + a * b
  static Floats add_product(Floats a, Floats b, Floats sum) { return sum + a * b; }
  /// sum - a * b
  static Floats subtract_product(Floats a, Floats b, Floats sum) { return sum - a * b; }
  static Floats smaller(Floats a, Floats b) { return choose(a < b, a, b); }
  static Floats larger(Floats a, Floats b) { return choose(a > b, a, b); }
  /// As `smaller` and `larger`, of numbers that are not negative.
  static Floats smaller_size(Floats a, Floats b) { return smaller(a, b); }
  static Floats larger_size(Floats a, Floats b) { return larger(a, b); }
  static Floats root(Floats a) { return Floats{sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }
  static Mask is_less(Floats a, Floats b) { return a < b; }
  static Floats choose(Mask mask, Floats yes, Floats no) {
    return reinterpret_cast<Floats>((mask & reinterpret_cast<Integers>(yes)) |
                                    (~mask & reinterpret_cast<Integers>(no)));
  }
  static Integers choose(Mask mask, Integers yes, Integers no) { return (mask & yes) | (~mask & no); }
  static Mask is_at_most(Floats a, Floats b) { return a <= b; }
  static Floats magnitude(Floats a) { return choose(a < all(0.0F), -a, a); }
  static Integers add(Integers a, Integers b) { return a + b; }
  /// a with the bits of `mask` taken from `number`, which has no others.
  static Floats tagged(Floats a, Integers mask, Integers number) {
    return reinterpret_cast<Floats>((reinterpret_cast<Integers>(a) & ~mask) | number);
  }
  static Integers tag_of(Floats a, Integers mask) { return reinterpret_cast<Integers>(a) & mask; }
  static Floats multiply(Floats a, Floats b) { return a * b; }
  /// The same lanes in float64.
  using Doubles = double __attribute__((vector_size(16)));
  struct Wide {
    Doubles low;
    Doubles high;
  };
  static Wide load_wide(const double* from) { return {Doubles{from[0], from[1]}, Doubles{from[2], from[3]}}; }
  static void store_wide(double* to, Wide value) {
    std::memcpy(to, &value.low, sizeof value.low);
    std::memcpy(to + 2, &value.high, sizeof value.high);
  }
  static Wide add_wide(Wide sum, Floats value) {
    return {sum.low + Doubles{value[0], value[1]}, sum.high + Doubles{value[2], value[3]}};
  }
  static float sum_of_lanes(Floats a) { return (a[0] + a[1]) + (a[2] + a[3]); }
  static float smallest_lane(Floats a) {
    const float low = a[0] < a[1] ? a[0] : a[1];
    const float high = a[2] < a[3] ? a[2] : a[3];
    return low < high ? low : high;
  }
  static std::uint32_t bits(Mask mask) {
    return (mask[0] & 1U) | (mask[1] & 2U) | (mask[2] & 4U) | (mask[3] & 8U);
  }
};

/// Bits of the 4 labels that are not the ones kept.
template <class Label>
inline std::uint32_t differing(const std::int32_t* labels, const Label* kept) {
  std::uint32_t bits = 0;
  for (int lane = 0; lane < 4; lane++) bits |= static_cast<std::uint32_t>(labels[lane] != kept[lane]) << lane;
  return bits;
}

/// Adds the point, as fixed-point numbers, to `to` and takes it from `from` (unless null).
inline void move_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  for (std::size_t j = 0; j < d; j++) {
    const std::int64_t fixed = llrintf(row[j] * scale[j]);
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

/// As `move_row`; behind the sums there is room up to a multiple of eight.
inline void move_padded_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  move_row(row, scale, d, to, from);
}

/// As `move_padded_row`, for a point whose coordinates are `apart` floats from each other.
template <std::size_t apart>
inline void move_padded_column(const float* point, const float* scale, std::size_t d, std::int64_t* to,
                               std::int64_t* from) {
  for (std::size_t j = 0; j < d; j++) {
    const std::int64_t fixed = llrintf(point[j * apart] * scale[j]);
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

/// Eight columns, one every `apart` floats, become eight rows, one every `row_apart`; from the `count`-th on (at least 1) the
/// last column is taken again.
inline void transpose_eight(const float* from, std::size_t apart, std::size_t count, float* to, std::size_t row_apart) {
  for (std::size_t j = 0; j < 8; j++) {
    for (std::size_t p = 0; p < 8; p++) to[p * row_apart + j] = from[(j < count ? j : count - 1) * apart + p];
  }
}

}  // namespace
}  // namespace centroid_lab

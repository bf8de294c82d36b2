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
  static Floats all(float value) { return Floats{value, value, value, value}; }
  static Integers all(std::int32_t value) { return Integers{value, value, value, value}; }
  static void store(std::int32_t* to, Integers value) { std::memcpy(to, &value, sizeof value); }
  static Floats subtract(Floats a, Floats b) { return a - b; }
  /// sum + a * b
  static Floats add_product(Floats a, Floats b, Floats sum) { return sum + a * b; }
  /// sum - a * b
  static Floats subtract_product(Floats a, Floats b, Floats sum) { return sum - a * b; }
  static Floats smaller(Floats a, Floats b) { return choose(a < b, a, b); }
  static Floats larger(Floats a, Floats b) { return choose(a > b, a, b); }
  static Floats root(Floats a) { return Floats{sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }
  static Mask is_less(Floats a, Floats b) { return a < b; }
  static Floats choose(Mask mask, Floats yes, Floats no) {
    return reinterpret_cast<Floats>((mask & reinterpret_cast<Integers>(yes)) |
                                    (~mask & reinterpret_cast<Integers>(no)));
  }
  static Integers choose(Mask mask, Integers yes, Integers no) { return (mask & yes) | (~mask & no); }
  static std::uint32_t bits(Mask mask) {
    return (mask[0] & 1U) | (mask[1] & 2U) | (mask[2] & 4U) | (mask[3] & 8U);
  }
};

/// Eight float32 lanes: the centroids of one block.
struct Eight {
  float value[8];
  static Eight load(const float* from) {
    Eight eight;
    std::memcpy(eight.value, from, sizeof eight.value);
    return eight;
  }
  static Eight all(float value) { return {{value, value, value, value, value, value, value, value}}; }
  void add_square_of_difference(float point, const Eight& centroids) {
    for (int lane = 0; lane < 8; lane++) {
      const float difference = point - centroids.value[lane];
      value[lane] += difference * difference;
    }
  }
  float smallest() const {
    float least = value[0];
    for (int lane = 1; lane < 8; lane++) least = value[lane] < least ? value[lane] : least;
    return least;
  }
  /// Lanes that equal `wanted`, lowest first.
  std::uint32_t equal_to(float wanted) const {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < 8; lane++) bits |= static_cast<std::uint32_t>(value[lane] == wanted) << lane;
    return bits;
  }
};

/// Adds the point, as fixed-point numbers, to `to` and takes it from `from` (unless null).
inline void move_row(const float* row, const float* scale, std::size_t d, std::int64_t* to, std::int64_t* from) {
  for (std::size_t j = 0; j < d; j++) {
    const std::int64_t fixed = llrintf(row[j] * scale[j]);
    to[j] += fixed;
    if (from != nullptr) from[j] -= fixed;
  }
}

}  // namespace
}  // namespace centroid_lab

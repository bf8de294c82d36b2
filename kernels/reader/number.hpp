// Cells as numbers, by the rules of src/engine/csv/number.ts: the same kinds, the same float64 to the last bit.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace centroid_lab::reader {

/// Whole numbers up to here are exact in float64, and so are the numbers of digits below.
inline constexpr double max_safe_integer = 9007199254740991.0;
inline constexpr int exact_digits = 15;
/// More do not fit into 64 bits.
inline constexpr int max_digits = 19;

enum class CellKind : std::uint8_t { number, missing, infinite, other };

struct ReadCell {
  CellKind kind;
  /// Finite, where the kind is `number`.
  double value;
};

/// What a whole cell is. @param mark the decimal mark
ReadCell classify(std::string_view cell, char mark);

/// Without the blanks that JavaScript's `trim` removes, of valid UTF-8.
std::string_view trimmed(std::string_view text);

/// Digits of a whole number beyond 2^53, with blanks and a sign perhaps, that `value`, read from them, does not hold.
bool is_coarse(std::string_view cell, double value);

/// significand * 10^-decimals, rounded once. @param significand of at most 19 digits
double rounded_quotient(std::uint64_t significand, int decimals, bool negative);

inline constexpr std::array<std::uint64_t, 9> whole_powers{1,      10,      100,      1000,     10000,
                                                           100000, 1000000, 10000000, 100000000};
inline constexpr std::array<double, 16> float_powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// Up to eight digits at one place.
struct Digits {
  int count;
  std::uint64_t value;
};

inline Digits eight_digits(const char* at) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first character is the lowest byte");
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  bytes ^= 0x3030303030303030;
  // The high bit of every byte beyond 9; a carry spoils bytes behind the first of them only.
  const std::uint64_t beyond = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
  int count = 8;
  if (beyond != 0) {
    count = __builtin_ctzll(beyond) >> 3;
    bytes = (bytes << 1) << (63 - 8 * count);
  }
  bytes = bytes * 10 + (bytes >> 8);
  const std::uint64_t value = ((bytes & 0x000000ff000000ff) * 0x000f424000000064 +
                               ((bytes >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
                              32;
  return {count, value & 0xffffffff};
}

/// Takes digits at `at` into `whole`; stops behind them, or where they are too many. @returns how many
inline int take_digits(const char*& at, std::uint64_t& whole) {
  int taken = 0;
  for (;;) {
    const Digits next = eight_digits(at);
    whole = whole * whole_powers[static_cast<std::size_t>(next.count)] + next.value;
    taken += next.count;
    at += next.count;
    if (next.count < 8 || taken > max_digits) return taken;
  }
}

/// A sign, digits and at most one mark, as most numbers are written. Reads up to 8 bytes behind them.
/// @returns behind the number; null where it is none of these, or one to be looked at as a whole cell
inline const char* plain_number(const char* at, char mark, double& value) {
  const bool negative = *at == '-';
  if (negative) at++;
  std::uint64_t whole = 0;
  int digits = take_digits(at, whole);
  int decimals = 0;
  if (*at == mark) {
    at++;
    decimals = take_digits(at, whole);
    digits += decimals;
  }
  if (digits == 0 || digits > max_digits) return nullptr;
  if (digits > exact_digits) {
    value = rounded_quotient(whole, decimals, negative);
    return std::abs(value) > max_safe_integer ? nullptr : at;
  }
  const double magnitude = static_cast<double>(whole) / float_powers[static_cast<std::size_t>(decimals)];
  value = negative ? -magnitude : magnitude;
  return at;
}

}  // namespace centroid_lab::reader

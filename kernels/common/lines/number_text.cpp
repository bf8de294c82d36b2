#include "lines/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace centroid_lab {
namespace {

/// value = 0.d1 d2 d3 ... x 10^point
struct Decimal {
  char digits[20];
  int count = 0;
  int point = 0;
};

/// @param value positive and finite
Decimal shortest_decimal(double value) {
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const char* exponent = std::find(static_cast<const char*>(text), end, 'e');
  Decimal decimal;
  for (const char* at = text; at < exponent; at++) {
    if (*at != '.') decimal.digits[decimal.count++] = *at;
  }
  // from_chars knows no plus sign.
  std::from_chars(exponent + (exponent[1] == '+' ? 2 : 1), end, decimal.point);
  decimal.point++;
  return decimal;
}

char* with_exponent(const Decimal& decimal, char mark, char* to) {
  *to++ = decimal.digits[0];
  if (decimal.count > 1) {
    *to++ = mark;
    to = std::copy(decimal.digits + 1, decimal.digits + decimal.count, to);
  }
  const int exponent = decimal.point - 1;
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  return std::to_chars(to, to + 4, std::abs(exponent)).ptr;
}

}  // namespace

char* number_text(double value, char mark, char* to) {
  if (!std::isfinite(value)) return to;
  // Whole numbers, 0 among them, that are exact have the same digits either way, and sooner so.
  constexpr double exact = 9007199254740992.0;
  if (std::fabs(value) < exact && value == std::trunc(value)) {
    return std::to_chars(to, to + longest_number, static_cast<std::int64_t>(value)).ptr;
  }
  if (value < 0) *to++ = '-';
  // Limits of ECMAScript, Number::toString.
  constexpr int max_whole_digits = 21;
  constexpr int max_leading_zeros = 5;
  const Decimal decimal = shortest_decimal(std::fabs(value));
  const auto [first, last] = std::pair(decimal.digits, decimal.digits + decimal.count);
  const int point = decimal.point;
  if (point > max_whole_digits || point < -max_leading_zeros) return with_exponent(decimal, mark, to);
  if (point >= decimal.count) return std::fill_n(std::copy(first, last, to), point - decimal.count, '0');
  if (point > 0) {
    to = std::copy(first, first + point, to);
    *to++ = mark;
    return std::copy(first + point, last, to);
  }
  *to++ = '0';
  *to++ = mark;
  return std::copy(first, last, std::fill_n(to, -point, '0'));
}

}  // namespace centroid_lab

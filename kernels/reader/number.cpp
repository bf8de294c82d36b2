#include "number.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <string>

namespace centroid_lab::reader {
namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Bytes of the blank character that begins at `at`; 0 where there is none.
std::size_t blank_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  const unsigned first = byte(0);
  if (first == ' ' || (first >= '\t' && first <= '\r')) return 1;
  if (first == 0xc2) return byte(1) == 0xa0 ? 2 : 0;
  const unsigned rest = byte(1) << 8 | byte(2);
  if (first == 0xe1) return rest == 0x9a80 ? 3 : 0;
  if (first == 0xe2) {
    const bool is_blank = (rest >= 0x8080 && rest <= 0x808a) || rest == 0x80a8 || rest == 0x80a9 || rest == 0x80af;
    return is_blank || rest == 0x819f ? 3 : 0;
  }
  if (first == 0xe3) return rest == 0x8080 ? 3 : 0;
  return first == 0xef && rest == 0xbbbf ? 3 : 0;
}

/// Bytes of the blank character that ends at `end`.
std::size_t blank_before(std::string_view text, std::size_t end) {
  for (std::size_t size = 1; size <= std::min<std::size_t>(3, end); size++) {
    if (blank_at(text.substr(0, end), end - size) == size) return size;
  }
  return 0;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) at++;
  return at;
}

/// [+-]? (digits mark? digits? | mark digits) (e [+-]? digits)?
bool is_written_number(std::string_view text, char mark) {
  std::size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const std::size_t begin = at;
  at = skip_digits(text, at);
  std::size_t digits = at - begin;
  if (at < text.size() && text[at] == mark) {
    const std::size_t behind = skip_digits(text, at + 1);
    digits += behind - at - 1;
    at = behind;
  }
  if (digits == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  at++;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
  return at < text.size() && skip_digits(text, at) == text.size();
}

double value_of(std::string_view text, char mark) {
  if (text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const fast_float::parse_options options{fast_float::chars_format::general, mark};
  fast_float::from_chars_advanced(text.data(), text.data() + text.size(), value, options);
  return value;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  const auto same = [](char byte, char of_word) { return (byte >= 'A' && byte <= 'Z' ? byte + 32 : byte) == of_word; };
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), same);
  });
}

/// Whole numbers of up to 192 bits.
struct WideNumber {
  std::array<std::uint64_t, 3> limbs{};

  void add_digit(unsigned digit) {
    unsigned __int128 carry = digit;
    for (std::uint64_t& limb : limbs) {
      carry += static_cast<unsigned __int128>(limb) * 10;
      limb = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
};

/// Of a whole number below 2^192.
WideNumber widened(double whole) {
  WideNumber wide;
  for (std::size_t limb = wide.limbs.size(); limb-- > 0;) {
    const double unit = std::ldexp(1.0, static_cast<int>(64 * limb));
    const double part = std::floor(whole / unit);
    wide.limbs[limb] = static_cast<std::uint64_t>(part);
    whole -= part * unit;
  }
  return wide;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (const std::size_t size = blank_at(text, 0)) text.remove_prefix(size);
  while (const std::size_t size = blank_before(text, text.size())) text.remove_suffix(size);
  return text;
}

ReadCell classify(std::string_view cell, char mark) {
  const std::string_view text = trimmed(cell);
  if (is_written_number(text, mark)) {
    const double value = value_of(text, mark);
    return {std::isfinite(value) ? CellKind::number : CellKind::infinite, value};
  }
  if (text.empty() || is_one_of(text, {"na", "nan", "null", "?", "-"})) return {CellKind::missing, 0};
  const std::string_view unsigned_text = text.substr(text[0] == '+' || text[0] == '-' ? 1 : 0);
  return {is_one_of(unsigned_text, {"inf", "infinity"}) ? CellKind::infinite : CellKind::other, 0};
}

double rounded_quotient(std::uint64_t significand, int decimals, bool negative) {
  using Format = fast_float::binary_format<double>;
  const fast_float::adjusted_mantissa rounded = fast_float::compute_float<Format>(-decimals, significand);
  double value = 0;
  if (rounded.power2 >= 0) {
    fast_float::to_float(negative, rounded, value);
    return value;
  }
  std::string text = std::to_string(significand);
  text += "e-";
  text += std::to_string(decimals);
  value = value_of(text, '.');
  return negative ? -value : value;
}

bool is_coarse(std::string_view cell, double value) {
  std::string_view digits = trimmed(cell);
  if (digits[0] == '+' || digits[0] == '-') digits.remove_prefix(1);
  if (digits.size() < 16 || digits.size() > 40 || skip_digits(digits, 0) != digits.size()) return false;
  WideNumber written;
  for (const char digit : digits) written.add_digit(static_cast<unsigned>(digit - '0'));
  return written.limbs != widened(std::abs(value)).limbs;
}

}  // namespace centroid_lab::reader

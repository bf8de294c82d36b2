// Cells between delimiters that are found 64 bytes at a time, and numbers of up to fifteen digits by their sixteen bytes: no number
// waits for the one before it. What is inline elsewhere is not called here: the linker might take its code for machines without AVX2.
#include <immintrin.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "plain_cells.hpp"

namespace centroid_lab::reader {
namespace {

/// Bytes of a number that are looked at, those before its end, and digits that it may have.
constexpr int number_bytes = 16, max_exact_digits = 15;

/// 10^0 to 10^15, exact.
constexpr double powers[number_bytes] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

using Order = std::array<std::uint8_t, number_bytes>;
constexpr int no_mark = number_bytes;

/// [decimals][digits]: so many digits move to the end, zeros before them, without the mark that so many follow; `no_mark`: there is none.
constexpr auto make_orders() {
  std::array<std::array<Order, number_bytes>, number_bytes + 1> orders{};
  for (int decimals = 0; decimals <= no_mark; decimals++) {
    for (int digits = 0; digits < number_bytes; digits++) {
      for (int back = 0; back < number_bytes; back++) {
        const int from = number_bytes - 1 - back - (back >= decimals ? 1 : 0);
        orders[decimals][digits][number_bytes - 1 - back] = static_cast<std::uint8_t>(back < digits && from >= 0 ? from : 0x80);
      }
    }
  }
  return orders;
}

alignas(64) constexpr auto orders = make_orders();

/// The bytes before `end`; any others before `text`.
inline __m128i bytes_before(const char* end, const char* text) {
  if (end - text >= number_bytes) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - number_bytes));
  char bytes[number_bytes] = {};
  std::memcpy(bytes + number_bytes - (end - text), text, static_cast<std::size_t>(end - text));
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

/// The number that the bytes from `begin` to before `end` are.
inline bool read_number(const char* begin, const char* end, const char* text, char mark, double& value) {
  const std::ptrdiff_t length = end - begin;
  if (length > number_bytes || length <= 0) return false;
  const __m128i bytes = bytes_before(end, text);
  const __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  const __m128i beyond = _mm_cmpeq_epi8(_mm_max_epu8(digits, _mm_set1_epi8(10)), digits);
  const unsigned negative = *begin == '-';
  // Of the number's bytes those that are no digits, but for the sign.
  const unsigned others = static_cast<unsigned>(_mm_movemask_epi8(beyond)) >> (number_bytes - length) & ~negative;
  int decimals = 0, order = no_mark;
  if (others != 0) {
    const int at = __builtin_ctz(others);
    if ((others & (others - 1)) != 0 || begin[at] != mark) return false;
    order = decimals = static_cast<int>(length) - at - 1;
  }
  const int count = static_cast<int>(length) - static_cast<int>(negative) - (others != 0);
  if (count <= 0 || count > max_exact_digits) return false;
  // By two, four and eight digits.
  __m128i parts = _mm_shuffle_epi8(digits, _mm_load_si128(reinterpret_cast<const __m128i*>(orders[order][count].data())));
  parts = _mm_maddubs_epi16(parts, _mm_set1_epi16(0x010a));
  parts = _mm_madd_epi16(parts, _mm_set1_epi32(0x00010064));
  parts = _mm_packus_epi32(parts, parts);
  parts = _mm_madd_epi16(parts, _mm_set1_epi32(0x00012710));
  const auto halves = static_cast<std::uint64_t>(_mm_cvtsi128_si64(parts));
  const std::uint64_t whole = (halves & 0xffffffff) * 100000000 + (halves >> 32);
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(whole)) / powers[decimals];
  // Signs follow no pattern that a branch could be foretold by.
  std::uint64_t bits;
  std::memcpy(&bits, &magnitude, sizeof bits);
  bits |= static_cast<std::uint64_t>(negative) << 63;
  std::memcpy(&value, &bits, sizeof value);
  return true;
}

/// Delimiters, line ends and quotes, one behind the other.
class Stops {
 public:
  Stops(const char* at, const LineForm& line)
      : block_(at), delimiter_(_mm256_set1_epi8(line.delimiter)),
        quote_(_mm256_set1_epi8(line.quote != '\0' ? line.quote : line.delimiter)), left_(found()) {}

  /// There is always one more: lines end.
  const char* next() {
    while (left_ == 0) {
      block_ += 64;
      left_ = found();
    }
    const char* const stop = block_ + __builtin_ctzll(left_);
    left_ &= left_ - 1;
    return stop;
  }

 private:
  std::uint64_t found() const { return found_in(block_) | static_cast<std::uint64_t>(found_in(block_ + 32)) << 32; }

  std::uint32_t found_in(const char* at) const {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i cuts = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, delimiter_), _mm256_cmpeq_epi8(bytes, quote_));
    const __m256i ends = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n')),
                                         _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r')));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_or_si256(cuts, ends)));
  }

  const char* block_;
  __m256i delimiter_, quote_;
  std::uint64_t left_;
};

void read_cells(const PlainCells& cells, CellPosition& position, LineEnds& ends) {
  const LineForm line = cells.line;
  const bool has_quote = line.quote != '\0', begins_row = position.cell == 0;
  const char* at = position.at;
  std::size_t row = position.row, cell = position.cell;
  Stops stops(at, line);
  for (;;) {
    double* const target = cell < cells.width ? cells.targets[cell] : nullptr;
    if (target == nullptr) break;
    const char* begin = at;
    const char* end = stops.next();
    const char* stop = end;
    if (has_quote && *begin == line.quote) {
      begin++;
      end = stops.next();
      stop = stops.next();
      if (*end != line.quote || stop != end + 1) break;
    }
    const bool is_last = *stop != line.delimiter;
    if (is_last && has_quote && *stop == line.quote) break;
    if (!read_number(begin, end, cells.text, line.decimal, target[row])) break;
    cell++;
    if (!is_last) {
      at = stop + 1;
      continue;
    }
    if (cell != cells.width || !begins_row) {
      position = {stop, row, cell, true};
      return;
    }
    at = behind_line_end(stop, ends);
    row++;
    cell = 0;
    if (at >= cells.end) break;
    // The second half of a line end.
    if (at != stop + 1) stops.next();
  }
  position = {at, row, cell, false};
}

}  // namespace

const ReadPlainCells avx2_plain_cells = read_cells;

}  // namespace centroid_lab::reader

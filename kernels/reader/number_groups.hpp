// Numbers of up to fifteen digits by the sixteen bytes before their ends, one or many at once, with AVX2. For files that are built
// for it: what is inline elsewhere is not called here, since the linker might take its code for machines without it.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "plain_cells.hpp"

namespace centroid_lab::reader {
namespace {

/// Bytes of a number that are looked at, those before its end, and digits that it may have.
constexpr int number_bytes = 16, max_exact_digits = 15;

/// By 1 + the decimals of a number, 0 where it has no mark: what its digits are divided by, exact.
constexpr double powers[number_bytes + 1] = {1e0, 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

using Order = std::array<std::uint8_t, number_bytes>;

/// [0 without a mark, else 1 + decimals][bytes without the sign]: digits move to the end, zeros before them, without the mark.
constexpr auto make_orders() {
  std::array<std::array<Order, 2 * number_bytes>, number_bytes + 1> orders{};
  for (int mark = 0; mark <= number_bytes; mark++) {
    for (int bytes = 0; bytes <= number_bytes; bytes++) {
      const int digits = bytes - (mark > 0 ? 1 : 0);
      for (int back = 0; back < number_bytes; back++) {
        const int from = number_bytes - 1 - back - (mark > 0 && back >= mark - 1 ? 1 : 0);
        orders[mark][bytes][number_bytes - 1 - back] = static_cast<std::uint8_t>(back < digits && from >= 0 ? from : 0x80);
      }
    }
  }
  return orders;
}

alignas(64) constexpr auto orders = make_orders();

inline __m128i order_of(unsigned mark, unsigned bytes) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(orders[mark][bytes].data()));
}

/// What the sixteen bytes before a number's end tell about it.
struct Shape {
  /// 1 where it begins with a minus.
  unsigned negative;
  /// Bytes without that.
  unsigned bytes;
  /// 0 where it has no mark, else 1 + its decimals.
  unsigned mark;
  bool plain;
};

/// @param others, marks bits of the sixteen bytes that are neither digit nor mark, and that are marks
inline Shape shape_of(const char* begin, unsigned length, unsigned others, unsigned marks) {
  const unsigned before = number_bytes - length;
  const unsigned negative = *begin == '-';
  const unsigned own = marks >> before;
  const unsigned mark = length - static_cast<unsigned>(__builtin_ctz(own | 1u << length));
  const unsigned bytes = length - negative;
  const unsigned digits = bytes - (own != 0);
  const bool plain = ((others >> before ^ negative) | (own & (own - 1))) == 0 && digits - 1 < max_exact_digits;
  return {negative, bytes, mark, plain};
}

/// The bytes before `end`; any others before `text`.
inline __m128i bytes_before(const char* end, const char* text) {
  if (end - text >= number_bytes) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - number_bytes));
  char bytes[number_bytes] = {};
  std::memcpy(bytes + number_bytes - (end - text), text, static_cast<std::size_t>(end - text));
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

/// Digits, each a byte with its value, in the order of `orders`: by two, four and eight of them.
inline __m128i by_eight(__m128i digits) {
  digits = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a));
  digits = _mm_madd_epi16(digits, _mm_set1_epi32(0x00010064));
  digits = _mm_packus_epi32(digits, digits);
  return _mm_madd_epi16(digits, _mm_set1_epi32(0x00012710));
}

inline __m256i by_eight(__m256i digits) {
  digits = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
  digits = _mm256_madd_epi16(digits, _mm256_set1_epi32(0x00010064));
  digits = _mm256_packus_epi32(digits, digits);
  return _mm256_madd_epi16(digits, _mm256_set1_epi32(0x00012710));
}

/// Bytes that are no digits, whose values are `digits`, have their highest bit set.
inline __m128i beyond(__m128i digits) { return _mm_adds_epu8(digits, _mm_set1_epi8(0x76)); }
inline __m256i beyond(__m256i digits) { return _mm256_adds_epu8(digits, _mm256_set1_epi8(0x76)); }

/// The most decimals of a column so far.
inline void raise(std::int32_t& decimals, unsigned mark) {
  if (static_cast<std::int32_t>(mark) > decimals + 1) decimals = static_cast<std::int32_t>(mark) - 1;
}

/// The number that the bytes from `begin` to before `end` are.
inline bool read_number(const char* begin, const char* end, const char* text, char mark, double& value, std::int32_t& decimals) {
  const std::size_t length = static_cast<std::size_t>(end - begin);
  if (length - 1 >= number_bytes) return false;
  const __m128i bytes = bytes_before(end, text);
  const __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  const __m128i marks = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(mark));
  const auto bits = [](__m128i of) { return static_cast<unsigned>(_mm_movemask_epi8(of)); };
  const Shape shape = shape_of(begin, static_cast<unsigned>(length), bits(_mm_andnot_si128(marks, beyond(digits))), bits(marks));
  if (!shape.plain) return false;
  const __m128i parts = by_eight(_mm_shuffle_epi8(digits, order_of(shape.mark, shape.bytes)));
  const auto halves = static_cast<std::uint64_t>(_mm_cvtsi128_si64(parts));
  const std::uint64_t whole = (halves & 0xffffffff) * 100000000 + (halves >> 32);
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(whole)) / powers[shape.mark];
  // Signs follow no pattern that a branch could be foretold by.
  std::uint64_t of_value;
  std::memcpy(&of_value, &magnitude, sizeof of_value);
  of_value |= static_cast<std::uint64_t>(shape.negative) << 63;
  std::memcpy(&value, &of_value, sizeof value);
  raise(decimals, shape.mark);
  return true;
}

/// Cells that are read together, and lanes of them: what each of them is found to be costs less than one by one, and nothing is
/// loaded that has just been stored.
constexpr int group_cells = 32, lane_count = 8;

struct Group {
  /// Of cells, and lanes behind the last one.
  static constexpr int room = group_cells + lane_count;
  /// In bytes.
  alignas(32) std::int32_t lengths[room];
  /// Bits of the sixteen bytes before a cell's end that are neither digit nor mark, that are marks, and minus signs.
  alignas(32) std::uint16_t others[room];
  alignas(32) std::uint16_t marks[room];
  alignas(32) std::uint16_t minuses[room];
  /// Shape: 1 where it is negative; 0 without a mark, else 1 + the decimals; where its order lies in `orders`, in bytes.
  alignas(32) std::int32_t negative[room];
  alignas(32) std::int32_t mark[room];
  alignas(32) std::int32_t order[room];
  const char* ends[room];
  double* targets[room];
  /// The most decimals of each cell's column before.
  alignas(32) std::int32_t decimals[room];
  std::int32_t columns[room];
  int count = 0;
  /// Rows that end among its cells: where, and behind how many of them.
  const char* line_stops[group_cells];
  int cells_before[group_cells];
  int line_count = 0;
  bool has_more_decimals = false;
};

/// Looks at the sixteen bytes before each cell's end.
inline void look(Group& group, char mark) {
  const __m256i is_mark = _mm256_set1_epi8(mark), is_minus = _mm256_set1_epi8('-');
  for (int i = 0; i < group.count; i += 2) {
    const auto before = [&](int cell) { return reinterpret_cast<const __m128i*>(group.ends[cell] - number_bytes); };
    const auto put = [i](std::uint16_t* to, __m256i of_both) {
      const int bits = _mm256_movemask_epi8(of_both);
      std::memcpy(to + i, &bits, sizeof bits);
    };
    const __m256i bytes = _mm256_loadu2_m128i(before(i + 1), before(i));
    const __m256i marks = _mm256_cmpeq_epi8(bytes, is_mark);
    put(group.others, _mm256_andnot_si256(marks, beyond(_mm256_sub_epi8(bytes, _mm256_set1_epi8('0')))));
    put(group.marks, marks);
    put(group.minuses, _mm256_cmpeq_epi8(bytes, is_minus));
  }
}

inline __m256i lanes(const std::int32_t* from) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(from)); }
inline __m256i lanes(const std::uint16_t* from) {
  return _mm256_cvtepu16_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(from)));
}
inline int any_of(__m256i lanes) { return _mm256_movemask_ps(_mm256_castsi256_ps(lanes)); }

/// What the cells from `first` on are. @returns bits of those that are no plain numbers
inline unsigned find_shapes(Group& group, int first) {
  const auto store = [](std::int32_t* to, __m256i of) { _mm256_store_si256(reinterpret_cast<__m256i*>(to), of); };
  const __m256i one = _mm256_set1_epi32(1), most = _mm256_set1_epi32(number_bytes), none = _mm256_setzero_si256();
  const __m256i length = lanes(group.lengths + first);
  const __m256i before = _mm256_sub_epi32(most, length);
  const __m256i negative = _mm256_and_si256(_mm256_srlv_epi32(lanes(group.minuses + first), before), one);
  const __m256i others = _mm256_xor_si256(_mm256_srlv_epi32(lanes(group.others + first), before), negative);
  const __m256i own = _mm256_srlv_epi32(lanes(group.marks + first), before);
  const __m256i further = _mm256_and_si256(own, _mm256_sub_epi32(own, one));
  // Where the mark stands, or the end where there is none, is the exponent of its bit as a number.
  const __m256i bits = _mm256_or_si256(own, _mm256_sllv_epi32(one, length));
  const __m256i lowest = _mm256_and_si256(bits, _mm256_sub_epi32(none, bits));
  const __m256i exponent = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(lowest)), 23);
  const __m256i mark = _mm256_sub_epi32(length, _mm256_sub_epi32(exponent, _mm256_set1_epi32(127)));
  const __m256i bytes = _mm256_sub_epi32(length, negative);
  const __m256i digits = _mm256_add_epi32(bytes, _mm256_cmpgt_epi32(own, none));
  const __m256i wrong_count = _mm256_or_si256(_mm256_or_si256(_mm256_cmpgt_epi32(one, digits), _mm256_cmpgt_epi32(length, most)),
                                              _mm256_cmpgt_epi32(digits, _mm256_set1_epi32(max_exact_digits)));
  const __m256i plain = _mm256_andnot_si256(wrong_count, _mm256_cmpeq_epi32(_mm256_or_si256(others, further), none));
  store(group.negative + first, negative);
  store(group.mark + first, mark);
  store(group.order + first, _mm256_add_epi32(_mm256_slli_epi32(mark, 9), _mm256_slli_epi32(bytes, 4)));
  group.has_more_decimals |= any_of(_mm256_cmpgt_epi32(mark, _mm256_add_epi32(lanes(group.decimals + first), one))) != 0;
  return static_cast<unsigned>(any_of(plain)) ^ 0xff;
}

inline __m128d values_of(const Group& group, int i) {
  const auto before = [&](int cell) { return reinterpret_cast<const __m128i*>(group.ends[cell] - number_bytes); };
  const auto order = [&](int cell) { return reinterpret_cast<const __m128i*>(reinterpret_cast<const char*>(orders.data()) + group.order[cell]); };
  const __m256i digits = _mm256_sub_epi8(_mm256_loadu2_m128i(before(i + 1), before(i)), _mm256_set1_epi8('0'));
  const __m256i parts = by_eight(_mm256_shuffle_epi8(digits, _mm256_loadu2_m128i(order(i + 1), order(i))));
  const __m256i wholes = _mm256_add_epi64(_mm256_mul_epu32(parts, _mm256_set1_epi64x(100000000)), _mm256_srli_epi64(parts, 32));
  const __m128i whole = _mm_unpacklo_epi64(_mm256_castsi256_si128(wholes), _mm256_extracti128_si256(wholes, 1));
  // Below 2^52 a whole number is the fraction of the float64 that is as much above 2^52.
  const __m128d base = _mm_set1_pd(0x1p52);
  const __m128d magnitude = _mm_sub_pd(_mm_or_pd(_mm_castsi128_pd(whole), base), base);
  const __m128d power = _mm_loadh_pd(_mm_load_sd(powers + group.mark[i]), powers + group.mark[i + 1]);
  const __m128i negative = _mm_cvtepu32_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(group.negative + i)));
  return _mm_or_pd(_mm_div_pd(magnitude, power), _mm_castsi128_pd(_mm_slli_epi64(negative, 63)));
}

/// Writes the numbers of the first cells, as far as they are plain. @returns how many
inline int read_group(Group& group, const PlainCells& cells) {
  // Of the second cell of the last pair.
  double unused;
  group.ends[group.count] = group.ends[group.count - 1];
  look(group, cells.line.decimal);
  int count = group.count;
  for (int first = 0; first < count; first += lane_count) {
    const unsigned others = find_shapes(group, first);
    if (others != 0) count = std::min(count, first + __builtin_ctz(others));
  }
  const char* const end = std::exchange(group.ends[count], group.ends[0]);
  double* const target = std::exchange(group.targets[count], &unused);
  group.mark[count] = group.order[count] = 0;
  for (int i = 0; i < count; i += 2) {
    const __m128d values = values_of(group, i);
    _mm_storel_pd(group.targets[i], values);
    _mm_storeh_pd(group.targets[i + 1], values);
  }
  group.ends[count] = end;
  group.targets[count] = target;
  if (group.has_more_decimals) {
    for (int i = 0; i < count; i++) raise(cells.decimals[group.columns[i]], static_cast<unsigned>(group.mark[i]));
  }
  return count;
}

}  // namespace
}  // namespace centroid_lab::reader

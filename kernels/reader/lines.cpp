#include "lines.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace centroid_lab::reader {
namespace {

/// Length of the valid sequence at `at` (Unicode 15, table 3-7); 0 where there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3
                         : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (size == 0 || at + size > text.size()) return 0;
  const unsigned char lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t i = 2; i < size; i++) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return size;
}

}  // namespace

const char* name_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::none: return "";
    case Refusal::nul: return "nul";
    case Refusal::damaged: return "damaged";
    case Refusal::doubtful_quote: return "doubtful quote";
    case Refusal::several_lines: return "cell of several lines";
    case Refusal::long_line: return "long line";
  }
  return "";
}

const char* behind_line_end(const char* at, LineEnds& ends) {
  if (*at == '\n') {
    ends.feeds++;
    return at + 1;
  }
  if (at[1] == '\n') {
    ends.pairs++;
    return at + 2;
  }
  ends.returns++;
  return at + 1;
}

const char* next_line(const char* begin, const char* from, const char* end) {
  if (from <= begin) return begin;
  LineEnds uncounted;
  for (const char* at = from - 1; at < end; at++) {
    // The second half of a pair ends the line that the first half is looked for in.
    if (is_line_end(*at)) return std::min(end, behind_line_end(at, uncounted));
  }
  return end;
}

CellScanner::Stop CellScanner::next_stop(const char* at) const {
#if defined(__x86_64__)
  const __m128i delimiter = _mm_set1_epi8(form_.delimiter);
  const __m128i quote = _mm_set1_epi8(form_.quote);
  const __m128i feed = _mm_set1_epi8('\n');
  const __m128i carriage_return = _mm_set1_epi8('\r');
  bool wide = false;
  for (;; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, feed), _mm_cmpeq_epi8(bytes, carriage_return));
    const __m128i cuts = _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiter), _mm_cmpeq_epi8(bytes, quote));
    const __m128i nul = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
    const int stops = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(ends, cuts), nul));
    const int high = _mm_movemask_epi8(bytes);
    if (stops == 0) {
      wide = wide || high != 0;
      continue;
    }
    const int first = __builtin_ctz(static_cast<unsigned>(stops));
    return {at + first, wide || (high & ((1 << first) - 1)) != 0};
  }
#else
  for (bool wide = false;; at++) {
    if (*at == form_.delimiter || *at == form_.quote || *at == '\0' || is_line_end(*at)) return {at, wide};
    wide = wide || static_cast<signed char>(*at) < 0;
  }
#endif
}

Refusal CellScanner::read(const char*& at, Cell& cell) const {
  if (form_.quote != '\0' && *at == form_.quote) return read_quoted(at, cell);
  const Stop stop = next_stop(at);
  if (*stop.at == '\0') return Refusal::nul;
  if (form_.quote != '\0' && *stop.at == form_.quote) return Refusal::doubtful_quote;
  cell = {at, static_cast<std::size_t>(stop.at - at)};
  if (stop.wide && !is_valid_utf8(cell.view())) return Refusal::damaged;
  at = stop.at;
  return Refusal::none;
}

Refusal CellScanner::read_quoted(const char*& at, Cell& cell) const {
  const char* const begin = at + 1;
  const char* close = begin;
  bool wide = false;
  bool doubled = false;
  for (;; close++) {
    const Stop stop = next_stop(close);
    close = stop.at;
    wide = wide || stop.wide;
    if (*close == '\0') return Refusal::nul;
    if (is_line_end(*close)) return Refusal::several_lines;
    if (*close != form_.quote) continue;
    if (close[1] != form_.quote) break;
    doubled = true;
    close++;
  }
  if (close[1] != form_.delimiter && !is_line_end(close[1])) return Refusal::doubtful_quote;
  cell = {begin, static_cast<std::size_t>(close - begin), doubled};
  if (wide && !is_valid_utf8(cell.view())) return Refusal::damaged;
  at = close + 1;
  return Refusal::none;
}

std::string_view undoubled(const Cell& cell, char quote, std::string& room) {
  if (!cell.doubled) return cell.view();
  room.clear();
  for (std::string_view left = cell.view(); !left.empty();) {
    const std::size_t behind = std::min(left.find(quote), left.size() - 1) + 1;
    room.append(left.substr(0, behind));
    // The second of two.
    left.remove_prefix(std::min(behind + (left[behind - 1] == quote ? 1 : 0), left.size()));
  }
  return room;
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = sequence_length(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

}  // namespace centroid_lab::reader

#include "read_piece.hpp"

#include <algorithm>
#include <cstring>

#include "read_at.hpp"

namespace centroid_lab::reader {
namespace {

/// Chains that do not wait for each other.
constexpr std::size_t lanes = 4;
constexpr std::size_t stride = lanes * 2 * sizeof(std::uint64_t);

/// Digits of pi behind the point.
constexpr std::uint64_t keys[2 * lanes] = {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
                                           0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

void take_stride(const char* data, std::uint64_t (&state)[lanes]) {
  std::uint64_t words[2 * lanes];
  std::memcpy(words, data, sizeof words);
  for (std::size_t lane = 0; lane < lanes; lane++) {
    state[lane] = mixed(words[2 * lane] ^ keys[2 * lane], words[2 * lane + 1] ^ state[lane]);
  }
}

}  // namespace

/// Products of words with the state before them, both halves of a product folded: as wyhash (Wang Yi) does.
std::uint64_t checksum_of(const char* data, std::size_t bytes) {
  std::uint64_t state[lanes] = {keys[1], keys[3], keys[5], keys[7]};
  const std::size_t whole = bytes / stride * stride;
  for (std::size_t at = 0; at < whole; at += stride) take_stride(data + at, state);
  if (whole < bytes) {
    char rest[stride] = {};
    std::copy(data + whole, data + bytes, rest);
    take_stride(rest, state);
  }
  return mixed(state[0] ^ state[1] ^ bytes, state[2] ^ state[3] ^ keys[0]);
}

ReadPiece read_piece(int file, char* to, std::size_t bytes, std::uint64_t offset) {
  const std::size_t filled = read_at(file, to, bytes, offset);
  return {offset, filled, checksum_of(to, filled)};
}

}  // namespace centroid_lab::reader

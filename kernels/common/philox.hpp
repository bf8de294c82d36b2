// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, SC 2011), as src/engine/init/philox.ts has it: a draw is a function of its address.
#pragma once

#include <array>
#include <cstdint>

namespace centroid_lab {

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// The four words at a counter (low to high) under a key (low, high).
constexpr PhiloxBlock philox4x32(PhiloxBlock counter, std::uint32_t low, std::uint32_t high) {
  constexpr int rounds = 10;
  constexpr std::uint64_t multipliers[2] = {0xd2511f53, 0xcd9e8d57};
  for (int round = 0; round < rounds; round++) {
    const std::uint64_t first = multipliers[0] * counter[0];
    const std::uint64_t second = multipliers[1] * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ low, static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ high, static_cast<std::uint32_t>(first)};
    low += 0x9e3779b9;
    high += 0xbb67ae85;
  }
  return counter;
}

}  // namespace centroid_lab

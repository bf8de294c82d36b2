// Rows of points to a tile, four points by four features in registers. Included where it is used, once per instruction set.
#pragma once

#include <cstddef>
#include <cstring>

#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

using FourFloats = float __attribute__((vector_size(16)));

inline FourFloats load_four(const float* from) {
  FourFloats value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Four features of four points, a column of the tile each.
inline void transpose_four(const float* rows, std::size_t d, float* to) {
  const FourFloats a = load_four(rows), b = load_four(rows + d);
  const FourFloats c = load_four(rows + 2 * d), e = load_four(rows + 3 * d);
  const FourFloats ab[2] = {__builtin_shufflevector(a, b, 0, 4, 1, 5), __builtin_shufflevector(a, b, 2, 6, 3, 7)};
  const FourFloats ce[2] = {__builtin_shufflevector(c, e, 0, 4, 1, 5), __builtin_shufflevector(c, e, 2, 6, 3, 7)};
  for (std::size_t half = 0; half < 2; half++) {
    const FourFloats first = __builtin_shufflevector(ab[half], ce[half], 0, 1, 4, 5);
    const FourFloats second = __builtin_shufflevector(ab[half], ce[half], 2, 3, 6, 7);
    std::memcpy(to + 2 * half * tile_points, &first, sizeof first);
    std::memcpy(to + (2 * half + 1) * tile_points, &second, sizeof second);
  }
}

/// The last one to three features of all points of a tile.
template <std::size_t width>
inline void transpose_rest(const float* rows, std::size_t d, float* to) {
  for (std::size_t p = 0; p < tile_points; p++) {
    for (std::size_t j = 0; j < width; j++) to[j * tile_points + p] = rows[p * d + j];
  }
}

/// 64 rows.
inline void transpose_tile(const float* rows, std::size_t d, float* to) {
  const std::size_t fours = d / 4 * 4;
  // Rows in the order of the memory.
  for (std::size_t p = 0; p < tile_points; p += 4) {
    for (std::size_t j = 0; j < fours; j += 4) transpose_four(rows + p * d + j, d, to + j * tile_points + p);
  }
  switch (d - fours) {
    case 1: return transpose_rest<1>(rows + fours, d, to + fours * tile_points);
    case 2: return transpose_rest<2>(rows + fours, d, to + fours * tile_points);
    case 3: return transpose_rest<3>(rows + fours, d, to + fours * tile_points);
    default: return;
  }
}

/// `count` rows, at most 64; the rest of the tile is zeros.
inline void fill_tile_of(const float* rows, std::size_t count, std::size_t d, float* to) {
  if (count == tile_points) return transpose_tile(rows, d, to);
  for (std::size_t j = 0; j < d; j++) {
    for (std::size_t p = 0; p < tile_points; p++) to[j * tile_points + p] = p < count ? rows[p * d + j] : 0.0F;
  }
}

}  // namespace
}  // namespace centroid_lab

#include "methods/tiles/packed_centroids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "methods/tiles/transpose.hpp"

namespace centroid_lab {

void fill_tile(const Points& points, std::size_t tile, float* to) {
  const std::size_t first = tile * tile_points;
  fill_tile_of(points.row(first), std::min(tile_points, points.n - first), points.d, to);
}

Aligned<float> tiles_of(const Points& points, ThreadPool& pool) {
  const std::size_t size = tile_points * points.d;
  const std::size_t count = tiles_for(points.n);
  Aligned<float> tiles(count * size);
  const std::size_t chunk = (std::size_t{1} << 16) / size + 1;
  const auto fill = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t tile = first; tile < last; tile++) fill_tile(points, tile, tiles.data() + tile * size);
  };
  pool.share(count, chunk, fill, [] { return false; });
  return tiles;
}

Aligned<float> squares_of(const Aligned<float>& tiles, std::size_t d, ThreadPool& pool) {
  const std::size_t size = tile_points * d;
  const std::size_t count = tiles.size() / size;
  Aligned<float> squares(count * tile_points);
  const auto add_up = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t tile = first; tile < last; tile++) {
      const float* points = tiles.data() + tile * size;
      float sums[tile_points] = {};
      for (std::size_t j = 0; j < d; j++, points += tile_points) {
        for (std::size_t p = 0; p < tile_points; p++) sums[p] += points[p] * points[p];
      }
      std::copy_n(sums, tile_points, squares.data() + tile * tile_points);
    }
  };
  pool.share(count, (std::size_t{1} << 16) / size + 1, add_up, [] { return false; });
  return squares;
}

void PackedCentroids::pack(const float* centroids, std::size_t k, std::size_t d, bool for_scores) {
  in_play_.choose(centroids, k, d);
  original = in_play_.clusters();
  live = in_play_.count();
  complete = live == k;
  blocks = (live + block_size - 1) / block_size;
  values.resize(blocks * block_size * d);
  for (std::size_t at = 0; at < live; at++) put(at, centroids + static_cast<std::size_t>(original[at]) * d, d);
  for (std::size_t at = live; at < blocks * block_size; at++) pad(at, d);
  if (for_scores) {
    half_norms.assign(blocks * block_size, half_norm_of_padding);
    for (std::size_t at = 0; at < live; at++) half_norms[at] = static_cast<float>(in_play_.squares()[at] / 2);
  }
  reach = reach_of_all();
}

void PackedCentroids::put(std::size_t at, const float* centroid, std::size_t d) {
  float* to = values.data() + (at / block_size) * d * block_size + at % block_size;
  for (std::size_t j = 0; j < d; j++) to[j * block_size] = centroid[j];
}

void PackedCentroids::pad(std::size_t at, std::size_t d) {
  float* to = values.data() + (at / block_size) * d * block_size + at % block_size;
  for (std::size_t j = 0; j < d; j++) to[j * block_size] = coordinate_of_padding;
}

/// Far are the few behind the widest gap, in powers of two, of the longer half.
Reach PackedCentroids::reach_of_all() const {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr int powers = 1024;
  const auto power_of = [](double square) { return std::clamp(std::ilogb(square), -powers / 2, powers / 2 - 1) + powers / 2; };
  if (live == 0) return {};
  std::array<std::int32_t, powers> count{};
  for (const double square : in_play_.squares()) count[static_cast<std::size_t>(power_of(square))]++;
  int first_far = powers, widest = 1;
  std::size_t longer = 0;
  for (int power = powers - 1, above = powers; power >= 0; power--) {
    if (count[static_cast<std::size_t>(power)] == 0) continue;
    if (above < powers && above - power > widest) {
      widest = above - power;
      first_far = above;
    }
    longer += static_cast<std::size_t>(count[static_cast<std::size_t>(power)]);
    if (2 * longer > live) break;
    above = power;
  }
  double all = 0, inner = 0, outer = std::numeric_limits<double>::infinity();
  for (const double square : in_play_.squares()) {
    all = std::max(all, square);
    if (power_of(square) < first_far) inner = std::max(inner, square);
    else outer = std::min(outer, square);
  }
  const auto rounded = [](double square, float to) { return std::nextafter(static_cast<float>(std::sqrt(square)), to); };
  return {rounded(all, infinity), rounded(inner, infinity), outer < infinity ? rounded(outer, 0) : infinity};
}

}  // namespace centroid_lab

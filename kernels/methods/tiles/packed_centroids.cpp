#include "methods/tiles/packed_centroids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/tiles/transpose.hpp"

namespace centroid_lab {
namespace {

double squared_norm(const float* centroid, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) sum += static_cast<double>(centroid[j]) * static_cast<double>(centroid[j]);
  return sum;
}

}  // namespace

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
  original.resize(k);
  live = 0;
  for (std::size_t cluster = 0; cluster < k; cluster++) {
    original[live] = static_cast<std::int32_t>(cluster);
    live += !std::isnan(centroids[cluster * d]);
  }
  original.resize(live);
  complete = live == k;
  blocks = (live + block_size - 1) / block_size;
  values.resize(blocks * block_size * d);
  for (std::size_t at = 0; at < live; at++) put(at, centroids + static_cast<std::size_t>(original[at]) * d, d);
  for (std::size_t at = live; at < blocks * block_size; at++) pad(at, d);
  measure(centroids, d, for_scores);
}

void PackedCentroids::put(std::size_t at, const float* centroid, std::size_t d) {
  float* to = values.data() + (at / block_size) * d * block_size + at % block_size;
  for (std::size_t j = 0; j < d; j++) to[j * block_size] = centroid[j];
}

void PackedCentroids::pad(std::size_t at, std::size_t d) {
  float* to = values.data() + (at / block_size) * d * block_size + at % block_size;
  for (std::size_t j = 0; j < d; j++) to[j * block_size] = coordinate_of_padding;
}

void PackedCentroids::measure(const float* centroids, std::size_t d, bool for_scores) {
  if (for_scores) half_norms.assign(blocks * block_size, half_norm_of_padding);
  std::vector<double> squares(live);
  for (std::size_t at = 0; at < live; at++) {
    squares[at] = squared_norm(centroids + static_cast<std::size_t>(original[at]) * d, d);
    if (for_scores) half_norms[at] = static_cast<float>(squares[at] / 2);
  }
  reach = reach_of(squares);
}

Reach PackedCentroids::reach_of(std::vector<double>& squares) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto above = [](double square) { return std::nextafter(static_cast<float>(std::sqrt(square)), infinity); };
  const auto below = [](double square) { return std::nextafter(static_cast<float>(std::sqrt(square)), -infinity); };
  if (squares.empty()) return {};
  std::sort(squares.begin(), squares.end());
  // Far are those behind the widest gap of the longer half.
  std::size_t far = squares.size();
  double widest = 1;
  for (std::size_t at = squares.size() / 2 + 1; at < squares.size(); at++) {
    if (squares[at] <= widest * squares[at - 1]) continue;
    widest = squares[at] / squares[at - 1];
    far = at;
  }
  const float all = above(squares.back());
  if (far == squares.size()) return {all, all, infinity};
  return {all, above(squares[far - 1]), below(squares[far])};
}

}  // namespace centroid_lab

// Sums of distances of V vectors of points to G rows at a time, whose distances stay in registers. Included once per
// instruction set, after its vectors.
#pragma once

#include "methods/silhouette/pair_sums.hpp"

namespace centroid_lab {
namespace {

/// Partial sums of a row over the lanes of one vector.
constexpr std::size_t row_parts = Vectors::lanes;

/// Sum of a few vectors, by halves.
template <int N>
inline Vectors::Floats sum_of(const Vectors::Floats* values, int step) {
  if constexpr (N == 1) return values[0];
  else return Vectors::add(sum_of<N / 2>(values, step), sum_of<N / 2>(values + N / 2 * step, step));
}

/// What one pass over rows works on: V vectors of a tile from lane `first` on.
struct TilePass {
  const float* tile;
  std::size_t d;
  double* lane_sums;
  /// (rows, row_parts); null: not wanted.
  double* row_parts;
  /// (64) 1 for points, 0 for the lanes beyond the last.
  const float* is_point;
};

/// Distances of V vectors to G rows.
template <int V, int G>
inline void distances_of(const TilePass& pass, const float* rows, Vectors::Floats (&found)[V][G]) {
  for (auto& vector : found) {
    for (auto& sum : vector) sum = Vectors::all(0.0F);
  }
  for (std::size_t j = 0; j < pass.d; j++) {
    Vectors::Floats x[V];
    for (int v = 0; v < V; v++) x[v] = Vectors::load(pass.tile + j * pair_tile + v * Vectors::lanes);
    for (int g = 0; g < G; g++) {
      const auto row = Vectors::all(rows[static_cast<std::size_t>(g) * pass.d + j]);
      for (int v = 0; v < V; v++) {
        const auto difference = Vectors::subtract(x[v], row);
        found[v][g] = Vectors::add_product(difference, difference, found[v][g]);
      }
    }
  }
  for (auto& vector : found) {
    for (auto& sum : vector) sum = Vectors::root(sum);
  }
}

/// G rows from number `row` on. @tparam Last lanes beyond the last point may be among them
template <int V, int G, bool Rows, bool Last>
inline void add_rows(const TilePass& pass, const float* rows, std::size_t row, Vectors::Wide (&lanes)[V]) {
  Vectors::Floats found[V][G];
  distances_of<V, G>(pass, rows + row * pass.d, found);
  for (int v = 0; v < V; v++) lanes[v] = Vectors::add_wide(lanes[v], sum_of<G>(found[v], 1));
  if constexpr (!Rows) return;
  if constexpr (Last) {
    for (int v = 0; v < V; v++) {
      const auto is_point = Vectors::load(pass.is_point + v * Vectors::lanes);
      for (auto& value : found[v]) value = Vectors::multiply(value, is_point);
    }
  }
  for (int g = 0; g < G; g++) {
    double* part = pass.row_parts + (row + static_cast<std::size_t>(g)) * row_parts;
    Vectors::store_wide(part, Vectors::add_wide(Vectors::load_wide(part), sum_of<V>(&found[0][g], G)));
  }
}

template <int V, bool Rows, bool Last>
void add_vectors(const TilePass& pass, const float* rows, std::size_t count) {
  constexpr int G = Vectors::block_centroids;
  Vectors::Wide lanes[V];
  for (int v = 0; v < V; v++) lanes[v] = Vectors::load_wide(pass.lane_sums + v * Vectors::lanes);
  std::size_t row = 0;
  for (; row + G <= count; row += G) add_rows<V, G, Rows, Last>(pass, rows, row, lanes);
  for (; row < count; row++) add_rows<V, 1, Rows, Last>(pass, rows, row, lanes);
  for (int v = 0; v < V; v++) Vectors::store_wide(pass.lane_sums + v * Vectors::lanes, lanes[v]);
}

/// A tile of `points` points against some rows.
template <bool Rows>
void add_tile(TilePass pass, std::size_t points, const float* rows, std::size_t count) {
  constexpr int V = Vectors::block_vectors;
  const auto advance = [&](std::size_t lanes) {
    pass.tile += lanes;
    pass.lane_sums += lanes;
    pass.is_point += lanes;
  };
  std::size_t lane = 0;
  for (; lane + V * Vectors::lanes <= points; lane += V * Vectors::lanes) {
    add_vectors<V, Rows, false>(pass, rows, count);
    advance(V * Vectors::lanes);
  }
  for (; lane < points; lane += Vectors::lanes) {
    add_vectors<1, Rows, true>(pass, rows, count);
    advance(Vectors::lanes);
  }
}

/// Some rows against all tiles.
template <bool Rows>
void add_stretch(const PairBlock& block, std::size_t first, std::size_t count, double* parts) {
  for (std::size_t lane = 0; lane < block.lanes; lane += pair_tile) {
    const std::size_t points = block.lanes - lane < pair_tile ? block.lanes - lane : pair_tile;
    alignas(64) float is_point[pair_tile];
    for (std::size_t p = 0; p < pair_tile; p++) is_point[p] = p < points ? 1.0F : 0.0F;
    const TilePass pass{block.tiles + lane * block.d, block.d, block.lane_sums + lane, parts, is_point};
    add_tile<Rows>(pass, points, block.rows + first * block.d, count);
  }
}

void pair_sums(const PairBlock& block) {
  alignas(64) double parts[pair_rows * row_parts];
  for (std::size_t lane = 0; lane < (block.lanes + pair_tile - 1) / pair_tile * pair_tile; lane++) block.lane_sums[lane] = 0;
  for (std::size_t first = 0; first < block.row_count; first += pair_rows) {
    const std::size_t count = block.row_count - first < pair_rows ? block.row_count - first : pair_rows;
    if (block.row_sums == nullptr) {
      add_stretch<false>(block, first, count, nullptr);
      continue;
    }
    for (std::size_t at = 0; at < count * row_parts; at++) parts[at] = 0;
    add_stretch<true>(block, first, count, parts);
    for (std::size_t row = 0; row < count; row++) {
      double sum = 0;
      for (std::size_t part = 0; part < row_parts; part++) sum += parts[row * row_parts + part];
      block.row_sums[first + row] = sum;
    }
  }
}

}  // namespace
}  // namespace centroid_lab

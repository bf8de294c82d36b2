// Labels by distances: the direct difference form, (x-c)^2 summed over the features in order, one float32 chain
// per pair. Every kernel of `fused` answers the argmin of these numbers, lowest index among equals.
// Included once per instruction set, after its vectors.
#pragma once

#include "methods/tiles/panels.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Running minimum of V vectors of points.
template <int V>
struct Nearest {
  Vectors::Floats distance[V];
  Vectors::Integers index[V];

  Nearest() {
    for (int v = 0; v < V; v++) {
      distance[v] = Vectors::all(__builtin_inff());
      index[v] = Vectors::all(std::int32_t{0});
    }
  }

  void offer(int v, Vectors::Floats candidate, Vectors::Integers number) {
    const auto closer = Vectors::is_less(candidate, distance[v]);
    distance[v] = Vectors::smaller(candidate, distance[v]);
    index[v] = Vectors::choose(closer, number, index[v]);
  }
};

/// Distances of V vectors of points, whose coordinates are in registers, to one centroid of a block.
template <int D, int V>
inline void small_distances(const Vectors::Floats (&x)[V][D], const float* centroid, Vectors::Floats (&sum)[V]) {
  for (auto& value : sum) value = Vectors::all(0.0F);
  for (int j = 0; j < D; j++) {
    const auto coordinate = Vectors::all(centroid[static_cast<std::size_t>(j) * block_size]);
    for (int v = 0; v < V; v++) {
      const auto difference = Vectors::subtract(x[v][j], coordinate);
      sum[v] = Vectors::add_product(difference, difference, sum[v]);
    }
  }
}

/// d known and small: the coordinates of V vectors of points stay in registers, centroids come one by one.
template <int D, int V>
void label_small(const TileJob& job, const float* tile, std::int32_t* labels) {
  for (std::size_t p = 0; p < tile_points; p += V * Vectors::lanes) {
    Vectors::Floats x[V][D];
    for (int v = 0; v < V; v++) {
      for (int j = 0; j < D; j++) x[v][j] = Vectors::load(tile + j * tile_points + p + v * Vectors::lanes);
    }
    Nearest<V> nearest;
    small_distances<D, V>(x, job.centroids, nearest.distance);
    auto number = Vectors::all(std::int32_t{1});
    for (std::size_t first = 0; first < job.live; first += block_size) {
      const float* centroid = job.centroids + first * D;
      const float* end = centroid + (job.live - first < block_size ? job.live - first : block_size);
      for (centroid += first == 0; centroid < end; centroid++) {
        Vectors::Floats sum[V];
        small_distances<D, V>(x, centroid, sum);
        for (int v = 0; v < V; v++) nearest.offer(v, sum[v], number);
        number = Vectors::add(number, Vectors::all(std::int32_t{1}));
      }
    }
    for (int v = 0; v < V; v++) Vectors::store(labels + p + v * Vectors::lanes, nearest.index[v]);
  }
}

/// Distances of V vectors of points to G neighbouring centroids, d in memory.
template <int V, int G>
inline void offer_group(const TileJob& job, const float* points, std::size_t first, Nearest<V>& nearest) {
  const float* centroids = job.centroids + (first / block_size) * job.d * block_size + first % block_size;
  Vectors::Floats sum[V][G];
  for (int v = 0; v < V; v++) {
    for (int g = 0; g < G; g++) sum[v][g] = Vectors::all(0.0F);
  }
  for (std::size_t j = 0; j < job.d; j++) {
    Vectors::Floats x[V];
    for (int v = 0; v < V; v++) x[v] = Vectors::load(points + j * tile_points + v * Vectors::lanes);
    for (int g = 0; g < G; g++) {
      const auto centroid = Vectors::all(centroids[j * block_size + g]);
      for (int v = 0; v < V; v++) {
        const auto difference = Vectors::subtract(x[v], centroid);
        sum[v][g] = Vectors::add_product(difference, difference, sum[v][g]);
      }
    }
  }
  for (int g = 0; g < G; g++) {
    for (int v = 0; v < V; v++) nearest.offer(v, sum[v][g], Vectors::all(static_cast<std::int32_t>(first + g)));
  }
}

/// Any d: V vectors of points from `points` on, all centroids.
template <int V>
void label_vectors(const TileJob& job, const float* points, std::int32_t* labels) {
  Nearest<V> nearest;
  std::size_t c = 0;
  constexpr int G = Vectors::block_centroids;
  for (; c + G <= job.live; c += G) offer_group<V, G>(job, points, c, nearest);
  for (; c + 2 <= job.live; c += 2) offer_group<V, 2>(job, points, c, nearest);
  for (; c < job.live; c++) offer_group<V, 1>(job, points, c, nearest);
  for (int v = 0; v < V; v++) Vectors::store(labels + v * Vectors::lanes, nearest.index[v]);
}

/// Many features, few centroids: by panels.
inline void label_by_panels(const TileJob& job, const float* tile, std::int32_t* labels) {
  constexpr int V = Vectors::block_vectors;
  constexpr float zeros[panel_centroids] = {};
  PanelSums sums;
  sum_by_panels<SquareStep>(job, tile, 0, job.live, zeros, sums);
  for (std::size_t p = 0; p < tile_points; p += V * Vectors::lanes) {
    Nearest<V> nearest;
    for (std::size_t c = 0; c < job.live; c++) {
      for (int v = 0; v < V; v++) {
        const auto distance = Vectors::load(sums.of + c * tile_points + p + v * Vectors::lanes);
        nearest.offer(v, distance, Vectors::all(static_cast<std::int32_t>(c)));
      }
    }
    for (int v = 0; v < V; v++) Vectors::store(labels + p + v * Vectors::lanes, nearest.index[v]);
  }
}

/// Labels of a tile as positions among the packed centroids.
inline void label_tile_by_distances(const TileJob& job, const float* tile, std::int32_t* labels) {
  switch (job.d) {
    case 1: return label_small<1, 4>(job, tile, labels);
    case 2: return label_small<2, 4>(job, tile, labels);
    case 3: return label_small<3, 4>(job, tile, labels);
    case 4: return label_small<4, 2>(job, tile, labels);
    default: break;
  }
  if (job.d >= min_panel_features && job.live <= panel_centroids) return label_by_panels(job, tile, labels);
  constexpr std::size_t step = Vectors::block_vectors * Vectors::lanes;
  for (std::size_t p = 0; p < tile_points; p += step) {
    label_vectors<Vectors::block_vectors>(job, tile + p, labels + p);
  }
}

/// Distances to the centroids of one block, in vectors.
struct BlockDistances {
  static constexpr int parts = static_cast<int>(block_size) / Vectors::lanes;
  Vectors::Floats part[parts];

  float smallest() const {
    Vectors::Floats least = part[0];
    for (int i = 1; i < parts; i++) least = Vectors::smaller(least, part[i]);
    return Vectors::smallest_lane(least);
  }

  /// Bits of the places of `wanted`.
  std::uint32_t slots_of(float wanted) const {
    std::uint32_t equal = 0;
    for (int i = 0; i < parts; i++) {
      equal |= Vectors::bits(Vectors::is_equal(part[i], Vectors::all(wanted))) << (i * Vectors::lanes);
    }
    return equal;
  }
};

/// Distances of N points from `first` on to the centroids of a block each. Four chains side by side hide the latency of
/// the additions; where the number of features is known, D > 0, the processor finds them by itself.
template <int D, int N>
inline void block_distances(const TileJob& job, const float* const (&points)[N], const float* const (&blocks)[N],
                            BlockDistances (&sums)[N]) {
  constexpr int chains = D > 0 ? 1 : 4;
  const std::size_t d = D > 0 ? D : job.d;
  for (int first = 0; first < N; first += chains) {
    BlockDistances found[chains];
    for (BlockDistances& sum : found) {
      for (auto& part : sum.part) part = Vectors::all(0.0F);
    }
    for (std::size_t j = 0; j < d; j++) {
      for (int i = 0; i < chains; i++) {
        const auto coordinate = Vectors::all(points[first + i][j * tile_points]);
        for (int part = 0; part < BlockDistances::parts; part++) {
          const auto centroids = Vectors::load(blocks[first + i] + j * block_size + part * Vectors::lanes);
          const auto difference = Vectors::subtract(coordinate, centroids);
          found[i].part[part] = Vectors::add_product(difference, difference, found[i].part[part]);
        }
      }
    }
    for (int i = 0; i < chains; i++) sums[first + i] = found[i];
  }
}

/// `labels` holds a block for each of N points and gets the place of the smallest distance in it, among all centroids.
template <class Wide, int N>
inline void resolve_blocks(const BlockDistances (&distances)[N], std::int32_t* labels) {
  if constexpr (Wide::lanes == 16 && N == 16) {
    typename Wide::Floats rows[N];
    for (int i = 0; i < N; i++) rows[i] = distances[i].part[0];
    Wide::store(labels, Wide::add(Wide::times_16(Wide::load(labels)), Wide::lanes_of_least(rows)));
  } else {
    for (int i = 0; i < N; i++) {
      const int slot = __builtin_ctz(distances[i].slots_of(distances[i].smallest()));
      labels[i] = labels[i] * static_cast<std::int32_t>(block_size) + slot;
    }
  }
}

/// Neighbouring points of a tile whose blocks are resolved together.
constexpr int points_together = Vectors::lanes == 16 ? 16 : 4;

/// Neighbouring points of a tile: `labels` holds a block for each and gets the nearest centroid of that block.
template <int D>
inline void nearest_of_blocks(const TileJob& job, const float* first, std::int32_t* labels) {
  constexpr int N = points_together;
  const float* points[N];
  const float* blocks[N];
  for (int i = 0; i < N; i++) {
    points[i] = first + i;
    blocks[i] = job.centroids + static_cast<std::size_t>(labels[i]) * (D > 0 ? D : job.d) * block_size;
  }
  BlockDistances distances[N];
  block_distances<D, N>(job, points, blocks, distances);
  resolve_blocks<Vectors, N>(distances, labels);
}

/// The lowest index among the nearest, where lanes are places of a block and the indices kept are blocks.
inline std::int32_t lowest_of(const Nearest<BlockDistances::parts>& nearest) {
  BlockDistances distances;
  alignas(64) std::int32_t blocks[block_size];
  for (int part = 0; part < BlockDistances::parts; part++) {
    distances.part[part] = nearest.distance[part];
    Vectors::store(blocks + part * Vectors::lanes, nearest.index[part]);
  }
  constexpr std::int32_t size = static_cast<std::int32_t>(block_size);
  std::uint32_t equal = distances.slots_of(distances.smallest());
  std::int32_t lowest = blocks[__builtin_ctz(equal)] * size + __builtin_ctz(equal);
  while ((equal &= equal - 1) != 0) {
    const std::int32_t index = blocks[__builtin_ctz(equal)] * size + __builtin_ctz(equal);
    lowest = index < lowest ? index : lowest;
  }
  return lowest;
}

/// The nearest of all centroids to one point of a tile. Past the last block its last one is taken again, where it
/// cannot win.
inline std::int32_t nearest_of_all(const TileJob& job, const float* point) {
  constexpr int N = 4;
  constexpr int parts = BlockDistances::parts;
  const float* const points[N] = {point, point, point, point};
  Nearest<parts> nearest;
  for (std::size_t block = 0; block < job.blocks; block += N) {
    const float* blocks[N];
    for (std::size_t i = 0; i < N; i++) {
      const std::size_t number = block + i < job.blocks ? block + i : job.blocks - 1;
      blocks[i] = job.centroids + number * job.d * block_size;
    }
    BlockDistances distances[N];
    block_distances<0, N>(job, points, blocks, distances);
    for (int i = 0; i < N; i++) {
      for (int part = 0; part < parts; part++) {
        nearest.offer(part, distances[i].part[part], Vectors::all(static_cast<std::int32_t>(block) + i));
      }
    }
  }
  return lowest_of(nearest);
}

}  // namespace
}  // namespace centroid_lab

// Labels by distances: the direct difference form, (x-c)^2 summed over the features in order, one float32 chain per pair.
// Where the second best comes within the margin of methods/canonical the exact distances decide: labels are those of exact
// arithmetic, the lowest index among equals.
// Included once per instruction set, after its vectors.
#pragma once

#include "methods/canonical/exact_choice.hpp"
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

/// All bits of the points of V vectors.
template <int V>
constexpr std::uint64_t all_points() {
  constexpr int count = V * Vectors::lanes;
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Running minimum of V vectors of points, and the second smallest.
template <int V>
struct NearestTwo : Nearest<V> {
  Vectors::Floats second[V];

  explicit NearestTwo(const TileJob&) {
    for (auto& value : second) value = Vectors::all(__builtin_inff());
  }

  /// The first centroid, whose number is 0.
  void begin(int v, Vectors::Floats candidate) { this->distance[v] = candidate; }

  void offer(int v, Vectors::Floats candidate, Vectors::Integers number) {
    second[v] = Vectors::smaller_size(second[v], Vectors::larger_size(candidate, this->distance[v]));
    Nearest<V>::offer(v, candidate, number);
  }

  Vectors::Integers nearest(int v) const { return this->index[v]; }

  /// Bits of the points whose nearest float32 does not decide.
  std::uint64_t open(const NearTie& near) const {
    std::uint64_t certain = 0;
    for (int v = 0; v < V; v++) {
      const auto bound = Vectors::add_product(this->distance[v], Vectors::all(near.factor), Vectors::all(near.rest));
      certain |= static_cast<std::uint64_t>(Vectors::bits(Vectors::is_less(bound, second[v]))) << (v * Vectors::lanes);
    }
    return ~certain & all_points<V>();
  }
};

/// Centroids whose number fits into the lowest bits of a distance.
constexpr std::size_t tagged_centroids = std::size_t{1} << NearTie::tag_bits;
/// Beyond every distance of centroids within `max_score_reach`.
constexpr float no_distance = 1e38F;

/// The same with the number of a centroid in the lowest bits of its distance, so that one minimum finds both: for few
/// centroids, none of them far out.
template <int V>
struct TaggedTwo {
  Vectors::Floats distance[V];
  Vectors::Floats second[V];
  Vectors::Integers mask;

  explicit TaggedTwo(const TileJob& job) {
    std::int32_t bits = 1;
    while (static_cast<std::size_t>(bits) + 1 < job.live) bits = 2 * bits + 1;
    mask = Vectors::all(bits);
    for (int v = 0; v < V; v++) distance[v] = second[v] = Vectors::all(no_distance);
  }

  void begin(int v, Vectors::Floats candidate) {
    distance[v] = Vectors::tagged(candidate, mask, Vectors::all(std::int32_t{0}));
  }

  void offer(int v, Vectors::Floats candidate, Vectors::Integers number) {
    const auto tagged = Vectors::tagged(candidate, mask, number);
    second[v] = Vectors::smaller_size(second[v], Vectors::larger_size(tagged, distance[v]));
    distance[v] = Vectors::smaller(distance[v], tagged);
  }

  Vectors::Integers nearest(int v) const { return Vectors::tag_of(distance[v], mask); }

  std::uint64_t open(const NearTie& near) const {
    std::uint64_t certain = 0;
    for (int v = 0; v < V; v++) {
      const auto bound = Vectors::add_product(distance[v], Vectors::all(near.tagged_factor), Vectors::all(near.rest));
      certain |= static_cast<std::uint64_t>(Vectors::bits(Vectors::is_less(bound, second[v]))) << (v * Vectors::lanes);
    }
    return ~certain & all_points<V>();
  }
};

inline bool can_tag(const TileJob& job) { return job.live <= tagged_centroids && job.reach.all < max_score_reach; }

std::int32_t nearest_of_all(const TileJob& job, const float* point);

/// Labels of V vectors of points from their minima.
template <class Minima, int V>
inline void conclude(const TileJob& job, const float* points, const Minima& minima, std::int32_t* labels) {
  for (int v = 0; v < V; v++) Vectors::store(labels + v * Vectors::lanes, minima.nearest(v));
  for (std::uint64_t open = minima.open(job.near); open != 0; open &= open - 1) {
    const int p = __builtin_ctzll(open);
    labels[p] = nearest_of_all(job, points + p);
  }
}

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
template <int D, int V, template <int> class Minima>
void label_small(const TileJob& job, const float* tile, std::int32_t* labels) {
  for (std::size_t p = 0; p < tile_points; p += V * Vectors::lanes) {
    Vectors::Floats x[V][D];
    for (int v = 0; v < V; v++) {
      for (int j = 0; j < D; j++) x[v][j] = Vectors::load(tile + j * tile_points + p + v * Vectors::lanes);
    }
    Minima<V> minima(job);
    Vectors::Floats start[V];
    small_distances<D, V>(x, job.centroids, start);
    for (int v = 0; v < V; v++) minima.begin(v, start[v]);
    auto number = Vectors::all(std::int32_t{1});
    for (std::size_t first = 0; first < job.live; first += block_size) {
      const float* centroid = job.centroids + first * D;
      const float* end = centroid + (job.live - first < block_size ? job.live - first : block_size);
      for (centroid += first == 0; centroid < end; centroid++) {
        Vectors::Floats sum[V];
        small_distances<D, V>(x, centroid, sum);
        for (int v = 0; v < V; v++) minima.offer(v, sum[v], number);
        number = Vectors::add(number, Vectors::all(std::int32_t{1}));
      }
    }
    conclude<Minima<V>, V>(job, tile + p, minima, labels + p);
  }
}

/// Distances of V vectors of points to G neighbouring centroids, d in memory.
template <int V, int G, class Minima>
inline void offer_group(const TileJob& job, const float* points, std::size_t first, Minima& minima) {
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
    for (int v = 0; v < V; v++) minima.offer(v, sum[v][g], Vectors::all(static_cast<std::int32_t>(first + g)));
  }
}

/// Any d: V vectors of points from `points` on, all centroids.
template <int V, template <int> class Minima>
void label_vectors_by(const TileJob& job, const float* points, std::int32_t* labels) {
  Minima<V> minima(job);
  std::size_t c = 0;
  constexpr int G = Vectors::block_centroids;
  for (; c + G <= job.live; c += G) offer_group<V, G>(job, points, c, minima);
  for (; c + 2 <= job.live; c += 2) offer_group<V, 2>(job, points, c, minima);
  for (; c < job.live; c++) offer_group<V, 1>(job, points, c, minima);
  conclude<Minima<V>, V>(job, points, minima, labels);
}

template <int V>
void label_vectors(const TileJob& job, const float* points, std::int32_t* labels) {
  if (can_tag(job)) label_vectors_by<V, TaggedTwo>(job, points, labels);
  else label_vectors_by<V, NearestTwo>(job, points, labels);
}

template <template <int> class Minima>
inline void label_tile_by(const TileJob& job, const float* tile, std::int32_t* labels) {
  switch (job.d) {
    case 1: return label_small<1, 4, Minima>(job, tile, labels);
    case 2: return label_small<2, 4, Minima>(job, tile, labels);
    case 3: return label_small<3, 4, Minima>(job, tile, labels);
    case 4: return label_small<4, 2, Minima>(job, tile, labels);
    default: break;
  }
  constexpr std::size_t step = Vectors::block_vectors * Vectors::lanes;
  for (std::size_t p = 0; p < tile_points; p += step) {
    label_vectors_by<Vectors::block_vectors, Minima>(job, tile + p, labels + p);
  }
}

/// Labels of a tile as positions among the packed centroids.
inline void label_tile_by_distances(const TileJob& job, const float* tile, std::int32_t* labels) {
  if (can_tag(job)) label_tile_by<TaggedTwo>(job, tile, labels);
  else label_tile_by<NearestTwo>(job, tile, labels);
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

  /// Bits of the places of distances up to `bound`.
  std::uint32_t slots_within(float bound) const {
    std::uint32_t within = 0;
    for (int i = 0; i < parts; i++) {
      within |= Vectors::bits(Vectors::is_at_most(part[i], Vectors::all(bound))) << (i * Vectors::lanes);
    }
    return within;
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

inline float bound_of(float least, const NearTie& near) { return least * near.factor + near.rest; }

/// `labels` holds a block for each of N points and gets the place of the smallest distance in it, among all centroids.
/// @returns the bits of the points in whose block others come within the margin.
template <class Wide, int N>
inline std::uint32_t resolve_blocks(const BlockDistances (&distances)[N], const NearTie& near, std::int32_t* labels) {
  std::uint32_t open = 0;
  if constexpr (Wide::lanes == 16 && N == 16) {
    typename Wide::Floats rows[N];
    for (int i = 0; i < N; i++) rows[i] = distances[i].part[0];
    const auto places = Wide::lanes_of_least(rows, near.factor, near.rest, open);
    Wide::store(labels, Wide::add(Wide::times_16(Wide::load(labels)), places));
  } else {
    for (int i = 0; i < N; i++) {
      const std::uint32_t slots = distances[i].slots_within(bound_of(distances[i].smallest(), near));
      open |= ((slots & (slots - 1)) != 0 ? 1U : 0U) << i;
      labels[i] = labels[i] * static_cast<std::int32_t>(block_size) + __builtin_ctz(slots);
    }
  }
  return open;
}

/// Of the centroids of block `block` those up to `bound` from a point, offered to the exact choice.
inline void offer_slots(const TileJob& job, const BlockDistances& distances, std::size_t block, float bound,
                        ExactChoice& choice) {
  const float* centroids = job.centroids + block * job.d * block_size;
  for (std::uint32_t slots = distances.slots_within(bound); slots != 0; slots &= slots - 1) {
    const int slot = __builtin_ctz(slots);
    const std::size_t index = block * block_size + static_cast<std::size_t>(slot);
    if (index < job.live) choice.offer(centroids + slot, static_cast<std::int32_t>(index));
  }
}

/// Neighbouring points of a tile whose blocks are resolved together.
constexpr int points_together = Vectors::lanes == 16 ? 16 : 4;

/// Neighbouring points of a tile: `labels` holds a block for each and gets the nearest centroid of that block, exactly for
/// the points whose bit is set in `wanted`.
template <int D>
inline void nearest_of_blocks(const TileJob& job, const float* first, std::uint64_t wanted, std::int32_t* labels) {
  constexpr int N = points_together;
  const float* points[N];
  const float* blocks[N];
  for (int i = 0; i < N; i++) {
    points[i] = first + i;
    blocks[i] = job.centroids + static_cast<std::size_t>(labels[i]) * (D > 0 ? D : job.d) * block_size;
  }
  BlockDistances distances[N];
  block_distances<D, N>(job, points, blocks, distances);
  const auto open = resolve_blocks<Vectors, N>(distances, job.near, labels) & static_cast<std::uint32_t>(wanted);
  for (std::uint32_t left = open & ((1U << N) - 1); left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    ExactChoice choice(points[i], tile_points, block_size, job.d);
    const std::size_t block = static_cast<std::size_t>(labels[i]) / block_size;
    offer_slots(job, distances[i], block, bound_of(distances[i].smallest(), job.near), choice);
    labels[i] = choice.nearest();
  }
}

/// Distances of one point to four blocks of centroids from `first` on. What lies past the last centroid is infinitely far.
inline void four_blocks(const TileJob& job, const float* point, std::size_t first, BlockDistances (&distances)[4]) {
  const float* const points[4] = {point, point, point, point};
  const float* blocks[4];
  for (std::size_t i = 0; i < 4; i++) {
    const std::size_t number = first + i < job.blocks ? first + i : job.blocks - 1;
    blocks[i] = job.centroids + number * job.d * block_size;
  }
  block_distances<0, 4>(job, points, blocks, distances);
  for (std::size_t i = 0; i < 4; i++) {
    const std::size_t start = (first + i) * block_size;
    if (start + block_size <= job.live) continue;
    alignas(64) float values[block_size];
    for (int part = 0; part < BlockDistances::parts; part++) {
      Vectors::store(values + part * Vectors::lanes, distances[i].part[part]);
    }
    for (std::size_t slot = start < job.live ? job.live - start : 0; slot < block_size; slot++) {
      values[slot] = __builtin_inff();
    }
    for (int part = 0; part < BlockDistances::parts; part++) {
      distances[i].part[part] = Vectors::load(values + part * Vectors::lanes);
    }
  }
}

/// The exactly nearest of all centroids up to `bound` from a point.
inline std::int32_t exactly_nearest_within(const TileJob& job, const float* point, float bound) {
  ExactChoice choice(point, tile_points, block_size, job.d);
  for (std::size_t first = 0; first < job.blocks; first += 4) {
    BlockDistances distances[4];
    four_blocks(job, point, first, distances);
    for (std::size_t i = 0; i < 4 && first + i < job.blocks; i++) offer_slots(job, distances[i], first + i, bound, choice);
  }
  return choice.nearest();
}

/// The nearest of all centroids to one point of a tile, exactly. Not inlined: few points come here.
__attribute__((noinline)) std::int32_t nearest_of_all(const TileJob& job, const float* point) {
  constexpr int parts = BlockDistances::parts;
  NearestTwo<parts> minima(job);
  for (std::size_t first = 0; first < job.blocks; first += 4) {
    BlockDistances distances[4];
    four_blocks(job, point, first, distances);
    for (int i = 0; i < 4; i++) {
      for (int part = 0; part < parts; part++) {
        minima.offer(part, distances[i].part[part], Vectors::all(static_cast<std::int32_t>(first) + i));
      }
    }
  }
  BlockDistances best, second;
  alignas(64) std::int32_t blocks[block_size];
  for (int part = 0; part < parts; part++) {
    best.part[part] = minima.distance[part];
    second.part[part] = minima.second[part];
    Vectors::store(blocks + part * Vectors::lanes, minima.index[part]);
  }
  const float bound = bound_of(best.smallest(), job.near);
  const std::uint32_t slots = best.slots_within(bound);
  const bool alone = (slots & (slots - 1)) == 0 && slots != 0 && second.slots_within(bound) == 0;
  if (!alone) return exactly_nearest_within(job, point, bound);
  const int slot = __builtin_ctz(slots);
  return blocks[slot] * static_cast<std::int32_t>(block_size) + slot;
}

}  // namespace
}  // namespace centroid_lab

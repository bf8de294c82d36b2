// Which centroids can be nearest to a point of a ball. The balls are around groups of neighbouring points.
//
// Ball of middle m and radius r, s the centroid nearest to m, Z and S the computed squares of |m-z| and |m-s|. A centroid z is
// left out where, with e = 1.5 (d+10) 2^-24 and h what remains for motion (a list holds until a centroid has moved by h / 2),
//     Z > ((sqrt(S) + 2 r + h + 2 e (sqrt(S) + r + h) + 2^-55) (1 + e))^2;
// proof.md says why that is right. Included once per instruction set, after its vectors.
#pragma once

#include "methods/neighbour-groups/balls.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Mean of feature j over `points` points of neighbouring tiles.
inline float mean_of(const float* tiles, std::size_t points, std::size_t d, std::size_t j) {
  float parts[16] = {};
  for (std::size_t first = 0; first < points; first += tile_points) {
    const float* values = tiles + first * d + j * tile_points;
    const std::size_t count = points - first < tile_points ? points - first : tile_points;
    std::size_t p = 0;
    for (; p + 16 <= count; p += 16) {
      for (std::size_t lane = 0; lane < 16; lane++) parts[lane] += values[p + lane];
    }
    for (; p < count; p++) parts[0] += values[p];
  }
  float sum = 0;
  for (const float part : parts) sum += part;
  return sum / static_cast<float>(points);
}

inline void measure_ball(const float* tiles, std::size_t points, std::size_t d, float* middle, float* radius) {
  float squares[tiles_of_group * tile_points] = {};
  for (std::size_t j = 0; j < d; j++) {
    const float mean = mean_of(tiles, points, d, j);
    middle[j * groups_at_once] = mean;
    for (std::size_t first = 0; first < points; first += tile_points) {
      const float* values = tiles + first * d + j * tile_points;
      // What pads the last tile is left out below.
      for (std::size_t p = 0; p < tile_points; p++) {
        const float difference = values[p] - mean;
        squares[first + p] += difference * difference;
      }
    }
  }
  float largest = 0;
  for (std::size_t p = 0; p < points; p++) largest = squares[p] > largest ? squares[p] : largest;
  // (1 + e) covers the squares and the root, 2^-60 underflow.
  *radius = __builtin_sqrtf(largest) * (1 + 1.5F * static_cast<float>(d + 10) * 0x1p-24F) + 0x1p-60F;
}

/// Moves point p, in its order, to the cluster found for it.
inline void move_to(const TileJob& job, const std::uint32_t* order, std::size_t p, std::int32_t to, TileSums& sums) {
  std::int32_t& kept = static_cast<std::int32_t*>(job.labels)[p];
  const std::int32_t from = job.fresh ? -1 : kept;
  std::int64_t* source = from < 0 ? nullptr : sums.sums + static_cast<std::size_t>(from) * job.d;
  const float* row = job.rows + static_cast<std::size_t>(order[p]) * job.d;
  move_row(row, job.scale, job.d, sums.sums + static_cast<std::size_t>(to) * job.d, source);
  sums.counts[to]++;
  sums.touched[to] = 1;
  if (from >= 0) {
    sums.counts[from]--;
    sums.touched[from] = 1;
  }
  kept = to;
  sums.changed++;
}

/// Moves the points of tiles first..last-1 whose new label is not the one kept.
inline void accumulate_group(const TileJob& job, const std::uint32_t* order, const std::int32_t* found, std::size_t first,
                         std::size_t last, TileSums& sums) {
  constexpr std::size_t step = 16;
  const std::int32_t* kept = static_cast<const std::int32_t*>(job.labels);
  const std::size_t end = last * tile_points < job.n ? last * tile_points : job.n;
  std::size_t p = first * tile_points;
  for (; p + step <= end; p += step) {
    std::int32_t any = job.fresh ? 1 : 0;
    for (std::size_t i = p; i < p + step; i++) any |= found[i] ^ kept[i];
    if (any == 0) continue;
    for (std::size_t i = p; i < p + step; i++) {
      if (job.fresh || found[i] != kept[i]) move_to(job, order, i, found[i], sums);
    }
  }
  for (; p < end; p++) {
    if (job.fresh || found[p] != kept[p]) move_to(job, order, p, found[p], sums);
  }
}

/// Distances of V vectors of middles to G neighbouring centroids.
template <int V, int G>
inline void store_distances(const BallJob& job, const float* middles, std::size_t first, float* distances) {
  const float* centroids = job.centroids + first / block_size * job.d * block_size + first % block_size;
  Vectors::Floats sums[V][G];
  for (int v = 0; v < V; v++) {
    for (int g = 0; g < G; g++) sums[v][g] = Vectors::all(0.0F);
  }
  for (std::size_t j = 0; j < job.d; j++) {
    Vectors::Floats x[V];
    for (int v = 0; v < V; v++) x[v] = Vectors::load(middles + j * groups_at_once + v * Vectors::lanes);
    for (int g = 0; g < G; g++) {
      const auto centroid = Vectors::all(centroids[j * block_size + g]);
      for (int v = 0; v < V; v++) {
        const auto difference = Vectors::subtract(x[v], centroid);
        sums[v][g] = Vectors::add_product(difference, difference, sums[v][g]);
      }
    }
  }
  for (int g = 0; g < G; g++) {
    for (int v = 0; v < V; v++) {
      __builtin_memcpy(distances + (first + g) * groups_at_once + v * Vectors::lanes, &sums[v][g],
                       sizeof(Vectors::Floats));
    }
  }
}

/// The right side of the test for one vector of groups.
inline Vectors::Floats reach_of(const BallJob& job, const float* radii, Vectors::Floats least) {
  const float e = 1.5F * static_cast<float>(job.d + 10) * 0x1p-24F;
  const auto one = Vectors::all(1.0F);
  const auto root = Vectors::root(least);
  const auto radius = Vectors::load(radii);
  const auto skin = Vectors::all(job.skin);
  const auto far = Vectors::add_product(root, one, Vectors::add_product(radius, one, skin));
  auto sum = Vectors::add_product(far, one, Vectors::add_product(radius, one, Vectors::all(0x1p-55F)));
  sum = Vectors::add_product(far, Vectors::all(2 * e), sum);
  sum = Vectors::add_product(sum, Vectors::all(e), sum);
  return Vectors::add_product(sum, sum, Vectors::all(0.0F));
}

inline void find_candidates(const BallJob& job, std::size_t at, float* distances, std::uint64_t* groups) {
  constexpr int V = Vectors::block_vectors;
  constexpr int G = Vectors::block_centroids;
  constexpr std::size_t step = V * Vectors::lanes;
  const float* middles = job.middles + at * job.d * groups_at_once;
  const std::size_t padded = (job.live + block_size - 1) / block_size * block_size;
  for (std::size_t c = 0; c < padded; c += G) {
    for (std::size_t p = 0; p < groups_at_once; p += step) {
      store_distances<V, G>(job, middles + p, c, distances + p);
    }
  }
  for (std::size_t c = 0; c < job.live; c++) groups[c] = 0;
  for (std::size_t p = 0; p < groups_at_once; p += Vectors::lanes) {
    auto least = Vectors::load(distances + p);
    for (std::size_t c = 1; c < job.live; c++) {
      least = Vectors::smaller(least, Vectors::load(distances + c * groups_at_once + p));
    }
    const auto reach = reach_of(job, job.radii + at * groups_at_once + p, least);
    for (std::size_t c = 0; c < job.live; c++) {
      const auto out = Vectors::is_less(reach, Vectors::load(distances + c * groups_at_once + p));
      constexpr std::uint64_t lanes = (std::uint64_t{1} << Vectors::lanes) - 1;
      groups[c] |= (~static_cast<std::uint64_t>(Vectors::bits(out)) & lanes) << p;
    }
  }
}

}  // namespace
}  // namespace centroid_lab

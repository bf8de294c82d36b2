// Labels by scores s = |c|^2/2 - x.c, half the multiply-adds of distances: |x-c|^2 = |x|^2 + 2s.
//
// Scores only choose the block of eight centroids in which the nearest must lie; inside it distances decide. That
// is safe when the best score s_b of the block beats every other block's by more than the margin
//     M = 1.01 ((d+3) u (C^2 + 2 |x| C) + (d+4) u A) + d 2^-126,  A = max(0, |x|^2 + 2 s_b),  C = the largest |c|,
// u = 2^-24. Why: a computed score is off by at most E = (d+2) u (C^2/2 + |x| C), from the half norm rounded once and d
// products and sums; a computed distance D by at most t D, t = (d+3) u. Let w be the nearest of the block by computed
// distances and o a centroid of another block. Computed distances obey
//     D_w <= D_b <= (A + 2E)(1 + t)  and  D_o >= (A + 2M - 2E)(1 - t),
// so D_w < D_o follows from M > (2E + t A) / (1 - t). The slack of 1.01 and of one u each covers 1/(1-t), the rounding of |x|,
// C, M and of the difference of scores, and that of A (where A is much smaller than |x|^2, C^2/2 + |x| C is not, and E
// outweighs it), for d < 16384; the caller uses distances beyond. d 2^-126 covers underflow. The label is therefore the one
// that computed distances to all centroids give, to the last bit.
// Points inside the margin are settled by distances to all centroids.
// Included once per instruction set, after distances.hpp.
#pragma once

#include "tiles.hpp"

namespace centroid_lab {
namespace {

/// Best block of V vectors of points, and the best score outside of it.
template <int V>
struct BestBlock {
  Vectors::Floats best[V];
  Vectors::Floats second[V];
  Vectors::Integers block[V];

  BestBlock() {
    for (int v = 0; v < V; v++) {
      best[v] = Vectors::all(__builtin_inff());
      second[v] = Vectors::all(__builtin_inff());
      block[v] = Vectors::all(std::int32_t{0});
    }
  }

  void offer(int v, Vectors::Floats score, std::int32_t number) {
    const auto better = Vectors::is_less(score, best[v]);
    second[v] = Vectors::smaller(second[v], Vectors::larger(score, best[v]));
    block[v] = Vectors::choose(better, Vectors::all(number), block[v]);
    best[v] = Vectors::smaller(best[v], score);
  }
};

/// Smallest score of V vectors of points over one block. D > 0: the number of features is known.
template <int D, int V>
inline void score_block(const TileJob& job, const float* points, std::size_t block, Vectors::Floats (&least)[V]) {
  constexpr int G = Vectors::block_centroids;
  const std::size_t d = D > 0 ? D : job.d;
  for (std::size_t group = 0; group < block_size; group += G) {
    const float* centroids = job.centroids + block * d * block_size + group;
    Vectors::Floats score[V][G];
    for (int g = 0; g < G; g++) {
      const auto half_norm = Vectors::all(job.half_norms[block * block_size + group + g]);
      for (int v = 0; v < V; v++) score[v][g] = half_norm;
    }
    for (std::size_t j = 0; j < d; j++) {
      Vectors::Floats x[V];
      for (int v = 0; v < V; v++) x[v] = Vectors::load(points + j * tile_points + v * Vectors::lanes);
      for (int g = 0; g < G; g++) {
        const auto centroid = Vectors::all(centroids[j * block_size + g]);
        for (int v = 0; v < V; v++) score[v][g] = Vectors::subtract_product(x[v], centroid, score[v][g]);
      }
    }
    for (int v = 0; v < V; v++) {
      Vectors::Floats pairs[G / 2];
      for (int g = 0; g < G / 2; g++) pairs[g] = Vectors::smaller(score[v][g], score[v][g + G / 2]);
      for (int g = 1; g < G / 2; g++) pairs[0] = Vectors::smaller(pairs[0], pairs[g]);
      least[v] = group == 0 ? pairs[0] : Vectors::smaller(least[v], pairs[0]);
    }
  }
}

/// Lanes whose best block is certain, one bit each.
inline std::uint32_t certain_lanes(const TileJob& job, const float* points, Vectors::Floats best,
                                   Vectors::Floats second) {
  const float u = 1.01F * 0x1p-24F;
  const auto zero = Vectors::all(0.0F);
  Vectors::Floats squares = zero;
  for (std::size_t j = 0; j < job.d; j++) {
    const auto x = Vectors::load(points + j * tile_points);
    squares = Vectors::add_product(x, x, squares);
  }
  const auto by_scores = Vectors::all(static_cast<float>(job.d + 3) * u);
  const auto by_distances = Vectors::all(static_cast<float>(job.d + 4) * u);
  const auto tiny = Vectors::all(static_cast<float>(job.d) * 0x1p-126F);
  const auto products = Vectors::add_product(Vectors::root(squares), Vectors::all(2 * job.reach),
                                             Vectors::all(job.reach * job.reach));
  const auto distance = Vectors::larger(zero, Vectors::add_product(best, Vectors::all(2.0F), squares));
  const auto margin = Vectors::add_product(products, by_scores, Vectors::add_product(distance, by_distances, tiny));
  return Vectors::bits(Vectors::is_less(margin, Vectors::subtract(second, best)));
}

/// Labels of V vectors of points. @returns how many points were inside the margin.
template <int D, int V>
inline int label_vectors_by_scores(const TileJob& job, const float* points, std::int32_t* labels) {
  constexpr int count = V * Vectors::lanes;
  BestBlock<V> found;
  for (std::size_t block = 0; block < job.blocks; block++) {
    Vectors::Floats least[V]{};
    score_block<D, V>(job, points, block, least);
    for (int v = 0; v < V; v++) found.offer(v, least[v], static_cast<std::int32_t>(block));
  }
  std::uint64_t certain = 0;
  for (int v = 0; v < V; v++) {
    const std::uint64_t bits = certain_lanes(job, points + v * Vectors::lanes, found.best[v], found.second[v]);
    certain |= bits << (v * Vectors::lanes);
    Vectors::store(labels + v * Vectors::lanes, found.block[v]);
  }
  const int undecided = count - __builtin_popcountll(certain);
  if (undecided > count / 4) {
    label_vectors<V>(job, points, labels);
    return undecided;
  }
  for (int p = 0; p < count; p += 4) nearest_of_blocks<D>(job, points + p, labels + p);
  constexpr std::uint64_t everyone = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  for (std::uint64_t open = everyone & ~certain; open != 0; open &= open - 1) {
    const int p = __builtin_ctzll(open);
    labels[p] = nearest_of_all(job, points + p);
  }
  return undecided;
}

template <int D>
inline int label_tile_by_scores_of(const TileJob& job, const float* tile, std::int32_t* labels) {
  constexpr int V = Vectors::block_vectors;
  int undecided = 0;
  for (std::size_t p = 0; p < tile_points; p += V * Vectors::lanes) {
    undecided += label_vectors_by_scores<D, V>(job, tile + p, labels + p);
  }
  return undecided;
}

/// Labels of a tile as positions among the packed centroids. @returns points inside the margin.
inline int label_tile_by_scores(const TileJob& job, const float* tile, std::int32_t* labels) {
  switch (job.d) {
    case 1: return label_tile_by_scores_of<1>(job, tile, labels);
    case 2: return label_tile_by_scores_of<2>(job, tile, labels);
    case 3: return label_tile_by_scores_of<3>(job, tile, labels);
    case 4: return label_tile_by_scores_of<4>(job, tile, labels);
    case 8: return label_tile_by_scores_of<8>(job, tile, labels);
    default: return label_tile_by_scores_of<0>(job, tile, labels);
  }
}

}  // namespace
}  // namespace centroid_lab

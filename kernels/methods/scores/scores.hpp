// Labels by scores s = |c|^2/2 - x.c, half the multiply-adds of distances: |x-c|^2 = |x|^2 + 2s.
//
// Scores only choose a unit, a block of sixteen centroids or a single one; inside a block distances decide. The number
// of the unit takes the lowest bits of its score, so that one minimum finds both. Points inside the margin that
// proof.md derives are decided by distances to all centroids: labels are those of exact arithmetic (methods/canonical).
// Included once per instruction set, after distances.hpp.
#pragma once

#include "methods/tiles/panels.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Units numbered in the low bits of their score, at most: a chapter.
constexpr std::int32_t units_of_chapter = 64;

/// The low bits that number `units` units: as few as will do, for the number takes the place of digits of the score.
inline std::int32_t tag_mask_for(std::size_t units) {
  std::int32_t mask = 1;
  while (mask + 1 < units_of_chapter && static_cast<std::size_t>(mask) + 1 < units) mask = 2 * mask + 1;
  return mask;
}

/// Beyond every score.
constexpr float no_score = 1e38F;

/// Smallest and second smallest score of V vectors of points.
template <int V>
struct TopTwo {
  Vectors::Floats best[V];
  Vectors::Floats second[V];

  TopTwo() {
    for (int v = 0; v < V; v++) best[v] = second[v] = Vectors::all(no_score);
  }

  void offer(int v, Vectors::Floats score) {
    second[v] = Vectors::smaller(second[v], Vectors::larger(score, best[v]));
    best[v] = Vectors::smaller(best[v], score);
  }
};

/// The best unit of all chapters.
template <int V>
struct BestUnits : TopTwo<V> {
  Vectors::Integers unit[V];
  std::int32_t tag_mask = 0;

  BestUnits() {
    for (auto& number : unit) number = Vectors::all(std::int32_t{0});
  }

  void close(const TopTwo<V>& chapter, std::int32_t first) {
    for (int v = 0; v < V; v++) {
      const auto better = Vectors::is_less(chapter.best[v], this->best[v]);
      const auto tag = Vectors::tag_of(chapter.best[v], Vectors::all(tag_mask));
      unit[v] = Vectors::choose(better, Vectors::add(tag, Vectors::all(first)), unit[v]);
      this->second[v] = Vectors::smaller(this->second[v], chapter.second[v]);
      this->offer(v, chapter.best[v]);
    }
  }
};

/// Scores of V vectors of points against G centroids of a block, from place `first` on. D > 0: the number of features
/// is known.
template <int D, int V, int G>
inline void score_group(const TileJob& job, const float* points, std::size_t block, std::size_t first,
                        Vectors::Floats (&score)[V][G]) {
  const std::size_t d = D > 0 ? D : job.d;
  const float* half_norms = job.half_norms + block * block_size + first;
  const float* centroids = job.centroids + block * d * block_size + first;
  for (int g = 0; g < G; g++) {
    const auto half_norm = Vectors::all(half_norms[g]);
    for (int v = 0; v < V; v++) score[v][g] = half_norm;
  }
  for (std::size_t j = 0; j < d; j++) {
    Vectors::Floats x[V];
    for (int v = 0; v < V; v++) x[v] = Vectors::hold(points + j * tile_points + v * Vectors::lanes);
    for (int g = 0; g < G; g++) {
      const auto centroid = Vectors::all(centroids[j * block_size + g]);
      for (int v = 0; v < V; v++) score[v][g] = Vectors::subtract_product(x[v], centroid, score[v][g]);
    }
  }
}

/// Centroids whose scores are in registers at once: few leave room for the points, many need fewer loads.
template <int D>
constexpr int group_for() {
  if (D > 0 && D <= 4) return 1;
  return D > 0 ? 2 : Vectors::block_centroids;
}

/// The smallest of the scores of G centroids of a block and of `least`.
template <int D, int V>
inline void lower_least(const TileJob& job, const float* points, std::size_t block, std::size_t first,
                        Vectors::Floats (&least)[V]) {
  constexpr int G = group_for<D>();
  Vectors::Floats score[V][G];
  score_group<D, V, G>(job, points, block, first, score);
  for (int g = 0; g < G; g++) {
    for (int v = 0; v < V; v++) least[v] = Vectors::smaller(least[v], score[v][g]);
  }
}

/// Offers the smallest score of a block.
template <int D, int V>
inline void offer_block(const TileJob& job, const float* points, std::size_t block, Vectors::Integers number,
                        Vectors::Integers tag_mask, TopTwo<V>& chapter) {
  Vectors::Floats least[V];
  for (auto& value : least) value = Vectors::all(no_score);
  if constexpr (D > 0 && D <= 4) {
    // Unrolled: the counting would take the ports of the products.
#pragma GCC unroll 16
    for (std::size_t first = 0; first < block_size; first++) lower_least<D, V>(job, points, block, first, least);
  } else {
#pragma GCC unroll 1
    for (std::size_t first = 0; first < block_size; first += group_for<D>()) {
      lower_least<D, V>(job, points, block, first, least);
    }
  }
  for (int v = 0; v < V; v++) chapter.offer(v, Vectors::tagged(least[v], tag_mask, number));
}

/// Offers the score of every centroid of a block, numbered from `number` on. Of the copies in the last block only those that
/// fill a group are offered.
template <int D, int V>
inline void offer_each(const TileJob& job, const float* points, std::size_t block, Vectors::Integers number,
                       Vectors::Integers tag_mask, TopTwo<V>& chapter) {
  constexpr int G = group_for<D>();
  const std::size_t left = job.live - block * block_size;
  const std::size_t filled = left < block_size ? left : block_size;
#pragma GCC unroll 1
  for (std::size_t first = 0; first < filled; first += G) {
    Vectors::Floats score[V][G];
    score_group<D, V, G>(job, points, block, first, score);
    for (int g = 0; g < G; g++) {
      for (int v = 0; v < V; v++) chapter.offer(v, Vectors::tagged(score[v][g], tag_mask, number));
      number = Vectors::add(number, Vectors::all(std::int32_t{1}));
    }
  }
}

/// The best units of a chapter, for V vectors of points: blocks first..last-1 or, with `Each`, their centroids. Not
/// inlined: what its callers keep would take registers from the loop.
template <int D, int V, bool Each>
__attribute__((noinline)) void search_chapter(const TileJob& job, const float* points, std::size_t first,
                                              std::size_t last, std::int32_t mask, TopTwo<V>& chapter) {
  TopTwo<V> found;
  const auto tag_mask = Vectors::all(mask);
  auto number = Vectors::all(std::int32_t{0});
  for (std::size_t block = first; block < last; block++) {
    if constexpr (Each) offer_each<D, V>(job, points, block, number, tag_mask, found);
    else offer_block<D, V>(job, points, block, number, tag_mask, found);
    number = Vectors::add(number, Vectors::all(static_cast<std::int32_t>(Each ? block_size : 1)));
  }
  chapter = found;
}

/// The best units of V vectors of points.
template <int D, int V, bool Each>
inline void search_units(const TileJob& job, const float* points, BestUnits<V>& found) {
  constexpr std::size_t units_of_block = Each ? block_size : 1;
  constexpr std::size_t blocks_of_chapter = units_of_chapter / units_of_block;
  const std::int32_t mask = tag_mask_for(job.blocks * units_of_block);
  found.tag_mask = mask;
  for (std::size_t first = 0; first < job.blocks; first += blocks_of_chapter) {
    const std::size_t last = job.blocks - first < blocks_of_chapter ? job.blocks : first + blocks_of_chapter;
    TopTwo<V> chapter;
    search_chapter<D, V, Each>(job, points, first, last, mask, chapter);
    found.close(chapter, static_cast<std::int32_t>(first * units_of_block));
  }
}

/// Centroids further from the origin than this, twice squared, over |x|^2 and the squared distance, are no rivals (proof.md):
/// a few far ones do not widen the margin of all points.
constexpr float reach_of_rivals = 10.0F;

/// Squared lengths of V vectors of points of a tile, as the session knows them or computed.
template <int V>
inline void squares_of(const TileJob& job, const float* points, Vectors::Floats (&squares)[V]) {
  if (job.squares != nullptr) {
    const std::size_t at = static_cast<std::size_t>(points - job.tiles);
    const float* known = job.squares + at / (tile_points * job.d) * tile_points + at % tile_points;
    for (int v = 0; v < V; v++) squares[v] = Vectors::load(known + v * Vectors::lanes);
    return;
  }
  for (auto& sum : squares) sum = Vectors::all(0.0F);
  for (std::size_t j = 0; j < job.d; j++) {
    for (int v = 0; v < V; v++) {
      const auto x = Vectors::load(points + j * tile_points + v * Vectors::lanes);
      squares[v] = Vectors::add_product(x, x, squares[v]);
    }
  }
}

/// What another unit's score must exceed the best one by, for V vectors of points (proof.md).
/// @param steps products and additions that a coordinate goes through in a score
template <int V>
inline void margins(const TileJob& job, const float* points, const BestUnits<V>& found, std::size_t steps,
                    Vectors::Floats (&margin)[V]) {
  const float u = 1.01F * 0x1p-24F;
  const auto zero = Vectors::all(0.0F);
  Vectors::Floats squares[V];
  squares_of<V>(job, points, squares);
  const auto by_scores = Vectors::all(static_cast<float>(steps + 3) * u);
  const auto by_tags = Vectors::all(1.01F * static_cast<float>(found.tag_mask + 1) * 0x1p-23F);
  const auto tiny = Vectors::all(static_cast<float>(job.d + 64) * 0x1p-126F);
  const auto of_all = Vectors::all(2 * job.reach.all * job.reach.all);
  const auto of_inner = Vectors::all(2 * job.reach.inner * job.reach.inner);
  const auto outer = Vectors::all(2 * job.reach.outer * job.reach.outer);
  for (int v = 0; v < V; v++) {
    const auto best = found.best[v];
    const auto distance = Vectors::larger(zero, Vectors::add_product(best, Vectors::all(2.0F), squares[v]));
    const auto near = Vectors::add_product(Vectors::add(squares[v], distance), Vectors::all(reach_of_rivals), zero);
    const auto known = Vectors::choose(Vectors::is_less(near, outer), of_inner, of_all);
    const auto products = Vectors::add(squares[v], Vectors::smaller(known, near));
    const auto magnitudes = Vectors::add(Vectors::magnitude(best), Vectors::magnitude(found.second[v]));
    margin[v] = Vectors::add_product(magnitudes, by_tags, Vectors::add_product(products, by_scores, tiny));
  }
}

/// Points whose best unit is certain, one bit each.
template <int V>
inline std::uint64_t certain_points(const BestUnits<V>& found, const Vectors::Floats (&margin)[V]) {
  std::uint64_t certain = 0;
  for (int v = 0; v < V; v++) {
    const auto bits = Vectors::bits(Vectors::is_less(margin[v], Vectors::subtract(found.second[v], found.best[v])));
    certain |= static_cast<std::uint64_t>(bits) << (v * Vectors::lanes);
  }
  return certain;
}

/// Labels of V vectors of points from their best units. @returns how many points were inside the margin.
template <int D, int V, bool Each>
inline int decide_vectors(const TileJob& job, const float* points, const BestUnits<V>& found, std::int32_t* labels) {
  constexpr int count = V * Vectors::lanes;
  Vectors::Floats margin[V];
  margins<V>(job, points, found, job.d, margin);
  const std::uint64_t certain = certain_points<V>(found, margin);
  for (int v = 0; v < V; v++) Vectors::store(labels + v * Vectors::lanes, found.unit[v]);
  const int undecided = count - __builtin_popcountll(certain);
  if (undecided > count / 4) {
    label_vectors<V>(job, points, labels);
    return undecided;
  }
  for (int p = 0; !Each && p < count; p += points_together) {
    nearest_of_blocks<D>(job, points + p, certain >> p, labels + p);
  }
  for (std::uint64_t open = all_points<V>() & ~certain; open != 0; open &= open - 1) {
    const int p = __builtin_ctzll(open);
    labels[p] = nearest_of_all(job, points + p);
  }
  return undecided;
}

/// Labels of V vectors of points. @returns how many points were inside the margin.
template <int D, int V, bool Each>
inline int label_vectors_by_scores(const TileJob& job, const float* points, std::int32_t* labels) {
  BestUnits<V> found;
  search_units<D, V, Each>(job, points, found);
  return decide_vectors<D, V, Each>(job, points, found, labels);
}

/// The best of a chapter's centroids for V vectors of points whose scores lie at `sums`.
template <int V>
inline void search_sums(const float* sums, std::size_t count, std::int32_t mask, TopTwo<V>& chapter) {
  const auto tag_mask = Vectors::all(mask);
  auto number = Vectors::all(std::int32_t{0});
  for (std::size_t c = 0; c < count; c++) {
    for (int v = 0; v < V; v++) {
      const auto score = Vectors::load(sums + c * tile_points + v * Vectors::lanes);
      chapter.offer(v, Vectors::tagged(score, tag_mask, number));
    }
    number = Vectors::add(number, Vectors::all(std::int32_t{1}));
  }
}

/// Numbering every centroid costs about 2.75 operations a pair more, deciding inside a block 2 d + 15 a point.
inline bool each_pays(const TileJob& job) { return 11 * job.live < 64 * (2 * job.d + 15); }

/// Scores of few centroids and many features are taken by panels (panels.hpp). With more, the points of a tile are read
/// so often that waiting for them does not count.
inline bool by_panels(const TileJob& job) {
  return job.d >= min_panel_features && job.live <= panel_chapters * panel_centroids && each_pays(job);
}

/// Scores taken in vectors in the time of one step of an exact choice, about.
constexpr std::size_t scores_of_choice = 5;

/// The nearest of those centroids whose score comes within the margin of a point's least, exactly.
__attribute__((noinline)) std::int32_t nearest_of_scores(const TileJob& job, const float* point, const float* scores,
                                                         float margin) {
  float least = scores[0];
  for (std::size_t c = 1; c < job.live; c++) {
    if (scores[c * tile_points] < least) least = scores[c * tile_points];
  }
  ExactChoice choice(point, tile_points, block_size, job.d);
  for (std::size_t c = 0; c < job.live; c++) {
    if (scores[c * tile_points] - least > margin) continue;
    choice.offer(job.centroids + c / block_size * job.d * block_size + c % block_size, static_cast<std::int32_t>(c));
  }
  return choice.nearest();
}

/// Labels of V vectors of points whose scores are at hand. @returns how many points were inside the margin.
template <int V>
inline int decide_by_sums(const TileJob& job, const float* points, const float* scores, const BestUnits<V>& found,
                          std::int32_t* labels) {
  constexpr int count = V * Vectors::lanes;
  Vectors::Floats margin[V];
  margins<V>(job, points, found, steps_of_panels(job), margin);
  const std::uint64_t open = all_points<V>() & ~certain_points<V>(found, margin);
  for (int v = 0; v < V; v++) Vectors::store(labels + v * Vectors::lanes, found.unit[v]);
  if (open == 0) return 0;
  const std::size_t undecided = static_cast<std::size_t>(__builtin_popcountll(open));
  if (undecided * scores_of_choice * Vectors::lanes > count * job.live) {
    label_vectors<V>(job, points, labels);
    return static_cast<int>(undecided);
  }
  alignas(64) float widths[count];
  for (int v = 0; v < V; v++) Vectors::store(widths + v * Vectors::lanes, margin[v]);
  for (std::uint64_t left = open; left != 0; left &= left - 1) {
    const int p = __builtin_ctzll(left);
    labels[p] = nearest_of_scores(job, points + p, scores + p, widths[p]);
  }
  return static_cast<int>(undecided);
}

/// Many features: scores by panels, every centroid a unit. @returns points inside the margin.
inline int label_tile_by_panels(const TileJob& job, const float* tile, std::int32_t* labels) {
  constexpr int V = Vectors::block_vectors;
  constexpr std::size_t step = V * Vectors::lanes;
  static_assert(panel_centroids == units_of_chapter);
  BestUnits<V> found[tile_points / step];
  const std::int32_t mask = tag_mask_for(job.live);
  PanelScores scores;
  for (std::size_t first = 0; first < job.live; first += panel_centroids) {
    const std::size_t last = job.live - first < panel_centroids ? job.live : first + panel_centroids;
    float* const of_chapter = scores.of + first * tile_points;
    score_by_panels(job, tile, first, last, of_chapter);
    for (std::size_t part = 0; part < tile_points / step; part++) {
      TopTwo<V> chapter;
      search_sums<V>(of_chapter + part * step, last - first, mask, chapter);
      found[part].tag_mask = mask;
      found[part].close(chapter, static_cast<std::int32_t>(first));
    }
  }
  int undecided = 0;
  for (std::size_t part = 0; part < tile_points / step; part++) {
    const std::size_t p = part * step;
    undecided += decide_by_sums<V>(job, tile + p, scores.of + p, found[part], labels + p);
  }
  return undecided;
}

template <int D, bool Each>
inline int label_tile_by_scores_of(const TileJob& job, const float* tile, std::int32_t* labels) {
  constexpr int V = Vectors::block_vectors;
  int undecided = 0;
  for (std::size_t p = 0; p < tile_points; p += V * Vectors::lanes) {
    undecided += label_vectors_by_scores<D, V, Each>(job, tile + p, labels + p);
  }
  return undecided;
}

template <int D>
inline int label_tile_by_scores_for(const TileJob& job, const float* tile, std::int32_t* labels) {
  if (D == 0 && by_panels(job)) return label_tile_by_panels(job, tile, labels);
  if (each_pays(job)) return label_tile_by_scores_of<D, true>(job, tile, labels);
  return label_tile_by_scores_of<D, false>(job, tile, labels);
}

/// Labels of a tile as positions among the packed centroids. @returns points inside the margin.
inline int label_tile_by_scores(const TileJob& job, const float* tile, std::int32_t* labels) {
  switch (job.d) {
    case 1: return label_tile_by_scores_for<1>(job, tile, labels);
    case 2: return label_tile_by_scores_for<2>(job, tile, labels);
    case 3: return label_tile_by_scores_for<3>(job, tile, labels);
    case 4: return label_tile_by_scores_for<4>(job, tile, labels);
    case 8: return label_tile_by_scores_for<8>(job, tile, labels);
    default: return label_tile_by_scores_for<0>(job, tile, labels);
  }
}

}  // namespace
}  // namespace centroid_lab

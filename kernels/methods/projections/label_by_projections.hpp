// Labels of a tile from projections: a lower bound of every distance decides which few are computed. See proof.md.
// Included once per instruction set, after methods/scores.
#pragma once

#include "methods/projections/projection_job.hpp"
#include "methods/tiles/distances.hpp"
// After the distances that it decides by.
#include "methods/scores/scores.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Centroids whose bounds are held at once.
constexpr std::size_t chapter_centroids = 128;
/// Centroids that rounding cannot tell apart, at most; beyond, all of them are looked at.
constexpr int max_close = 8;

/// A distance in many chains side by side: not the one that decides, but within the bound of proof.md of it.
inline float quick_distance(const float* a, const float* b, std::size_t d) {
  constexpr std::size_t lanes = Vectors::lanes;
  constexpr std::size_t chains = 4;
  Vectors::Floats sums[chains];
  for (auto& sum : sums) sum = Vectors::all(0.0F);
  std::size_t j = 0;
  for (; j + chains * lanes <= d; j += chains * lanes) {
    for (std::size_t chain = 0; chain < chains; chain++) {
      const std::size_t at = j + chain * lanes;
      const auto difference = Vectors::subtract(Vectors::load(a + at), Vectors::load(b + at));
      sums[chain] = Vectors::add_product(difference, difference, sums[chain]);
    }
  }
  for (; j + lanes <= d; j += lanes) {
    const auto difference = Vectors::subtract(Vectors::load(a + j), Vectors::load(b + j));
    sums[0] = Vectors::add_product(difference, difference, sums[0]);
  }
  float rest = 0;
  for (; j < d; j++) rest += (a[j] - b[j]) * (a[j] - b[j]);
  return Vectors::sum_of_lanes(Vectors::add(Vectors::add(sums[0], sums[1]), Vectors::add(sums[2], sums[3]))) + rest;
}

/// What is known of the points of a tile.
struct Known {
  /// Computed distance of the nearest so far, and those that rounding cannot tell from it.
  float best[tile_points];
  std::int32_t close[tile_points][max_close];
  int count[tile_points];
  /// Scores above this rule a centroid out.
  alignas(64) float limit[tile_points];
  /// Least score of a chapter, and whose it is (a position among the packed centroids).
  alignas(64) float least[tile_points];
  alignas(64) std::int32_t slot[tile_points];
  /// Evaluated before any chapter, as a cluster; -1: none.
  std::int32_t guess[tile_points];
};

/// Bounds of proof.md for one tile.
struct Slack {
  /// Of a distance against another, relative, and in full.
  float relative;
  float least;
  /// Of a score, to be multiplied by |p|^2 + 2 reach^2.
  float score;
  float reach_squared;
};

inline Slack slack_of(const TileJob& job, const ProjectionJob& projections) {
  const float u = 1.01F * 0x1p-24F;
  const float reach = projections.projected.reach.all;
  const float roots = 1.02F * __builtin_sqrtf(static_cast<float>(job.d + 16));
  return {4 * static_cast<float>(job.d + 8) * u, static_cast<float>(job.d + 64) * 0x1p-126F,
          (static_cast<float>(projections.projected.d + 16) + roots) * u, 2 * reach * reach};
}

/// Takes a computed distance of point p to cluster `index`.
inline void take(Known& known, const Slack& slack, float squares, std::size_t p, float distance, std::int32_t index) {
  const float best = known.best[p];
  if (distance > best * (1 + slack.relative) + slack.least) return;
  if (distance < best * (1 - slack.relative) - slack.least) known.count[p] = 0;
  if (known.count[p] < max_close) known.close[p][known.count[p]] = index;
  known.count[p]++;
  if (!(distance < best)) return;
  known.best[p] = distance;
  const float bound = distance * (1 + slack.relative) + slack.least;
  const float margin = slack.score * (squares + slack.reach_squared) + slack.least;
  known.limit[p] = 0.5F * ((bound - squares) + margin);
}

/// Scores of the projected points against centroids first..last-1 (whole blocks), and the least of them.
template <int V>
inline void score_chapter(const TileJob& projected, const float* points, std::size_t first, std::size_t last,
                          float* scores, Known& known, std::size_t p) {
  constexpr int G = Vectors::block_centroids;
  Nearest<V> nearest;
  for (std::size_t c = first; c < last; c += G) {
    Vectors::Floats score[V][G];
    score_group<0, V, G>(projected, points, c / block_size, c % block_size, score);
    for (int g = 0; g < G; g++) {
      for (int v = 0; v < V; v++) {
        nearest.offer(v, score[v][g], Vectors::all(static_cast<std::int32_t>(c) + g));
        Vectors::store(scores + (c - first + static_cast<std::size_t>(g)) * tile_points + v * Vectors::lanes, score[v][g]);
      }
    }
  }
  for (int v = 0; v < V; v++) {
    Vectors::store(known.least + p + v * Vectors::lanes, nearest.distance[v]);
    Vectors::store(known.slot + p + v * Vectors::lanes, nearest.index[v]);
  }
}

/// Bits of the points whose score is within their limit.
inline std::uint64_t within(const float* scores, const float* limits) {
  std::uint64_t bits = 0;
  for (std::size_t p = 0; p < tile_points; p += Vectors::lanes) {
    const auto outside = Vectors::is_less(Vectors::load(limits + p), Vectors::load(scores + p));
    const std::uint64_t all = (std::uint64_t{1} << Vectors::lanes) - 1;
    bits |= (all & ~static_cast<std::uint64_t>(Vectors::bits(outside))) << p;
  }
  return bits;
}

inline std::int32_t cluster_at(const TileJob& projected, std::size_t slot) {
  return projected.original == nullptr ? static_cast<std::int32_t>(slot) : projected.original[slot];
}

/// The exactly nearest of all centroids in play, for a point that nothing else decides.
inline std::int32_t nearest_by_all(const TileJob& job, const ProjectionJob& projections, const float* point) {
  const TileJob& projected = projections.projected;
  const auto row = [&](std::size_t at) {
    return projections.centroids + static_cast<std::size_t>(cluster_at(projected, at)) * job.d;
  };
  float smallest = __builtin_inff();
  for (std::size_t at = 0; at < projected.live; at++) {
    const float distance = quick_distance(point, row(at), job.d);
    smallest = distance < smallest ? distance : smallest;
  }
  const float bound = smallest * job.near.factor + job.near.rest;
  ExactChoice choice(point, 1, 1, job.d);
  for (std::size_t at = 0; at < projected.live; at++) {
    if (!(quick_distance(point, row(at), job.d) > bound)) choice.offer(row(at), cluster_at(projected, at));
  }
  return choice.nearest();
}

/// The exactly nearest of those that rounding cannot tell apart, the lowest index among equals.
inline std::int32_t decide(const TileJob& job, const ProjectionJob& projections, Known& known, const float* point,
                           std::size_t p) {
  const int count = known.count[p];
  std::int32_t* close = known.close[p];
  if (count == 1) return close[0];
  if (count > max_close || count == 0) return nearest_by_all(job, projections, point);
  ExactChoice choice(point, 1, 1, job.d);
  for (int i = 0; i < count; i++) {
    for (int other = i + 1; other < count; other++) {
      const std::int32_t larger = close[i] > close[other] ? close[i] : close[other];
      close[i] = close[i] > close[other] ? close[other] : close[i];
      close[other] = larger;
    }
    choice.offer(projections.centroids + static_cast<std::size_t>(close[i]) * job.d, close[i]);
  }
  return choice.nearest();
}

/// Every point begins with the cluster it was in, where there is one.
inline void begin_known(const TileJob& job, const ProjectionJob& projections, const Slack& slack, std::size_t tile,
                        std::size_t count, Known& known) {
  const std::size_t start = tile * tile_points;
  for (std::size_t p = 0; p < tile_points; p++) {
    known.best[p] = __builtin_inff();
    known.count[p] = 0;
    known.guess[p] = -1;
    known.limit[p] = p < count ? __builtin_inff() : -__builtin_inff();
  }
  if (job.fresh || job.original != nullptr) return;
  for (std::size_t p = 0; p < count; p++) {
    const std::size_t at = start + p;
    std::int32_t guess = 0;
    switch (job.label_bytes) {
      case LabelBytes::one: guess = static_cast<const std::uint8_t*>(job.labels)[at]; break;
      case LabelBytes::two: guess = static_cast<const std::uint16_t*>(job.labels)[at]; break;
      case LabelBytes::four: guess = static_cast<const std::int32_t*>(job.labels)[at]; break;
    }
    known.guess[p] = guess;
    const float* centroid = projections.centroids + static_cast<std::size_t>(guess) * job.d;
    take(known, slack, projections.squares[at], p, quick_distance(job.rows + at * job.d, centroid, job.d), guess);
  }
}

/// Computes the distances of a chapter that its scores do not rule out, the likeliest first.
inline int look_at_chapter(const TileJob& job, const ProjectionJob& projections, const Slack& slack, std::size_t tile,
                           std::size_t count, const float* scores, std::size_t first, std::size_t last, Known& known) {
  const std::size_t start = tile * tile_points;
  int computed = 0;
  const auto compute = [&](std::size_t p, std::int32_t cluster) {
    if (cluster == known.guess[p]) return;
    const std::size_t at = start + p;
    const float* centroid = projections.centroids + static_cast<std::size_t>(cluster) * job.d;
    const float distance = quick_distance(job.rows + at * job.d, centroid, job.d);
    take(known, slack, projections.squares[at], p, distance, cluster);
    computed++;
  };
  for (std::size_t p = 0; p < count; p++) {
    if (known.least[p] > known.limit[p]) continue;
    compute(p, cluster_at(projections.projected, static_cast<std::size_t>(known.slot[p])));
  }
  for (std::size_t c = first; c < last; c++) {
    const float* row = scores + (c - first) * tile_points;
    for (std::uint64_t left = within(row, known.limit); left != 0; left &= left - 1) {
      const std::size_t p = static_cast<std::size_t>(__builtin_ctzll(left));
      if (static_cast<std::size_t>(known.slot[p]) == c) continue;
      compute(p, cluster_at(projections.projected, c));
    }
  }
  return computed;
}

/// Labels of a tile, as clusters. @returns distances that were computed
inline int label_tile_by_projections(const TileJob& job, std::size_t tile, std::int32_t* labels) {
  const ProjectionJob& projections = *job.projections;
  const TileJob& projected = projections.projected;
  const std::size_t left = job.n - tile * tile_points;
  const std::size_t count = left < tile_points ? left : tile_points;
  const float* rows = job.rows + tile * tile_points * job.d;
  for (std::size_t p = count; p < tile_points; p++) labels[p] = 0;
  if (!projections.usable) {
    for (std::size_t p = 0; p < count; p++) labels[p] = nearest_by_all(job, projections, rows + p * job.d);
    return static_cast<int>(count);
  }
  const Slack slack = slack_of(job, projections);
  Known known;
  begin_known(job, projections, slack, tile, count, known);
  const float* points = projected.tiles + tile * tile_points * projected.d;
  alignas(64) float scores[chapter_centroids * tile_points];
  constexpr int V = Vectors::block_vectors;
  constexpr std::size_t step = V * Vectors::lanes;
  int computed = 0;
  for (std::size_t first = 0; first < projected.live; first += chapter_centroids) {
    const std::size_t packed = projected.blocks * block_size;
    const std::size_t end = packed - first < chapter_centroids ? packed : first + chapter_centroids;
    for (std::size_t p = 0; p < tile_points; p += step) {
      score_chapter<V>(projected, points + p, first, end, scores + p, known, p);
    }
    const std::size_t last = end < projected.live ? end : projected.live;
    computed += look_at_chapter(job, projections, slack, tile, count, scores, first, last, known);
  }
  for (std::size_t p = 0; p < count; p++) labels[p] = decide(job, projections, known, rows + p * job.d, p);
  return computed;
}

}  // namespace
}  // namespace centroid_lab

// Scores of many features by panels: those of 64 points over 64 or 128 features stay near the processor while all
// centroids of a chapter pass by, and the panel after it is on its way from memory. Every panel has a sum of its own, added
// to those before it: sums of parts round less than one chain over all features (methods/scores/proof.md).
// Included once per instruction set, after its vectors.
#pragma once

#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Centroids whose scores wait beside a panel, and how many times so many are kept until the points are decided.
constexpr std::size_t panel_centroids = 64;
constexpr std::size_t panel_chapters = 2;
/// Features from which panels are ahead: below, a tile stays in the cache by itself, where a vector takes whole lines of it.
constexpr std::size_t min_panel_features = Vectors::lanes == 16 ? 48 : 32;
/// Features between two requests for memory.
constexpr std::size_t features_between_requests = 8;

/// Scores of a tile: [centroid][64 points].
struct PanelScores {
  alignas(64) float of[panel_chapters * panel_centroids * tile_points];
};

/// What is asked for while a panel is worked on, a few rows of 64 points at a time.
struct Ahead {
  const float* next;
  const float* end;
  std::size_t rows;

  void ask() {
    for (std::size_t row = 0; row < rows && next < end; row++, next += tile_points) {
      for (std::size_t at = 0; at < tile_points; at += 16) __builtin_prefetch(next + at, 0, 2);
    }
  }
};

/// Panels are of so many features at most: of few panels the sums wait less, but where few centroids pass by, a panel has to
/// be in the first-level cache from the first of them on.
inline std::size_t panels_of(const TileJob& job) {
  const std::size_t features = job.live <= block_size ? 64 : 128;
  return (job.d + features - 1) / features;
}

/// Products and additions that a coordinate goes through until it is in a score, at most.
inline std::size_t steps_of_panels(const TileJob& job) {
  const std::size_t panels = panels_of(job);
  return (job.d + panels - 1) / panels + panels;
}

/// One feature more of V vectors of points and G centroids.
template <int V, int G>
inline void advance(const float* points, const float* centroids, Vectors::Floats (&sum)[V][G]) {
  Vectors::Floats x[V];
  for (int v = 0; v < V; v++) x[v] = Vectors::hold(points + v * Vectors::lanes);
  for (int g = 0; g < G; g++) {
    const auto centroid = Vectors::all(centroids[g]);
    for (int v = 0; v < V; v++) sum[v][g] = Vectors::subtract_product(x[v], centroid, sum[v][g]);
  }
}

/// Takes the products of `features` of V vectors of points and G neighbouring centroids of a block from `starts` or, where
/// that is null, from what waits at `sums`. Not inlined: what its callers keep would take registers from the loop.
template <int V, int G>
__attribute__((noinline)) void advance_group(const float* points, const float* centroids, std::size_t features,
                                             const float* starts, float* sums, Ahead& ahead) {
  Vectors::Floats sum[V][G];
  for (int g = 0; g < G; g++) {
    for (int v = 0; v < V; v++) sum[v][g] = Vectors::all(starts != nullptr ? starts[g] : 0.0F);
  }
  const float* const end = points + features * tile_points;
  const float* const full = end - features % features_between_requests * tile_points;
  while (points < full) {
    ahead.ask();
#pragma GCC unroll 8
    for (std::size_t j = 0; j < features_between_requests; j++) {
      advance<V, G>(points + j * tile_points, centroids + j * block_size, sum);
    }
    points += features_between_requests * tile_points;
    centroids += features_between_requests * block_size;
  }
  for (; points < end; points += tile_points, centroids += block_size) advance<V, G>(points, centroids, sum);
  for (int g = 0; g < G; g++) {
    for (int v = 0; v < V; v++) {
      float* const at = sums + g * tile_points + v * Vectors::lanes;
      Vectors::store(at, starts != nullptr ? sum[v][g] : Vectors::add(Vectors::load(at), sum[v][g]));
    }
  }
}

/// All points of a tile with `count` centroids of a block, over features from..to-1.
inline void advance_block(const float* tile, const float* block, std::size_t count, std::size_t from, std::size_t to,
                          const float* starts, float* sums, Ahead& ahead) {
  constexpr int V = Vectors::block_vectors;
  constexpr int G = Vectors::block_centroids;
  const std::size_t features = to - from;
  const float* centroids = block + from * block_size;
  for (std::size_t p = 0; p < tile_points; p += V * Vectors::lanes) {
    const float* points = tile + from * tile_points + p;
    const auto begin_of = [&](std::size_t c) { return starts == nullptr ? nullptr : starts + c; };
    const auto sums_of = [&](std::size_t c) { return sums + c * tile_points + p; };
    std::size_t c = 0;
    for (; c + G <= count; c += G) {
      advance_group<V, G>(points, centroids + c, features, begin_of(c), sums_of(c), ahead);
    }
    if (count - c == 3) advance_group<V, 3>(points, centroids + c, features, begin_of(c), sums_of(c), ahead);
    if (count - c == 2) advance_group<V, 2>(points, centroids + c, features, begin_of(c), sums_of(c), ahead);
    if (count - c == 1) advance_group<V, 1>(points, centroids + c, features, begin_of(c), sums_of(c), ahead);
  }
}

/// The scores of all points of a tile with centroids first..last-1 (from the beginning of a block).
inline void score_by_panels(const TileJob& job, const float* tile, std::size_t first, std::size_t last, float* scores) {
  constexpr std::size_t side = Vectors::block_vectors * Vectors::lanes * Vectors::block_centroids;
  const std::size_t panels = panels_of(job);
  const std::size_t groups = (last - first) * tile_points / side + 1;
  for (std::size_t panel = 0; panel < panels; panel++) {
    const std::size_t from = panel * job.d / panels;
    const std::size_t to = (panel + 1) * job.d / panels;
    const float* next = tile + to * tile_points;
    Ahead ahead{next, next + (to - from + 1) * tile_points, features_between_requests / groups + 1};
    for (std::size_t c = first; c < last; c += block_size) {
      const std::size_t count = last - c < block_size ? last - c : block_size;
      const float* block = job.centroids + c * job.d;
      advance_block(tile, block, count, from, to, panel == 0 ? job.half_norms + c : nullptr,
                    scores + (c - first) * tile_points, ahead);
    }
  }
}

}  // namespace
}  // namespace centroid_lab

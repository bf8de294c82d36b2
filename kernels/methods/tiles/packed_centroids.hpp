// The layouts of `fused`: points in tiles, centroids in blocks (tiles.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aligned.hpp"
#include "thread_pool.hpp"
#include "methods/tiles/centroids_in_play.hpp"
#include "methods/tiles/tiles.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Points transposed to [tile][feature][64], padded with zeros. O(n d), parallel.
Aligned<float> tiles_of(const Points& points, ThreadPool& pool);

/// Squared lengths of the points in those tiles; each is a sum of d squares in order. O(n d), parallel.
Aligned<float> squares_of(const Aligned<float>& tiles, std::size_t d, ThreadPool& pool);

/// One tile of them.
void fill_tile(const Points& points, std::size_t tile, float* to);

inline std::size_t tiles_for(std::size_t n) { return (n + tile_points - 1) / tile_points; }

/// The centroids in play, packed anew for every pass.
struct PackedCentroids {
  Aligned<float> values;
  Aligned<float> half_norms;
  std::vector<std::int32_t> original;
  std::size_t live = 0;
  std::size_t blocks = 0;
  Reach reach;
  /// No cluster is left out: positions are indices.
  bool complete = false;

  /// See CentroidsInPlay.
  void restart() { in_play_.restart(); }
  void keep_copies() { in_play_.keep_copies(); }

  /// Half norms are only there `for_scores`.
  void pack(const float* centroids, std::size_t k, std::size_t d, bool for_scores = true);

 private:
  void put(std::size_t at, const float* centroid, std::size_t d);
  void pad(std::size_t at, std::size_t d);
  Reach reach_of_all() const;

  CentroidsInPlay in_play_;
};

}  // namespace centroid_lab

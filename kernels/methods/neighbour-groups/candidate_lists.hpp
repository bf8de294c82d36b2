// The candidates of every group of points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/neighbour-groups/balls.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Puts the points, as they come (null) or in an order, into tiles (tiles.hpp). O(n d), parallel.
void fill_tiles(const Points& points, const std::uint32_t* order, ThreadPool& pool, float* tiles);

/// Balls around the groups; as many as are left over at the end of the last 64 are empty.
struct Balls {
  std::vector<float> middles;
  std::vector<float> radii;
  std::size_t groups = 0;

  /// @param tiles (n, d) in tiles.
  void measure(const BallKernels& kernels, const float* tiles, const Points& points, ThreadPool& pool);
};

/// For every group the positions, among the packed centroids, of those that may be nearest, ascending.
struct CandidateLists {
  std::vector<std::vector<std::int32_t>> members;
  std::vector<std::size_t> firsts;
  std::vector<std::size_t> counts;

  /// @returns false when cancelled.
  bool find(const BallKernels& kernels, const Balls& balls, const PackedCentroids& packed, std::size_t d, float skin,
            ThreadPool& pool, const CancelFlag& cancel);

  const std::int32_t* of(std::size_t group) const { return members[group / groups_at_once].data() + firsts[group]; }
};

}  // namespace centroid_lab

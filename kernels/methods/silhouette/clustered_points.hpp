// Points in the order of their clusters, as rows and as tiles, cut into blocks that lie within one cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aligned.hpp"
#include "pair_sums.hpp"

namespace centroid_lab {

/// Points x (n, d), row-major, and the cluster of each, 0..k-1. Not owned.
struct ClusteredInput {
  const float* x;
  std::size_t n;
  std::size_t d;
  const std::int32_t* labels;
  std::size_t k;
};

/// Neighbours in the order that belong to one cluster.
struct ClusterBlock {
  /// Slot of its first point in the order, and of its first tile.
  std::size_t first;
  std::size_t first_tile;
  std::size_t count;
  std::size_t cluster;
};

/// How points lie besides as rows.
enum class PointTiles {
  /// Every cluster begins a tile of its own.
  of_clusters,
  /// Points of any cluster fill a tile.
  packed,
  none,
};

class ClusteredPoints {
 public:
  /// Points of a block, at most: whole tiles.
  static constexpr std::size_t block_points = 1024;

  /// O(n d).
  ClusteredPoints(const ClusteredInput& input, PointTiles tiles);

  std::size_t points() const { return order_.size(); }
  std::size_t features() const { return d_; }
  std::size_t clusters() const { return starts_.size() - 1; }
  /// (k + 1) where the points of each cluster begin.
  const std::vector<std::size_t>& starts() const { return starts_; }
  std::size_t size_of(std::size_t cluster) const { return starts_[cluster + 1] - starts_[cluster]; }
  /// (n) points in their order.
  const std::vector<std::uint32_t>& order() const { return order_; }
  /// In the order of the points; where tiles are of clusters.
  const std::vector<ClusterBlock>& blocks() const { return blocks_; }
  const float* rows_from(std::size_t slot) const { return rows_.data() + slot * d_; }
  const float* tiles_from(std::size_t tile) const { return tiles_.data() + tile * pair_tile * d_; }
  /// (n) cluster of each point in the order.
  std::vector<std::size_t> clusters_in_order() const;
  /// No distance is larger.
  double largest_distance() const { return largest_distance_; }

 private:
  void order_points(const ClusteredInput& input);
  void copy_points(const ClusteredInput& input);
  void put_tiles(std::size_t first, std::size_t count, std::size_t tile);

  std::size_t d_;
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> order_;
  std::vector<ClusterBlock> blocks_;
  Aligned<float> rows_;
  Aligned<float> tiles_;
  double largest_distance_ = 0;
};

}  // namespace centroid_lab

#include "clustered_points.hpp"

#include <algorithm>
#include <cmath>

namespace centroid_lab {
namespace {

std::size_t tiles_of(std::size_t points) { return (points + pair_tile - 1) / pair_tile; }

}  // namespace

ClusteredPoints::ClusteredPoints(const ClusteredInput& input, PointTiles layout) : d_(input.d) {
  order_points(input);
  copy_points(input);
  if (layout == PointTiles::none) return;
  if (layout == PointTiles::packed) {
    tiles_.resize(tiles_of(points()) * pair_tile * d_);
    put_tiles(0, points(), 0);
    return;
  }
  std::size_t tiles = 0;
  for (std::size_t cluster = 0; cluster < clusters(); cluster++) {
    for (std::size_t at = starts_[cluster]; at < starts_[cluster + 1]; at += block_points) {
      const std::size_t count = std::min(block_points, starts_[cluster + 1] - at);
      blocks_.push_back({at, tiles, count, cluster});
      tiles += tiles_of(count);
    }
  }
  tiles_.resize(tiles * pair_tile * d_);
  for (const ClusterBlock& block : blocks_) put_tiles(block.first, block.count, block.first_tile);
}

std::vector<std::size_t> ClusteredPoints::clusters_in_order() const {
  std::vector<std::size_t> cluster_of(points());
  for (std::size_t cluster = 0; cluster < clusters(); cluster++) {
    for (std::size_t at = starts_[cluster]; at < starts_[cluster + 1]; at++) cluster_of[at] = cluster;
  }
  return cluster_of;
}

/// A counting sort.
void ClusteredPoints::order_points(const ClusteredInput& input) {
  starts_.assign(input.k + 1, 0);
  for (std::size_t i = 0; i < input.n; i++) starts_[static_cast<std::size_t>(input.labels[i]) + 1]++;
  for (std::size_t cluster = 0; cluster < input.k; cluster++) starts_[cluster + 1] += starts_[cluster];
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  order_.resize(input.n);
  for (std::size_t i = 0; i < input.n; i++) {
    order_[next[static_cast<std::size_t>(input.labels[i])]++] = static_cast<std::uint32_t>(i);
  }
}

void ClusteredPoints::copy_points(const ClusteredInput& input) {
  rows_.resize(input.n * d_);
  std::vector<float> largest(d_, 0.0F);
  for (std::size_t slot = 0; slot < input.n; slot++) {
    const float* from = input.x + order_[slot] * d_;
    std::copy(from, from + d_, rows_.begin() + static_cast<std::ptrdiff_t>(slot * d_));
    for (std::size_t j = 0; j < d_; j++) largest[j] = std::max(largest[j], std::fabs(from[j]));
  }
  double squares = 0;
  for (const double value : largest) squares += 4 * value * value;
  largest_distance_ = std::sqrt(squares);
}

void ClusteredPoints::put_tiles(std::size_t first, std::size_t count, std::size_t tile) {
  for (std::size_t at = 0; at < count; at += pair_tile, tile++) {
    float* to = tiles_.data() + tile * pair_tile * d_;
    const std::size_t points = std::min(pair_tile, count - at);
    for (std::size_t j = 0; j < d_; j++) {
      for (std::size_t p = 0; p < points; p++) to[j * pair_tile + p] = rows_from(first + at + p)[j];
      std::fill(to + j * pair_tile + points, to + (j + 1) * pair_tile, 0.0F);
    }
  }
}

}  // namespace centroid_lab

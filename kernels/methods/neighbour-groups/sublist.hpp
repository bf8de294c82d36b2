// Some of the centroids, packed for the tile kernels of `fused`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/tiles/packed_centroids.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {

/// Remembers what it packed last: neighbouring groups often have the same list.
class Sublist {
 public:
  /// Forgets, because the centroids are others.
  void clear() { members_.clear(); }

  /// Points `job` at members (count) of `packed`, ascending.
  void take(const PackedCentroids& packed, const std::int32_t* members, std::size_t count, TileJob& job);

 private:
  void copy(const PackedCentroids& packed, std::size_t d);

  std::vector<std::int32_t> members_;
  std::vector<float> values_;
  std::vector<float> half_norms_;
  std::vector<std::int32_t> original_;
  std::size_t blocks_ = 0;
};

}  // namespace centroid_lab

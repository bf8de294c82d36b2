// Points cut into strips and these into tiles, so that the points of a tile are neighbours in space.
#pragma once

#include "aligned.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// After Leutenegger, Lopez & Edgington (1997): strips of equally many points across the last feature, each of them cut
/// across the one before and so on, and in the end sorted by the first; every other strip backwards, so that a tile that holds the end
/// of one and the beginning of the next stays small. Sorting is by buckets, to a resolution fit for tiles of `tile_points`.
/// For at most `max_box_features`. O(n d^2), parallel.
/// @returns [tile][feature][64], padded with zeros; where a point came from is not kept.
Aligned<float> strip_tiles(const Points& points, ThreadPool& pool);

}  // namespace centroid_lab

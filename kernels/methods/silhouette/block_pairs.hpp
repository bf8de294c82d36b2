// All pairs of blocks, each once: the sums of both sides at the price of one.
#pragma once

#include <cstddef>
#include <vector>

#include "neighbour_means.hpp"
#include "silhouette.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {

/// @returns false when cancelled
bool add_block_pairs(const ClusteredPoints& points, ThreadPool& pool, const CancelFlag& cancel, PairProgress& progress,
                     NeighbourMeans& means);

}  // namespace centroid_lab

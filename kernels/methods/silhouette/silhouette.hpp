// Silhouettes over every pair of points (Rousseeuw 1987).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "methods/silhouette/clustered_points.hpp"
#include "types.hpp"

namespace centroid_lab {

/// How much of the work is done, for those who wait.
struct PairProgress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
};

/**
 * (n) silhouettes: (b - a) / max(a, b), a the mean distance to the others of the cluster, b the smallest mean distance to
 * another cluster; 0 for a point alone in its cluster and where a = b = 0. Distances in float32, sums with an error of
 * float64's order: the same on any number of threads. About n²/2 distances and 2 n d + n k numbers, the latter at most
 * 64 MB at a time.
 * @param input at least two clusters with points
 * @returns false when cancelled
 */
bool silhouettes(const ClusteredInput& input, std::size_t threads, const CancelFlag& cancel, PairProgress& progress,
                 double* values);

}  // namespace centroid_lab

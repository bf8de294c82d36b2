// Silhouettes over every pair of points on a CUDA device.
#pragma once

#include "methods/silhouette/silhouette.hpp"

namespace centroid_lab::cuda {

/// As `silhouettes` of silhouette.hpp: distances in float32 (roots within 2^-22), sums in float64, the same run after run.
/// Launches of at most about 50 ms, between which a cancel is heard.
/// @param device index into `find_devices().found`
/// @returns false when cancelled
/// @throws std::bad_alloc for want of device memory, std::runtime_error
bool device_silhouettes(const ClusteredInput& input, int device, const CancelFlag& cancel, PairProgress& progress,
                        double* values);

}  // namespace centroid_lab::cuda

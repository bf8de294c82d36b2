// Silhouettes on the device against float64, and their speed.
#pragma once

#include <cstddef>

namespace centroid_lab::cuda_test {

/// Clusters of all sizes, few and many features. Failures are counted by check.hpp.
void check_silhouettes();

/// n blobs of k: checked on some points, then timed. @returns 1 where a value is off by more than 1e-6
int time_silhouettes(std::size_t n, std::size_t d, std::size_t k);

}  // namespace centroid_lab::cuda_test

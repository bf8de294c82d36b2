#pragma once

#include <string>
#include <vector>

namespace centroid_lab::cuda_test {

/// How many cases: all; those that compute-sanitizer's memcheck has time for; few, for its slower tools.
enum class Extent { full, small, least };

/// Each variant on every case, step by step from identical centroids. @returns 1 when any check failed.
int check_variants(const std::vector<std::string>& variants, Extent extent);

}  // namespace centroid_lab::cuda_test

#pragma once

#include <string>
#include <vector>

namespace centroid_lab::cuda_test {

/// Each variant on every case, step by step from identical centroids. @returns 1 when any check failed.
int check_variants(const std::vector<std::string>& variants, bool small);

}  // namespace centroid_lab::cuda_test

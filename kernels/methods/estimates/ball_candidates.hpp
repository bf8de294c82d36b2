// What estimates of work left by bounds are made of: nothing here decides a label.
#pragma once

#include <cstddef>

namespace centroid_lab {

/// Squared distance for estimates: side by side sums, no exact order.
float estimated_distance(const float* a, const float* b, std::size_t d);

/// How many of `centroids (k, d)` cannot be ruled out for a ball around `middle`; a NaN row takes no part.
std::size_t candidates_of(const float* middle, float radius, const float* centroids, std::size_t k, std::size_t d);

}  // namespace centroid_lab

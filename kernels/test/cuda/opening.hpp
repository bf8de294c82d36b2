#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace centroid_lab::cuda_test {

/// Prints what the parts of a whole run take: opening (checks and upload), start, iterations, labels, closing; the last of its
/// rounds with inertia.
void time_opening(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, std::int64_t iterations);

}  // namespace centroid_lab::cuda_test

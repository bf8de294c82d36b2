// Greedy k-means++ on a CUDA device, a whole seeding in one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seeding_points.cuh"
#include "types.hpp"

namespace centroid_lab::cuda {

/// Candidates of a round at most: 2 + ln(k) of any k that fits the memory of a device.
constexpr std::size_t max_candidates = 16;

/// As SeedingSteps::greedy, from a state without centres: D2 is infinite. Leaves D2 and its sums as they are with all centres.
/// @throws std::bad_alloc, std::runtime_error.
std::vector<std::int32_t> greedy_seeding(const Coordinates& x, const Distances& at, std::int32_t first,
                                         const std::vector<double>& uniforms, std::size_t candidates,
                                         const CancelFlag& cancel);

}  // namespace centroid_lab::cuda

#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/variant_plan.hpp"

namespace centroid_lab::cuda_test {

/// Checks and upload of points, and labels on the way back, by threads: against what the processor does.
void check_opening();

/// Prints what the parts of a whole run on `blob_count` blobs take: opening (checks and upload), start, iterations, labels,
/// closing; the last of its rounds with inertia.
void time_opening(const cuda::VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::int64_t iterations,
                  std::size_t blob_count);

}  // namespace centroid_lab::cuda_test

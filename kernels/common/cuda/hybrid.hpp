// Clusterings of which the device makes the assignment and the processor the sums.
#pragma once

#include <memory>

#include "../clustering.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {

/// For variants whose `sums_by` is not the device: each iteration the centroids go up, 4 bytes a point come back, and the host
/// sums, with one thread or with all of them. @throws std::bad_alloc for want of device memory.
std::unique_ptr<Clustering> make_hybrid_clustering(const RegisteredVariant& variant, Points points, Rules rules, int device);

}  // namespace centroid_lab::cuda

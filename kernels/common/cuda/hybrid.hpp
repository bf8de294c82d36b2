// Clusterings of which the device makes the assignment and the processor the sums.
#pragma once

#include <memory>
#include <string>

#include "../clustering.hpp"

namespace centroid_lab::cuda {

/// Whether `make_hybrid_clustering` makes it.
bool is_hybrid(const std::string& variant);

/// `hybrid` or `hybrid-parallel`: each iteration the centroids go up, 4 bytes a point come back, and the host sums,
/// with one thread or with all of them. @throws std::bad_alloc for want of device memory.
std::unique_ptr<Clustering> make_hybrid_clustering(const std::string& variant, Points points, Rules rules, int device);

}  // namespace centroid_lab::cuda

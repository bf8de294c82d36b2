// The probe that decides whether a tree pays for more than three features.
#pragma once

#include <cstddef>

#include "types.hpp"

namespace centroid_lab {

/// Share of all distances that the leaves of a tree would leave, estimated before there are any centroids: k of the
/// points stand for them, and the neighbourhoods of some points for leaves.
double expected_leaf_share(const Points& points, std::size_t k);

}  // namespace centroid_lab

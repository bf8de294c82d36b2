#pragma once

#include <cstddef>
#include <memory>

#include "variant.hpp"

namespace centroid_lab {

/// Groups of neighbouring points with the centroids that can be nearest to them, for fewer features than
/// `most_features`.
std::unique_ptr<Variant> make_grouping(const Points& points, std::size_t k, const Machine& machine);

/// Where the bounds of ball_kernels.hpp and of scores.hpp were shown to hold.
constexpr std::size_t most_group_features = 16384;

}  // namespace centroid_lab

// The probe that decides whether boxes pay for six features and more.
#pragma once

#include <cstddef>

#include "types.hpp"

namespace centroid_lab {

/// Share of all distances that boxes would leave, estimated before there are any centroids: k of the
/// points stand for them, and the neighbourhoods of some points for boxes.
double expected_box_share(const Points& points, std::size_t k);

}  // namespace centroid_lab

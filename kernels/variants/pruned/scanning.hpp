#pragma once

#include <cstddef>
#include <memory>

#include "variant.hpp"

namespace centroid_lab {

/// Boxes of neighbouring points, each settled as a whole where one centroid owns it; for at most `most_box_features`
/// features and `most_box_centroids` centroids (boxes.hpp).
std::unique_ptr<Variant> make_scanning(const Points& points, std::size_t k, const Machine& machine);

}  // namespace centroid_lab

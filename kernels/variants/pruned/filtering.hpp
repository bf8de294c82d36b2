#pragma once

#include <cstddef>
#include <memory>

#include "variant.hpp"

namespace centroid_lab {

/// A tree of points filtered by the centroids, for at most `most_tree_features` features (leaves.hpp).
std::unique_ptr<Variant> make_filtering(const Points& points, std::size_t k, const Machine& machine);

}  // namespace centroid_lab

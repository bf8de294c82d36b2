// `pruned` where no bound pays but the simplest: centroids that stand still change no label.
#pragma once

#include <memory>

#include "variant.hpp"

namespace centroid_lab {

/// `inner`, but for passes with the centroids of the pass before: these repeat its result, which nothing can have changed.
std::unique_ptr<Variant> make_standing(std::unique_ptr<Variant> inner, const Points& points, std::size_t k);

}  // namespace centroid_lab

// Assignment and sums in one pass over tiles of points, vectors over the points of a tile.
#pragma once

#include <cstddef>
#include <memory>

#include "variant.hpp"

namespace centroid_lab {

/// What the nearest centroid is found by. Labels are the same: scores and projections decide only outside their proven margins.
enum class Choice { by_distances, by_scores, by_projections };

/// @param choice by scores only below `max_score_features`; a pass after one that left many points undecided computes distances
std::unique_ptr<Variant> make_tile_passes(const Points& points, std::size_t k, const Machine& machine, Choice choice);

}  // namespace centroid_lab

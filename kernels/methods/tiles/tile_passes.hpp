// Assignment and sums in one pass over tiles of points, vectors over the points of a tile.
#pragma once

#include <cstddef>
#include <memory>

#include "variant.hpp"

namespace centroid_lab {

/// Coordinates from which tiles are not kept: each pass makes them anew, one by one in the cache. That costs shuffles, and saves a
/// copy of all points in memory and the first touch of it, which takes as long as dozens of passes.
constexpr std::size_t max_kept = std::size_t{1} << 26;

/// What the nearest centroid is found by. Labels are the same: scores and projections decide only outside their proven margins.
enum class Choice { by_distances, by_scores, by_projections };

/// @param choice by scores only below `max_score_features`; a pass after one that left many points undecided computes distances
std::unique_ptr<Variant> make_tile_passes(const Points& points, std::size_t k, const Machine& machine, Choice choice);

}  // namespace centroid_lab

// Regimes that keep sums from pass to pass against `tiled`: the same bytes, whatever the shape and the data.
#pragma once

#include "check_steps.hpp"

namespace centroid_lab::cuda_test {

/// Runs of a few iterations by `staged-points`, `row-pieces`, `matrix-filter` and `tiled`.
void check_staged_points(Extent extent);

}  // namespace centroid_lab::cuda_test

#pragma once

#include "check_steps.hpp"

namespace centroid_lab::cuda_test {

/// Whole runs with bounds of points against those without: every iteration the same, to the last bit.
void check_bounded_runs(Extent extent);

}  // namespace centroid_lab::cuda_test

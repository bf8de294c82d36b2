#pragma once

#include "check_steps.hpp"

namespace centroid_lab::cuda_test {

/// Whole runs of `pruned` with many features against `fused`: every iteration the same, to the last bit.
void check_pruned_runs(Extent extent);

}  // namespace centroid_lab::cuda_test

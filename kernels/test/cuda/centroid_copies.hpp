#pragma once

#include "check_steps.hpp"

namespace centroid_lab::cuda_test {

/// Copies of centroids: they are found, passes of `fused` are given none of them, and labels are as if they were there.
void check_centroid_copies(Extent extent);

}  // namespace centroid_lab::cuda_test

#pragma once

#include "check_steps.hpp"

namespace centroid_lab::cuda_test {

/// Runs that a variant carries out in one launch against the same runs pass by pass: every iteration the same. Of the data
/// `least` takes few.
/// Runs in one launch against the same pass by pass.
void check_whole_launches(Extent extent);

}  // namespace centroid_lab::cuda_test

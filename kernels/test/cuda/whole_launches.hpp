#pragma once

#include <string>

#include "check_steps.hpp"

namespace centroid_lab::cuda_test {

/// Runs that a variant carries out in one launch against the same runs pass by pass: every iteration the same. Of the data
/// `least` takes few.
void check_whole_launches(const std::string& variant, Extent extent);

}  // namespace centroid_lab::cuda_test

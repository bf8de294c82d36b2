#pragma once

#include <string>

namespace centroid_lab::cuda_test {

/// The example of Dhanasekaran & Rubin: values 5 2 9 4 8 11 3 1 of clusters 0 2 3 2 1 3 1 3 sum to 5, 11, 6, 21. For
/// every variant of a study that adds up on the device; nothing for the others.
void check_worked_example(const std::string& variant);

}  // namespace centroid_lab::cuda_test

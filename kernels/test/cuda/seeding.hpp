// The device's seeding against the processor's: every answer of the same bits.
#pragma once

#include <cstddef>

namespace centroid_lab::cuda_test {

/// Sizes around the blocks of sums, duplicates, many features. Failures are counted by check.hpp.
void check_seeding();

/// Greedy k-means++ on both, timed. @returns 1 where the rows differ.
int time_seeding(std::size_t n, std::size_t d, std::size_t k);

}  // namespace centroid_lab::cuda_test

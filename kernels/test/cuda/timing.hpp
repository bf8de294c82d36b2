#pragma once

#include <cstddef>
#include <string>

namespace centroid_lab::cuda_test {

/// `blob_count` blobs, random rows as centroids: checks the labels of a sample and the first centroids, then prints milliseconds
/// an iteration (best and median of five stretches). @returns 1 when the check failed.
int time_variant(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, std::size_t iterations,
                 std::size_t blob_count);

/// The same iteration again and again, labelled in between: whatever differs from the first is a race. Prints how many
/// labels and centroids ever differed. @returns 1 when any did.
int repeat_variant(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, std::size_t blob_count,
                   int rounds);

}  // namespace centroid_lab::cuda_test

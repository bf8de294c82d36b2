// Ways of `fused` that leave centroids out against all distances: the same sums and counts, to the last bit.
#pragma once

namespace centroid_lab::cuda_test {

/// Chunks of neighbours against all distances, for 1 to 32 features: points and centroids made to mislead them. Sums, counts and labels;
/// counts what differs among the failures.
/// @param small fewer of them, for compute-sanitizer.
void check_near_sums(bool small);

}  // namespace centroid_lab::cuda_test

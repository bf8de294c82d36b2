// Ways of `fused` that leave centroids out against all distances: the same sums and counts, to the last bit.
#pragma once

namespace centroid_lab::cuda_test {

/// Points and centroids made to mislead the table, each by both ways of `fused`. Counts what differs among the failures.
/// @param small fewer of them, for compute-sanitizer.
void check_plane_sums(bool small);

/// The same of chunks of neighbours, their labels too, for 1 to 32 features.
void check_near_sums(bool small);

}  // namespace centroid_lab::cuda_test

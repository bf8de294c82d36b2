#include "vectors/baseline.hpp"

#include "methods/silhouette/pair_kernels.hpp"

namespace centroid_lab {

const PairKernels baseline_pair_kernels{"baseline", pair_sums};

}  // namespace centroid_lab

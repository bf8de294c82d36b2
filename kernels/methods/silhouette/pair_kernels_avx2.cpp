#include "vectors/avx2.hpp"

#include "methods/silhouette/pair_kernels.hpp"

namespace centroid_lab {

const PairKernels avx2_pair_kernels{"avx2", pair_sums};

}  // namespace centroid_lab

#include "vectors/avx512.hpp"

#include "methods/silhouette/pair_kernels.hpp"

namespace centroid_lab {

const PairKernels avx512_pair_kernels{"avx512", pair_sums};

}  // namespace centroid_lab

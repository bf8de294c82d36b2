#include "group_kernels.hpp"

namespace centroid_lab {

const SeedingKernels avx512_seeding = kernels;

}  // namespace centroid_lab

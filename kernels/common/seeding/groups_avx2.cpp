#include "group_kernels.hpp"

namespace centroid_lab {

const SeedingKernels avx2_seeding = kernels;

}  // namespace centroid_lab

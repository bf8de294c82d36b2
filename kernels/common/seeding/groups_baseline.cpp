#include "group_kernels.hpp"

namespace centroid_lab {

const SeedingKernels baseline_seeding = kernels;

}  // namespace centroid_lab

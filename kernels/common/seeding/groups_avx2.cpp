#include "filter_kernels.hpp"
#include "group_kernels.hpp"

namespace centroid_lab {

const SeedingKernels avx2_seeding = kernels;
const FilterKernels avx2_filters = filters;

}  // namespace centroid_lab

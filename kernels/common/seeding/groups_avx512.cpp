#include "filter_kernels.hpp"
#include "group_kernels.hpp"

namespace centroid_lab {

const SeedingKernels avx512_seeding = kernels;
const FilterKernels avx512_filters = filters;

}  // namespace centroid_lab

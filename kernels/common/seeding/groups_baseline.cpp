#include "filter_kernels.hpp"
#include "group_kernels.hpp"

namespace centroid_lab {

const SeedingKernels baseline_seeding = kernels;
const FilterKernels baseline_filters = filters;

}  // namespace centroid_lab

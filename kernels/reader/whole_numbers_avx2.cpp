#include "fit_groups.hpp"

namespace centroid_lab::reader {

const FitGroups avx2_groups = fit_groups;

}  // namespace centroid_lab::reader

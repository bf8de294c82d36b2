#include "vectors/avx2.hpp"

#include "methods/projections/project.hpp"
#include "methods/projections/projection_job.hpp"

namespace centroid_lab {

const ProjectionKernels avx2_projections{project};

}  // namespace centroid_lab

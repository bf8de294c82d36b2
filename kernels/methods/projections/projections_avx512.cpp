#include "vectors/avx512.hpp"

#include "methods/projections/project.hpp"
#include "methods/projections/projection_job.hpp"

namespace centroid_lab {

const ProjectionKernels avx512_projections{project};

}  // namespace centroid_lab

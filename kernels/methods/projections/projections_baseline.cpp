#include "vectors/baseline.hpp"

#include "methods/projections/project.hpp"
#include "methods/projections/projection_job.hpp"

namespace centroid_lab {

const ProjectionKernels baseline_projections{project};

}  // namespace centroid_lab

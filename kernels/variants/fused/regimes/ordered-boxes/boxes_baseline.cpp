#include "vectors/baseline.hpp"

#include "box_kernels.hpp"

namespace centroid_lab {

const BoxKernels baseline_boxes{visit_boxes, measure_boxes};

}  // namespace centroid_lab

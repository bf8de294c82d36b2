#include "vectors/avx2.hpp"

#include "box_kernels.hpp"

namespace centroid_lab {

const BoxKernels avx2_boxes{visit_boxes, measure_boxes};

}  // namespace centroid_lab

#include "vectors/avx512.hpp"

#include "box_kernels.hpp"

namespace centroid_lab {

const BoxKernels avx512_boxes{visit_boxes, measure_boxes};

}  // namespace centroid_lab

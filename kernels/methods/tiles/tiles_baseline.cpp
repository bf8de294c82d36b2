#include "vectors/baseline.hpp"

#include "methods/tiles/tile_kernels.hpp"

namespace centroid_lab {

const TileKernels baseline_kernels{"baseline", pass_tiles, label_tiles};

}  // namespace centroid_lab

#include "vectors/avx2.hpp"

#include "methods/tiles/tile_kernels.hpp"

namespace centroid_lab {

const TileKernels avx2_kernels{"avx2", pass_tiles, label_tiles};

}  // namespace centroid_lab

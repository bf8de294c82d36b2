#include "vectors/avx512.hpp"

#include "methods/tiles/tile_kernels.hpp"

namespace centroid_lab {

const TileKernels avx512_kernels{"avx512", pass_tiles, label_tiles};

}  // namespace centroid_lab

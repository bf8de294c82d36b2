// `fused`, regime `tiled`: tiles of points, every distance is computed. See methods/tiles.
#include "methods/tiles/tile_passes.hpp"

namespace centroid_lab {
namespace {

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return make_tile_passes(points, k, machine, Choice::by_distances);
}

}  // namespace

CpuRegime fused_tiled() { return {"fused", "tiled", make}; }

}  // namespace centroid_lab

// `fused`, regime `tiled-scores`: tiles of points, scores rule out what their margin allows. See methods/tiles.
#include "methods/neighbour-groups/grouped_passes.hpp"

namespace centroid_lab {
namespace {

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return make_grouped_passes(points, k, machine, Choice::by_scores);
}

}  // namespace

CpuRegime fused_tiled_scores() { return {"fused", "tiled-scores", make}; }

}  // namespace centroid_lab

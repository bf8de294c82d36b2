// `fused`, regime `projected-scores`: bounds from a few directions of the data rule out most distances. See methods/projections.
#include "methods/neighbour-groups/grouped_passes.hpp"
#include "methods/projections/projected_session.hpp"

namespace centroid_lab {
namespace {

/// Predicted work of a pass from which projections do not pay.
constexpr double largest_share = 0.7;

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return make_grouped_passes(points, k, machine, Choice::by_projections);
}

bool pays(const Points& points, std::size_t k) { return choose_directions(points, k).share < largest_share; }

}  // namespace

CpuRegime fused_projected_scores() { return {"fused", "projected-scores", make, "few-directions", pays}; }

}  // namespace centroid_lab

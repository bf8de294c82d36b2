// Ours on CUDA: assignment and sums in one pass, by the regime that was planned. See README.md.
#include "fused.hpp"

#include <stdexcept>

#include "registered_variants.hpp"
#include "regimes.hpp"

namespace centroid_lab::cuda {
namespace {

const std::vector<const fused::Regime*>& all_regimes() {
  using namespace fused;
  static const std::vector<const Regime*> all{&register_resident, &message_passing, &staged_points, &row_pieces,  &matrix_scores,
                                              &neighbour_boxes,   &matrix_filter,   &tile_bounds,   &point_bounds, &tiled};
  return all;
}

const fused::Regime& regime_of(const std::string& name) {
  for (const fused::Regime* regime : all_regimes()) {
    if (name == regime->name) return *regime;
  }
  throw std::invalid_argument("Expected a regime of fused on CUDA but received '" + name + "'.");
}

std::unique_ptr<DeviceVariant> make_regime(const fused::Regime& regime, const Problem& problem, fused::Probes probes) {
  const std::string refusal = regime.refusal(problem);
  if (!refusal.empty()) throw RegimeRefused(refusal);
  return regime.make(problem, probes);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const fused::Regime* regime : all_regimes()) all.emplace_back(regime->name);
  return all;
}

const Registration registration({"fused", make_fused, names(), true});

}  // namespace

std::unique_ptr<DeviceVariant> make_fused(const Problem& problem) {
  if (problem.regimes.empty()) throw std::invalid_argument("Expected a regime for fused but received none.");
  BuiltPlan built;
  for (std::size_t at = 0; at < problem.regimes.size(); at++) {
    const bool is_last = at + 1 == problem.regimes.size();
    auto made = make_regime(regime_of(problem.regimes[at]), problem, fused::Probes(built, !is_last));
    if (made == nullptr) continue;
    built.regime = problem.regimes[at];
    made->note_built(std::move(built));
    return made;
  }
  throw std::logic_error("fused: the last regime was not built");
}

std::unique_ptr<DeviceVariant> make_labeller(const Problem& problem) {
  using namespace fused;
  Problem plain = problem;
  plain.other_passes.clear();
  for (const Regime* regime : {&staged_points, &row_pieces, &matrix_scores, &tiled}) {
    plain.regimes = {regime->name};
    if (regime->refusal(plain).empty()) return make_fused(plain);
  }
  throw std::logic_error("fused: no plain regime");
}

std::unique_ptr<DeviceVariant> make_other_passes(const Problem& problem) {
  if (problem.other_passes.empty()) return make_labeller(problem);
  Problem others = problem;
  others.regimes = problem.other_passes;
  // What those leave over in turn: the last regime of the chain, unless it is all there is and might leave passes to itself.
  if (others.regimes.size() > 1) others.other_passes = {others.regimes.back()};
  else others.other_passes.clear();
  return make_fused(others);
}

}  // namespace centroid_lab::cuda

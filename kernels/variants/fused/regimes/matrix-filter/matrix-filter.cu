// `fused` for many features on matrix units (methods/matrix-filter).
#include "../../regimes.hpp"
#include "methods/matrix-filter/matrix_filter.hpp"

namespace centroid_lab::cuda::fused {
namespace {

/// With fewer features the products fill no matrix instruction.
constexpr int min_features = 9;

std::string refusal(const Problem& problem) {
  if (problem.d < min_features) return "The filter by matrix units is for 9 features and more.";
  return cuda::matrix_filter::refuses_filter(problem);
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, Probes& probes) {
  auto passes = cuda::matrix_filter::make_filtered_passes(problem);
  if (!probes.find("points-differ", passes->has_filter())) return nullptr;
  if (!passes->has_filter()) throw RegimeRefused("The filter by matrix units needs points that differ.");
  probes.find("worth-cells", passes->has_cells());
  probes.find("worth-balls", passes->has_balls());
  return passes;
}

}  // namespace

const Regime matrix_filter{"matrix-filter", refusal, make};

}  // namespace centroid_lab::cuda::fused

// `fused` for many features without a filter: distances to all centroids, sums by runs of sorted groups (methods/matrix-filter).
#include "../../regimes.hpp"
#include "methods/matrix-filter/matrix_filter.hpp"

namespace centroid_lab::cuda::fused {
namespace {

constexpr int min_features = 33;

std::string refusal(const Problem& problem) {
  if (problem.d < min_features) return "Sums by sorted runs are for 33 features and more.";
  if (problem.streamed) return "Points that pass through the device in pieces are not sorted.";
  return "";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, Probes&) { return cuda::matrix_filter::make_unfiltered_passes(problem); }

}  // namespace

const Regime sorted_runs{"sorted-runs", refusal, make};

}  // namespace centroid_lab::cuda::fused

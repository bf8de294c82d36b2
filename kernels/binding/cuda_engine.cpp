#include "cuda/cuda_engine.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check_points.hpp"
#include "cuda/device_seeding.hpp"
#include "cuda/held_points.hpp"
#include "cuda/split_clustering.hpp"
#include "engine.hpp"
#include "machine.hpp"
#include "methods/silhouette/device_silhouettes.hpp"

namespace centroid_lab {
namespace {

/// Of "a,b": a and b.
std::vector<std::string> names_of(const std::string& words) {
  std::vector<std::string> names;
  std::istringstream rest(words);
  for (std::string name; std::getline(rest, name, ',');) names.push_back(name);
  return names;
}

std::unique_ptr<Clustering> open_split(const SessionRequest<float>& request, const cuda::VariantPlan& plan) {
  cuda::SplitPlan split{{}, plan, {request.variant, request.processor_regime, request.processor_otherwise}};
  if (!request.exchange.empty()) split.exchange = cuda::exchange_of(request.exchange);
  for (const std::int64_t device : request.devices) split.devices.push_back(static_cast<int>(device));
  // A thread of the host feeds each device.
  const std::size_t feeding = request.devices.size() - 1, threads = thread_count();
  split.threads = threads > feeding ? threads - feeding : 1;
  Points points{request.x, request.n, request.d, checked_magnitudes(request.x, request.n, request.d)};
  return cuda::make_split_clustering(split, std::move(points), request.rules);
}

}  // namespace

bool engine_offers(const std::string& variant) {
  const std::vector<std::string> names = cuda::cuda_variants();
  return std::find(names.begin(), names.end(), variant) != names.end();
}

std::unique_ptr<Clustering> open_clustering(const SessionRequest<float>& request) {
  cuda::VariantPlan plan(request.variant);
  if (!request.regime.empty()) plan.regimes = {request.regime};
  for (std::string& name : names_of(request.otherwise)) plan.regimes.push_back(std::move(name));
  plan.other_passes = names_of(request.other_passes);
  if (!request.devices.empty()) return open_split(request, plan);
  if (request.workers > 0) plan.workers = static_cast<int>(std::min(request.workers, request.n));
  return cuda::open_points(plan, request.x, request.n, request.d, request.rules, static_cast<int>(request.device));
}

std::unique_ptr<ClusteringOf<double>> open_clustering(const SessionRequest<double>& request) {
  throw std::invalid_argument("The variant " + request.variant + " of the CUDA engine works in float32 only.");
}

std::shared_ptr<const void> engine_points(const float* x, std::size_t n, std::size_t d, std::int64_t device) {
  return cuda::hold_points(x, n, d, static_cast<int>(device));
}

bool engine_silhouettes(const ClusteredInput& input, std::int64_t device, const CancelFlag& cancel,
                        PairProgress& progress, double* values) {
  return cuda::device_silhouettes(input, static_cast<int>(device), cancel, progress, values);
}

std::unique_ptr<SeedingSteps> open_seeding(const Points& points, std::int64_t device, std::size_t, ProcessGroup*) {
  return cuda::make_device_seeding(points.x, points.n, points.d, static_cast<int>(device));
}

}  // namespace centroid_lab

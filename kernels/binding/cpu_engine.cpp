#include <algorithm>
#include <tuple>
#include <utility>

#include "check_points.hpp"
#include "engine.hpp"
#include "lloyd.hpp"
#include "machine.hpp"
#include "parts/in_order.hpp"
#include "parts/process_parts.hpp"
#include "parts/shared_seeding.hpp"
#include "seeding/seeding.hpp"
#include "variant.hpp"

namespace centroid_lab {

namespace {

/// This process's part of the rows, behind the sums of all.
BuiltVariant make_shared(const VariantPlan& plan, const Points& points, std::size_t k, const Machine& machine,
                         ProcessGroup& group) {
  // Where this process has no rows, nothing is built.
  BuiltPlan built{plan.regime, {}};
  const auto make = [&](const Points& part) {
    BuiltVariant own = make_variant(plan, part, k, machine);
    built = std::move(own.plan);
    return std::move(own.variant);
  };
  auto parts = std::make_unique<ProcessParts>(points, k, group, make);
  return {std::move(parts), std::move(built)};
}

BuiltVariant build(const SessionRequest<float>& request, const VariantPlan& plan, const Points& points,
                   const Machine& machine) {
  if (request.processes != nullptr) return make_shared(plan, points, request.rules.k, machine, *request.processes);
  return make_variant(plan, points, request.rules.k, machine);
}

BuiltVariantOf<double> build(const SessionRequest<double>& request, const VariantPlan& plan,
                             const PointsOf<double>& points, const Machine& machine) {
  return make_variant(plan, points, request.rules.k, machine);
}

/// The largest magnitudes of all rows, of which processes hold a part each.
template <class Real>
void raise_to_all(ProcessGroup& group, std::vector<Real>& largest) {
  std::vector<double> all(largest.size(), 0.0);
  const CancelFlag never{false};
  in_order(&group, all, never, [&](std::vector<double>& values) {
    for (std::size_t j = 0; j < largest.size(); j++) values[j] = std::max(values[j], static_cast<double>(largest[j]));
  });
  std::transform(all.begin(), all.end(), largest.begin(), [](double value) { return static_cast<Real>(value); });
}

template <class Real>
PointsOf<Real> points_of(const SessionRequest<Real>& request) {
  const auto& [x, n, d] = std::tie(request.x, request.n, request.d);
  if (request.processes == nullptr) return {x, n, d, checked_magnitudes(x, n, d)};
  PointsOf<Real> points{x, request.own_n, d, checked_magnitudes(x, request.own_n, d), n, request.first};
  raise_to_all(*request.processes, points.max_abs);
  return points;
}

template <class Real>
std::unique_ptr<ClusteringOf<Real>> open_lloyd(const SessionRequest<Real>& request) {
  PointsOf<Real> points = points_of(request);
  auto built = build(request, {request.variant, request.regime, request.otherwise}, points,
                     Machine{request.threads == 0 ? thread_count() : request.threads});
  return std::make_unique<LloydOf<Real>>(std::move(points), request.rules, std::move(built), request.processes);
}

}  // namespace

bool engine_offers(const std::string& variant) { return is_variant(variant); }

std::unique_ptr<Clustering> open_clustering(const SessionRequest<float>& request) { return open_lloyd(request); }

std::unique_ptr<ClusteringOf<double>> open_clustering(const SessionRequest<double>& request) {
  return open_lloyd(request);
}

bool engine_silhouettes(const ClusteredInput& input, std::int64_t, const CancelFlag& cancel, PairProgress& progress,
                        double* values) {
  return silhouettes(input, thread_count(), cancel, progress, values);
}

std::unique_ptr<SeedingSteps> open_seeding(const Points& points, std::int64_t, std::size_t threads, ProcessGroup* processes) {
  const std::size_t workers = threads == 0 ? thread_count() : threads;
  if (processes != nullptr) return std::make_unique<SharedSeeding>(points, *processes, workers);
  return std::make_unique<Seeding>(points.x, points.n, points.d, workers);
}

}  // namespace centroid_lab

// What a session drives: one clustering, wherever its iterations run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// What `advance` answers: the iterations carried out and, when tracked, their centroids one after the other.
template <class Real>
struct AdvanceOf {
  std::vector<IterationStats> iterations;
  std::vector<Real> centroids;
};

using Advance = AdvanceOf<float>;

/// The regime that was built, and what probes of the data found on the way to it.
struct BuiltPlan {
  std::string regime;
  std::vector<std::pair<std::string, bool>> findings;
};

/// @tparam Real of points, distances and centroids
template <class Real>
class ClusteringOf {
 public:
  ClusteringOf() = default;
  ClusteringOf(const ClusteringOf&) = delete;
  ClusteringOf& operator=(const ClusteringOf&) = delete;
  virtual ~ClusteringOf() = default;

  /// @param centroids (k, d).
  virtual void start(const Real* centroids) = 0;

  /// Iterations until the budget is spent, the rule is met or `cancel` is raised; at least one unless cancelled.
  virtual AdvanceOf<Real> advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) = 0;

  /// Whether so many iterations are expected to take less time than handing them to another thread is worth.
  virtual bool is_brief(std::int64_t iterations) const {
    constexpr double most = 2e6;
    const double products = static_cast<double>(points().n) * static_cast<double>(rules().k * points().d);
    return products * static_cast<double>(iterations) <= most;
  }

  /// Labels (n) and inertia against the current centroids. @returns false when cancelled.
  virtual bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) = 0;

  /// Of the last `read`: the transfer of its labels to the host alone.
  virtual double download_ms() const { return 0; }

  /// Its regime is empty where the one asked for is the only one there is.
  virtual BuiltPlan built() const { return {}; }

  /// A sentence without its end for each device that was lost on the way, whose rows others took over.
  virtual std::vector<std::string> losses() const { return {}; }

  /// (k, d); the row of a dropped cluster is NaN.
  virtual const std::vector<Real>& centroids() const = 0;
  virtual const PointsOf<Real>& points() const = 0;
  virtual const Rules& rules() const = 0;
};

using Clustering = ClusteringOf<float>;

}  // namespace centroid_lab

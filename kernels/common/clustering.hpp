// What a session drives: one clustering, wherever its iterations run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "types.hpp"

namespace centroid_lab {

/// What `advance` answers: the iterations carried out and, when tracked, their centroids one after the other.
struct Advance {
  std::vector<IterationStats> iterations;
  std::vector<float> centroids;
};

/// The regime that was built, and what probes of the data found on the way to it.
struct BuiltPlan {
  std::string regime;
  std::vector<std::pair<std::string, bool>> findings;
};

class Clustering {
 public:
  Clustering() = default;
  Clustering(const Clustering&) = delete;
  Clustering& operator=(const Clustering&) = delete;
  virtual ~Clustering() = default;

  /// @param centroids (k, d).
  virtual void start(const float* centroids) = 0;

  /// Iterations until the budget is spent, the rule is met or `cancel` is raised; at least one unless cancelled.
  virtual Advance advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) = 0;

  /// Labels (n) and inertia against the current centroids. @returns false when cancelled.
  virtual bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) = 0;

  /// Of the last `read`: the transfer of its labels to the host alone.
  virtual double download_ms() const { return 0; }

  /// Its regime is empty where the one asked for is the only one there is.
  virtual BuiltPlan built() const { return {}; }

  /// (k, d); the row of a dropped cluster is NaN.
  virtual const std::vector<float>& centroids() const = 0;
  virtual const Points& points() const = 0;
  virtual const Rules& rules() const = 0;
};

}  // namespace centroid_lab

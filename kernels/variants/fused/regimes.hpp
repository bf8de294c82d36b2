// The regimes of `fused` on CUDA. regimes.cuda.ts chooses among them; what is named here is built, or refused in one sentence.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device_variant.hpp"

namespace centroid_lab::cuda::fused {

/// Looks at the data that regimes hang on.
class Probes {
 public:
  /// @param decide false: a regime is built whatever the data.
  Probes(BuiltPlan& built, bool decide) : built_(built), decide_(decide) {}

  bool decide() const { return decide_; }

  /// Notes a finding. @returns whether the regime that asked is built.
  bool find(const char* probe, bool found) {
    built_.findings.emplace_back(probe, found);
    return found || !decide_;
  }

 private:
  BuiltPlan& built_;
  bool decide_;
};

struct Regime {
  const char* name;
  /// One sentence why the shape or the device does not suit; empty where it can run.
  std::string (*refusal)(const Problem& problem);
  /// @returns null where a probe of the data passes it over.
  std::unique_ptr<DeviceVariant> (*make)(const Problem& problem, Probes& probes);
};

/// Whole runs in one launch, points in registers; a barrier of all blocks an iteration.
extern const Regime register_resident;
/// The same with few clusters: blocks send each other their sums.
extern const Regime message_passing;
/// Few clusters of up to 64 features: tiles of points in shared memory, sums change by points that moved.
extern const Regime staged_points;
/// Few clusters of more features: rows pass through shared memory by pieces, products with all centroids on matrix units.
extern const Regime row_pieces;
/// d up to 32, on matrix units: scores choose a group, distances decide in it.
extern const Regime matrix_scores;
/// d up to 32: chunks of neighbours look only at the centroids that can be nearest to one of theirs.
extern const Regime neighbour_boxes;
/// d from 9 on: matrix units leave few centroids in question, distances decide, sums change by points that moved.
extern const Regime matrix_filter;
/// d up to 32, many clusters: visits only tiles of neighbours whose labels may have changed.
extern const Regime tile_bounds;
/// d from 33 on, many clusters: two bounds a point, left behind by the filter.
extern const Regime point_bounds;
/// Any shape.
extern const Regime tiled;

}  // namespace centroid_lab::cuda::fused

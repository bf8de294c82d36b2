// What the session and seeding objects need of the engine behind it; each addon defines these functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clustering.hpp"
#include "methods/silhouette/silhouette.hpp"
#include "parts/process_group.hpp"
#include "seeding/steps.hpp"

namespace centroid_lab {

/// Points as JavaScript holds them, x (n, d), and what is to be done with them.
/// @tparam Real float, or double for a run in float64
template <class Real>
struct SessionRequest {
  const Real* x;
  std::size_t n;
  std::size_t d;
  Rules rules;
  std::string variant;
  /// Which of the engine's devices, from 0.
  std::int64_t device;
  /// As the plan says; empty where the variant has one way only. The latter two may name several, with commas: see
  /// SessionConfig of engine.ts.
  std::string regime;
  std::string otherwise;
  std::string other_passes;
  /// Of `partial-sums`; 0: as many as the study has.
  std::size_t workers;
  /// Of the processor's engine; 0: as many as there are.
  std::size_t threads;
  /// Devices that take a part of the rows each, -1 the processor; empty: `device` takes all.
  std::vector<std::int64_t> devices = {};
  /// Of the processor's part, as `regime` and `otherwise`.
  std::string processor_regime = {};
  std::string processor_otherwise = {};
  /// Who adds up the sums of devices; empty: peer copies.
  std::string exchange = {};
  /// Processes that share the rows, of which this is one; null: it has them all.
  ProcessGroup* processes = nullptr;
  /// With these: the rows that `x` has, of all `n`, from `first` on.
  std::size_t own_n = 0;
  std::size_t first = 0;
};

/// Whether the addon was built with this variant.
bool engine_offers(const std::string& variant);

/// Checks the points and prepares the variant for them: its layout, its threads, its device's memory.
/// @throws std::invalid_argument for points that are not in engine units, std::bad_alloc for want of memory.
std::unique_ptr<Clustering> open_clustering(const SessionRequest<float>& request);

/// In float64.
/// @throws std::invalid_argument also for a variant that works in float32 only.
std::unique_ptr<ClusteringOf<double>> open_clustering(const SessionRequest<double>& request);

/// Puts points on one of the engine's devices; as long as the answer lives, sessions and seedings of the same `x` share them.
/// @param x (n, d), kept alive by the caller. Of engines with devices of their own only.
/// @throws std::bad_alloc for want of memory, std::invalid_argument for points that are not in engine units.
std::shared_ptr<const void> engine_points(const float* x, std::size_t n, std::size_t d, std::int64_t device);

/// Silhouettes on one of the engine's devices, see methods/silhouette/silhouette.hpp.
/// @throws std::bad_alloc for want of memory.
bool engine_silhouettes(const ClusteredInput& input, std::int64_t device, const CancelFlag& cancel,
                        PairProgress& progress, double* values);

/// The primitives of the seedings on one of the engine's devices.
/// @param points kept alive by the caller; a part of a whole where processes share the rows.
/// @param threads of the processor's engine; 0: as many as there are
/// @param processes of the processor's engine: those that hold the whole; null: `points` are all
/// @throws std::bad_alloc for want of memory.
std::unique_ptr<SeedingSteps> open_seeding(const Points& points, std::int64_t device, std::size_t threads,
                                           ProcessGroup* processes);

}  // namespace centroid_lab

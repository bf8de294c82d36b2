// The words every variant of the CPU engine shares. Meaning: kernels/contract.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace centroid_lab {

/// Points `x (n, d)`, row-major, engine units. Not owned: whoever opens a session keeps it alive.
/// @tparam Real float, or double where a run is carried out in float64
template <class Real>
struct PointsOf {
  const Real* x = nullptr;
  std::size_t n = 0;
  std::size_t d = 0;
  /// (d) largest magnitude of each feature.
  std::vector<Real> max_abs;
  /// Of the whole run, where these are a part of its rows; 0: they are all. Fixed-point numbers have its scale, and
  /// `max_abs` is of all its rows.
  std::size_t whole = 0;
  /// The row of the whole run that these begin with.
  std::size_t first = 0;

  /// Points of the whole run.
  std::size_t whole_n() const { return whole == 0 ? n : whole; }
  const Real* row(std::size_t point) const { return x + point * d; }
};

/// float32, as every variant takes them.
using Points = PointsOf<float>;

enum class StopRule { relative_shift, coordinate_shift, inertia, labels, none };
enum class EmptyPolicy { keep, farthest, drop };
enum class Timing { total, iterations, phases };

struct Rules {
  std::size_t k = 0;
  StopRule stop = StopRule::none;
  /// In the rule's own unit, see SessionConfig in engine.ts.
  double threshold = 0;
  EmptyPolicy empty = EmptyPolicy::keep;
  Timing timing = Timing::total;
  bool track_changed = false;
  bool track_inertia = false;
  bool track_centroids = false;

  bool needs_changed() const { return track_changed || stop == StopRule::labels; }
  bool needs_inertia() const { return track_inertia || stop == StopRule::inertia; }
};

/// Raised by another thread, looked at per block of points.
using CancelFlag = std::atomic<bool>;

/// What one assignment and its sums leave behind.
struct PassResult {
  /// Asks the variant for `fixed`: of a part of the rows, whose sums are to be added to those of others.
  bool wants_fixed = false;
  /// (k, d) the sums as whole numbers of steps (fixed_point.hpp), where asked for. Parts add up to the same numbers
  /// however the rows are split.
  std::vector<std::int64_t> fixed = {};
  /// (k, d) sum of the members, engine units, with an error of float64's order.
  std::vector<double> sums;
  /// (k) members.
  std::vector<std::int64_t> counts;
  /// Labels that differ from the pass before; meaningless in the first pass.
  std::int64_t changed = 0;
  /// Every label is for certain that of the pass before; false where a variant does not count.
  bool same_labels = false;
  /// Negative where the phase was not timed on its own.
  double assign_ms = -1;
  double update_ms = -1;
  double iterate_ms = -1;
};

struct IterationStats {
  std::int64_t iteration = 0;
  /// Negative: not counted.
  double inertia = -1;
  double shift_squared = 0;
  double max_shift = 0;
  double max_coordinate_shift = 0;
  /// Negative: not counted.
  std::int64_t changed = -1;
  std::int64_t empty_clusters = 0;
  double assign_ms = -1;
  double update_ms = -1;
  double converge_ms = -1;
  double iterate_ms = -1;
  double total_ms = -1;
  bool stop = false;
};

}  // namespace centroid_lab

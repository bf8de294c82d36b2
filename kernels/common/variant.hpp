// The seam between the loop (lloyd.hpp) and the variants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clustering.hpp"
#include "types.hpp"

namespace centroid_lab {

/// One way to carry out assignment and sums. Prepared once for its points; used by one thread at a time.
/// @tparam Real of points, distances and centroids
template <class Real>
class VariantOf {
 public:
  VariantOf() = default;
  VariantOf(const VariantOf&) = delete;
  VariantOf& operator=(const VariantOf&) = delete;
  virtual ~VariantOf() = default;

  /// Forgets the labels of the pass before.
  virtual void restart() = 0;

  /// Assigns every point to the nearest of `centroids (k, d)` (a NaN row takes no part), keeps the labels and
  /// sums the members. With `timed`, the phases that can be told apart are measured.
  /// @returns false when cancelled: the labels kept are then undefined until the next `restart` or `pass`.
  virtual bool pass(const Real* centroids, bool timed, const CancelFlag& cancel, PassResult& result) = 0;

  /// The label of each point in the last complete pass.
  virtual void labels_of_pass(std::int32_t* labels) const = 0;

  /// Labels (n) against `centroids`, leaving the labels of the last pass alone.
  /// @returns false when cancelled.
  virtual bool assign(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels) = 0;

  /// As `ClusteringOf::losses`.
  virtual std::vector<std::string> losses() const { return {}; }
};

using Variant = VariantOf<float>;

/// What a session asks of the machine.
struct Machine {
  /// At least 1.
  std::size_t threads = 1;
};

/// One way to carry out a variant on the processor. Each folder of a variant, or of one of its regimes, defines a function
/// that tells its own; CMakeLists.txt finds the folders and writes `cpu_regimes`.
struct CpuRegime {
  const char* variant;
  /// `as-studied` where the variant has one way only, else as in its regimes.cpu.ts.
  const char* name;
  std::unique_ptr<Variant> (*make)(const Points& points, std::size_t k, const Machine& machine);
  /// Name of a look at the data that tells whether it pays; null where nothing hangs on them.
  const char* probe = nullptr;
  bool (*pays)(const Points& points, std::size_t k) = nullptr;
  /// The same in float64; null where there is none (src/shared/precision.ts names those that have it).
  std::unique_ptr<VariantOf<double>> (*make_float64)(const PointsOf<double>& points, std::size_t k,
                                                     const Machine& machine) = nullptr;
};

inline constexpr const char* as_studied = "as-studied";

/// All that are compiled in.
const std::vector<CpuRegime>& cpu_regimes();

/// Names of the variants compiled in.
std::vector<std::string> cpu_variants();
bool is_variant(const std::string& name);

/// What a plan names (src/engine/plan).
struct VariantPlan {
  std::string variant;
  /// Empty: the only one.
  std::string regime = {};
  /// Built instead where the regime's probe finds that it does not pay; empty: nothing is probed.
  std::string otherwise = {};
};

template <class Real>
struct BuiltVariantOf {
  std::unique_ptr<VariantOf<Real>> variant;
  BuiltPlan plan;
};

using BuiltVariant = BuiltVariantOf<float>;

/// Builds what the plan says.
/// @throws std::invalid_argument for a variant or a regime that is not compiled in.
BuiltVariant make_variant(const VariantPlan& plan, const Points& points, std::size_t k, const Machine& machine);

/// In float64; the plan can name no other way than the one there is.
/// @throws std::invalid_argument for a variant that has none.
BuiltVariantOf<double> make_variant(const VariantPlan& plan, const PointsOf<double>& points, std::size_t k,
                                    const Machine& machine);

}  // namespace centroid_lab

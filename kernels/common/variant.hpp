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
class Variant {
 public:
  Variant() = default;
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  virtual ~Variant() = default;

  /// Forgets the labels of the pass before.
  virtual void restart() = 0;

  /// Assigns every point to the nearest of `centroids (k, d)` (a NaN row takes no part), keeps the labels and
  /// sums the members. With `timed`, the phases that can be told apart are measured.
  /// @returns false when cancelled: the labels kept are then undefined until the next `restart` or `pass`.
  virtual bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) = 0;

  /// The label of each point in the last complete pass.
  virtual void labels_of_pass(std::int32_t* labels) const = 0;

  /// Labels (n) against `centroids`, leaving the labels of the last pass alone.
  /// @returns false when cancelled.
  virtual bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) = 0;
};

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

struct BuiltVariant {
  std::unique_ptr<Variant> variant;
  BuiltPlan plan;
};

/// Builds what the plan says.
/// @throws std::invalid_argument for a variant or a regime that is not compiled in.
BuiltVariant make_variant(const VariantPlan& plan, const Points& points, std::size_t k, const Machine& machine);

}  // namespace centroid_lab

// The seam between the loop (lloyd.hpp) and the variants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

std::unique_ptr<Variant> make_sequential(const Points& points, std::size_t k);
std::unique_ptr<Variant> make_openmp(const Points& points, std::size_t k, const Machine& machine);
std::unique_ptr<Variant> make_distance_matrix(const Points& points, std::size_t k, const Machine& machine);
std::unique_ptr<Variant> make_eigen(const Points& points, std::size_t k);
std::unique_ptr<Variant> make_tbb(const Points& points, std::size_t k, const Machine& machine);
std::unique_ptr<Variant> make_fused(const Points& points, std::size_t k, const Machine& machine);
std::unique_ptr<Variant> make_pruned(const Points& points, std::size_t k, const Machine& machine);

/// Names of the variants compiled in.
const std::vector<const char*>& cpu_variants();
bool is_variant(const std::string& name);

/// @throws std::invalid_argument for a name that is none of `cpu_variants`.
std::unique_ptr<Variant> make_variant(const std::string& name, const Points& points, std::size_t k,
                                      const Machine& machine);

}  // namespace centroid_lab

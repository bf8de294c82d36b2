// One variant of a run whose rows are held by several processes: this one's rows, and the sums of all.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fixed_point.hpp"
#include "parts/process_group.hpp"
#include "variant.hpp"

namespace centroid_lab {

/// Whole numbers are added up over the processes, one exchange a pass, so that every process has the sums of all rows, bit
/// for bit those of one process alone. What follows from them each does by itself, alike. Labels are those of its own rows.
class ProcessParts final : public Variant {
 public:
  /// A variant for a part of the rows whose passes leave `PassResult::fixed`, see parts/README.md.
  using Make = std::function<std::unique_ptr<Variant>(const Points& part)>;

  /// @param points this process's part of a whole, with the magnitudes of that. @param group outlives it.
  /// @throws what `make` throws, which is not called where this process has no rows.
  ProcessParts(const Points& points, std::size_t k, ProcessGroup& group, const Make& make);

  void restart() override;
  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override;
  void labels_of_pass(std::int32_t* labels) const override;
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override;

 private:
  /// Sums, counts, changes, and how many processes know that no label changed, one behind the other.
  std::vector<std::int64_t> packed() const;
  void unpack(const std::vector<std::int64_t>& all, PassResult& result) const;

  const std::size_t k_;
  const std::size_t d_;
  const FixedPoint fixed_;
  ProcessGroup& group_;
  /// Null where this process has no rows.
  std::unique_ptr<Variant> part_;
  PassResult result_;
};

}  // namespace centroid_lab

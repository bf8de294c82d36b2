// The device's half: one thread per point, points in columns, kernels made for their number of features. The host's
// half is common/member_sums.cpp. See README.md.
#include "columns.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

/// Only labels: the sums are made on the host, see common/cuda/hybrid.hpp.
class HybridParallel final : public DeviceVariant {
 public:
  explicit HybridParallel(const Problem& problem) : columns_(problem) {}

  SumKind sums() const override { return SumKind::fixed; }
  bool needs_labels() const override { return true; }

  void enqueue_assign(const Pass& pass) override { columns_.enqueue_assign(pass); }

 private:
  Columns columns_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<HybridParallel>(problem); }

const Registration registration({"hybrid-parallel", make, {}, false, SumsBy::all_threads});

}  // namespace
}  // namespace centroid_lab::cuda

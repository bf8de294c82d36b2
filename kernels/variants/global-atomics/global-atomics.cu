// One thread per point; centroids stay in global memory; d + 1 atomic additions per point. See README.md.
#include "assign_and_add.hpp"
#include "atomic_sums.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

class GlobalAtomics final : public DeviceVariant {
 public:
  explicit GlobalAtomics(const Problem& problem) : x_(problem.x), d_(problem.d), k_(problem.k) {}

  SumKind sums() const override { return SumKind::real; }
  bool is_fused() const override { return true; }
  double speed() const override { return speed_of_atomics(k_); }

  void enqueue_assign(const Pass& pass) override { enqueue_assign_and_add(x_, d_, pass); }

 private:
  const float* x_;
  int d_;
  int k_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<GlobalAtomics>(problem); }

const Registration registration({"global-atomics", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

// One thread per point; centroids stay in global memory; d + 1 atomic additions per point. See README.md.
#include "atomic_sums.cuh"
#include "check.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;

template <int D>
__global__ void __launch_bounds__(threads) assign_and_add(const float* x, int d, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t index = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  bool changed = false;
  if (index < pass.count) {
    const size_t i = pass.first + index;
    const float* point = x + i * d;
    const std::int32_t label = nearest_centroid<D>(point, pass.centroids, pass.k, d);
    changed = note_label(pass, i, label) != 0;
    if (pass.accumulate) add_by_atomics(point, d, label, pass.real_sums, pass.counts);
  }
  report_changes(pass, changed);
}

class GlobalAtomics final : public DeviceVariant {
 public:
  explicit GlobalAtomics(const Problem& problem) : x_(problem.x), d_(problem.d), k_(problem.k) {}

  SumKind sums() const override { return SumKind::real; }
  bool is_fused() const override { return true; }
  double speed() const override { return speed_of_atomics(k_); }

  void enqueue_assign(const Pass& pass) override {
    const unsigned blocks = static_cast<unsigned>((pass.count + threads - 1) / threads);
    with_features(d_, [&](auto features) {
      assign_and_add<features.value><<<blocks, threads, 0, pass.stream>>>(x_, d_, pass);
    });
    check_launch("global-atomics");
  }

 private:
  const float* x_;
  int d_;
  int k_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<GlobalAtomics>(problem); }

const Registration registration({"global-atomics", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

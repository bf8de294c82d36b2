// The device's half: one thread per point, without shared memory. The host's half is common/member_sums.cpp. See
// README.md.
#include "check.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;

template <int D>
__global__ void __launch_bounds__(threads) assign(const float* x, int d, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t index = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  bool changed = false;
  if (index < pass.count) {
    const size_t i = pass.first + index;
    changed = note_label(pass, i, nearest_centroid<D>(x + i * d, pass.centroids, pass.k, d)) != 0;
  }
  report_changes(pass, changed);
}

/// Only labels: the sums are made on the host, see common/cuda/hybrid.hpp.
class Hybrid final : public DeviceVariant {
 public:
  explicit Hybrid(const Problem& problem) : x_(problem.x), d_(problem.d) {}

  SumKind sums() const override { return SumKind::fixed; }
  bool needs_labels() const override { return true; }

  void enqueue_assign(const Pass& pass) override {
    const unsigned blocks = static_cast<unsigned>((pass.count + threads - 1) / threads);
    with_features(d_, [&](auto features) {
      assign<features.value><<<blocks, threads, 0, pass.stream>>>(x_, d_, pass);
    });
    check_launch("hybrid");
  }

 private:
  const float* x_;
  int d_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<Hybrid>(problem); }

const Registration registration({"hybrid", make, {}, false, SumsBy::one_thread});

}  // namespace
}  // namespace centroid_lab::cuda

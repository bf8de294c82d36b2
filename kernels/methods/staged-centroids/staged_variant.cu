#include "staged_variant.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "dynamic_shared.hpp"

namespace centroid_lab::cuda::staged {
namespace {

/// Points that a warp takes at least.
constexpr std::size_t warp_points = 32;
/// Static shared memory of the kernels, generously.
constexpr std::size_t spare_bytes = 1024;

class StagedVariant final : public DeviceVariant {
 public:
  StagedVariant(const Problem& problem, const StagedKernel& kernel, bool sums_global)
      : kernel_(kernel), multiprocessors_(static_cast<std::size_t>(problem.device.multiProcessorCount)) {
    double squared = 0;
    for (int j = 0; j < problem.d; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
    job_ = {problem.x, problem.d, problem.scale, static_cast<float>(1.000001 * std::sqrt(squared)), sums_global};
    allow_dynamic_shared(kernel.kernel, kernel.bytes);
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  bool leaves_copies_out() const override { return true; }
  double speed() const override { return 0.3; }

  void enqueue_assign(const Pass& pass) override {
    const std::size_t wanted = (pass.count + warp_points - 1) / warp_points;
    const auto blocks = static_cast<unsigned>(std::min(wanted, multiprocessors_));
    kernel_.kernel<<<blocks, static_cast<unsigned>(kernel_.threads), kernel_.bytes, pass.stream>>>(job_, pass);
    check_launch(kernel_.name);
  }

 private:
  StagedKernel kernel_;
  std::size_t multiprocessors_;
  StagedJob job_{};
};

}  // namespace

bool fits(const Problem& problem, const StagedKernel& kernel) {
  return kernel.bytes + spare_bytes <= problem.device.sharedMemPerBlockOptin;
}

std::unique_ptr<DeviceVariant> make_staged(const Problem& problem, const StagedKernel& kernel) {
  const std::size_t limit = problem.device.sharedMemPerBlockOptin - spare_bytes;
  const std::size_t sums = static_cast<std::size_t>(problem.k) * (2 * static_cast<std::size_t>(problem.d) + 1) * sizeof(unsigned);
  const bool sums_global = kernel.bytes + sums > limit;
  StagedKernel fitting = kernel;
  if (!sums_global) fitting.bytes += sums;
  return std::make_unique<StagedVariant>(problem, fitting, sums_global);
}

}  // namespace centroid_lab::cuda::staged

// Many iterations in one launch.
#pragma once

#include <memory>
#include <utility>

#include "device_variant.hpp"

namespace centroid_lab::cuda::whole_runs {

/// Whole runs by one kernel; single passes by another variant.
class WholeRuns : public DeviceVariant {
 public:
  explicit WholeRuns(std::unique_ptr<DeviceVariant> single) : single_(std::move(single)) {}

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return single_->speed(); }
  bool runs_whole() const override { return true; }
  bool leaves_copies_out() const override { return single_->leaves_copies_out(); }
  /// What is kept of earlier single passes names clusters that may be gone.
  void restart(cudaStream_t stream) override { single_->restart(stream); }
  void enqueue_assign(const Pass& pass) override { single_->enqueue_assign(pass); }

 private:
  std::unique_ptr<DeviceVariant> single_;
};

/// What both regimes of whole runs refuse: too many features, or a device without launches of all blocks at once.
inline const char* refuses_whole_runs(const Problem& problem) {
  if (problem.d > 4) return "Whole runs in one launch hold points of up to 4 features.";
  if (problem.device.cooperativeLaunch == 0) return "The device cannot launch blocks that wait for each other.";
  if (problem.streamed) return "Points that pass through the device cannot stay in its registers.";
  return "";
}

/// What `make` answers for the number of features, 1 to 4, as a type.
template <class Make>
auto for_features(int d, const Make& make) {
  switch (d) {
    case 1: return make(std::integral_constant<int, 1>{});
    case 2: return make(std::integral_constant<int, 2>{});
    case 3: return make(std::integral_constant<int, 3>{});
    default: return make(std::integral_constant<int, 4>{});
  }
}

}  // namespace centroid_lab::cuda::whole_runs

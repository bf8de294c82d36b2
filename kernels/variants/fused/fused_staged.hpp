// The host's side of the regimes for many clusters of few features, `many` and `matrix`: they differ in their kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "device_variant.hpp"

namespace centroid_lab::cuda::staged {

struct ManyJob {
  const float* x;
  int d;
  const float* scale;
  /// Upper bound of |x|.
  float reach;
  /// Sums do not fit shared memory: every point goes to the global ones.
  bool sums_global;
};

/// A kernel that keeps the centroids in shared memory, one block a multiprocessor.
struct StagedKernel {
  void (*kernel)(ManyJob, Pass);
  int threads;
  /// Shared memory without the sums.
  std::size_t bytes;
  /// As errors have it.
  const char* name;
};

/// The variant that launches `kernel`; null where its shared memory is more than the device has.
std::unique_ptr<DeviceVariant> make_staged(const Problem& problem, const StagedKernel& kernel);

/// What `make` answers for the number of features, as a type, that kernels are compiled for: the least that holds `d`; null past 32.
template <class Make>
std::unique_ptr<DeviceVariant> for_width(int d, const Make& make) {
  if (d <= 2) return make(std::integral_constant<int, 2>{});
  if (d <= 4) return make(std::integral_constant<int, 4>{});
  if (d <= 8) return make(std::integral_constant<int, 8>{});
  if (d <= 16) return make(std::integral_constant<int, 16>{});
  if (d <= 32) return make(std::integral_constant<int, 32>{});
  return nullptr;
}

}  // namespace centroid_lab::cuda::staged

// The host's side of `matrix-scores`: centroids in shared memory, one block a multiprocessor.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "device_variant.hpp"

namespace centroid_lab::cuda::staged {

struct StagedJob {
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
  void (*kernel)(StagedJob, Pass);
  int threads;
  /// Shared memory without the sums.
  std::size_t bytes;
  /// As errors have it.
  const char* name;
};

/// Whether a block of the device has the shared memory that `kernel` needs.
bool fits(const Problem& problem, const StagedKernel& kernel);

/// The variant that launches `kernel`, which fits.
std::unique_ptr<DeviceVariant> make_staged(const Problem& problem, const StagedKernel& kernel);

/// Features that kernels are compiled for, at most.
constexpr int max_width = 32;

/// What `make` answers for the number of features, as a type, that kernels are compiled for: the least that holds `d`.
template <class Make>
auto for_width(int d, const Make& make) {
  if (d <= 2) return make(std::integral_constant<int, 2>{});
  if (d <= 4) return make(std::integral_constant<int, 4>{});
  if (d <= 8) return make(std::integral_constant<int, 8>{});
  if (d <= 16) return make(std::integral_constant<int, 16>{});
  return make(std::integral_constant<int, max_width>{});
}

}  // namespace centroid_lab::cuda::staged

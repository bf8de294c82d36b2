// How much shared memory a kernel may be launched with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <mutex>

#include "check.hpp"

namespace centroid_lab::cuda {

/// Lets `kernel` be launched with `bytes` of dynamic shared memory. The limit belongs to the kernel, which all sessions
/// of the process share: it is only ever raised, or a session of a smaller k would take from one that is open.
template <class Kernel>
void allow_dynamic_shared(Kernel* kernel, std::size_t bytes) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  if (static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes) >= bytes) return;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
}

}  // namespace centroid_lab::cuda

// Kernels that begin while those before them in the stream end.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "check.hpp"

namespace centroid_lab::cuda {

/// Blocks of the next kernel in the stream may begin as room becomes free (compute capability 9.0; else nothing happens).
__device__ __forceinline__ void let_next_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// Waits until all that is ahead in the stream is done and can be seen.
__device__ __forceinline__ void await_earlier() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Launches a kernel whose blocks may begin before what is ahead of it in the stream is done: it calls `await_earlier` before it looks
/// at what others leave behind.
template <class... Arguments>
void launch_early(void (*kernel)(Arguments...), dim3 blocks, unsigned threads, std::size_t shared, cudaStream_t stream,
                  Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "launch of a kernel that begins early");
}

/// The same where the device can, else when all that is ahead is done.
template <class... Arguments>
void launch_in_turn(bool can_be_early, void (*kernel)(Arguments...), dim3 blocks, unsigned threads, std::size_t shared,
                    cudaStream_t stream, Arguments... arguments) {
  if (can_be_early) return launch_early(kernel, blocks, threads, shared, stream, arguments...);
  kernel<<<blocks, threads, shared, stream>>>(arguments...);
  check_launch("launch of a kernel in its turn");
}

inline bool can_launch_early(const cudaDeviceProp& device) { return device.major >= 9; }

}  // namespace centroid_lab::cuda

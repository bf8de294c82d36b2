// Tiles of points on their way from global into shared memory, several ahead of what is read; only compute capability 8.0 and later have it.
#pragma once

namespace centroid_lab::cuda::staged_points {

/// Copies Bytes, 4 or 16, to an address in shared memory; zeros where `there` is false.
template <int Bytes>
__device__ __forceinline__ void copy_to_shared(unsigned target, const float* from, bool there = true) {
#if __CUDA_ARCH__ >= 800
  const int size = there ? Bytes : 0;
  if constexpr (Bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(size) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(from), "r"(size) : "memory");
#endif
}

__device__ __forceinline__ void end_of_tile() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all tiles but the `ahead` (0 to 2) that were begun last, as far as this thread copied them.
__device__ __forceinline__ void await_tile(int ahead) {
#if __CUDA_ARCH__ >= 800
  if (ahead == 0) asm volatile("cp.async.wait_group 0;" ::: "memory");
  else if (ahead == 1) asm volatile("cp.async.wait_group 1;" ::: "memory");
  else asm volatile("cp.async.wait_group 2;" ::: "memory");
#endif
}

/// Shared memory that is still written to must not go to another block.
__device__ __forceinline__ void end_of_copies() { await_tile(0); }

}  // namespace centroid_lab::cuda::staged_points

// Sums that are kept from pass to pass: a pass adds points where they came to and takes them away where they left, which in whole
// numbers leaves the same sums as adding all points anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_variant.hpp"
#include "finish.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda::staged_points {

/// What is kept of the points of earlier passes, on the device; nothing where points are new in each.
struct Kept {
  /// (n): the cluster of each point, counted from 1; 0 for one that has not been added.
  unsigned char* clusters;
  /// (k, d), (k): sums and numbers of those that were added.
  unsigned long long* sums;
  unsigned* counts;
  /// Blocks that have added what they had.
  unsigned* finished;
};

/// Clusters that a warp of one block completes faster than another launch would begin.
constexpr int rows_of_warp = 2;

/// The pass's sums and counts are those kept, once all blocks have added to them: by the last one, which completes the iteration where
/// `finish` says of what. Synchronises.
__device__ inline void hand_over(const Kept& kept, const Pass& pass, int d, const FinishArguments& finish) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicInc(kept.finished, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (finish.state != nullptr && !finish.halt_on_empty) return complete_alone(of_kept(finish, kept.sums, kept.counts));
  for (int at = threadIdx.x; at < pass.k * d; at += blockDim.x) pass.fixed_sums[at] = static_cast<long long>(__ldcg(kept.sums + at));
  for (int at = threadIdx.x; at < pass.k; at += blockDim.x) pass.counts[at] = __ldcg(kept.counts + at);
  if (finish.state == nullptr) return;
  __syncthreads();
  complete_alone(finish);
}

/// What is kept, as memory.
class KeptSums {
 public:
  KeptSums() = default;
  KeptSums(std::size_t n, std::size_t d, std::size_t k) : clusters_(n), sums_(k * d), counts_(k), finished_(1) {
    restart(nullptr);
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }

  /// No point has been added.
  void restart(cudaStream_t stream) {
    clusters_.clear(stream);
    sums_.clear(stream);
    counts_.clear(stream);
    finished_.clear(stream);
  }

  Kept get() const { return {clusters_.get(), sums_.get(), counts_.get(), finished_.get()}; }

 private:
  Buffer<unsigned char> clusters_;
  Buffer<unsigned long long> sums_;
  Buffer<unsigned> counts_, finished_;
};

}  // namespace centroid_lab::cuda::staged_points

// Centroids that are copies of one before them, bit by bit, as a pass has them: rows of NaN, which take no part. Ties go to the lowest
// index, so that no point comes to a copy; and were it there, all points of its original were in doubt.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "memory.hpp"

namespace centroid_lab::cuda {

/// Finds copies anew whenever it is enqueued, by a table of hashes: O(k d).
class CentroidCopies {
 public:
  CentroidCopies(std::size_t k, std::size_t d);

  /// @param centroids on the device, `k` rows. @param halted as in Pass. @returns where the rows will be, with NaN for copies.
  const float* enqueue(const float* centroids, int k, const int* halted, cudaStream_t stream) const;

 private:
  int d_;
  /// A power of two, so many that rows find a free slot soon.
  Buffer<unsigned> slots_;
  /// (k): the slot of each row.
  Buffer<unsigned> own_slot_;
  Buffer<float> without_copies_;
};

}  // namespace centroid_lab::cuda

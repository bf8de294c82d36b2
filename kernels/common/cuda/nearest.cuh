// The textbook search for the nearest centroid, and what every variant does with a label.
#pragma once

#include <cstdint>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Squared distance of two rows of d, direct difference form in float32.
__device__ inline float squared_distance(const float* point, const float* centroid, int d) {
  float distance = 0;
  for (int j = 0; j < d; j++) {
    const float difference = point[j] - centroid[j];
    distance = fmaf(difference, difference, distance);
  }
  return distance;
}

/// Index of the nearest of `centroids (k, d)`; ties go to the lowest. The first centroid is the first candidate: no
/// sentinel.
__device__ inline std::int32_t nearest_centroid(const float* point, const float* centroids, int k, int d) {
  std::int32_t nearest = 0;
  float smallest = squared_distance(point, centroids, d);
  for (int cluster = 1; cluster < k; cluster++) {
    const float distance = squared_distance(point, centroids + static_cast<size_t>(cluster) * d, d);
    if (distance < smallest) {
      smallest = distance;
      nearest = cluster;
    }
  }
  return nearest;
}

/// Stores a label where labels are kept. @returns 1 when changes are counted and it differs from the one before.
__device__ inline unsigned note_label(const Pass& pass, size_t point, std::int32_t label) {
  if (pass.labels == nullptr) return 0;
  const unsigned changed = pass.count_changes && pass.labels[point] != label ? 1 : 0;
  pass.labels[point] = label;
  return changed;
}

/// Adds what the threads of a block have counted to the pass's number of changes; by all threads of the block.
__device__ inline void report_changes(const Pass& pass, bool changed) {
  if (!pass.count_changes) return;
  const int in_block = __syncthreads_count(changed);
  if (threadIdx.x == 0 && in_block > 0) atomicAdd(pass.changed, static_cast<unsigned>(in_block));
}

}  // namespace centroid_lab::cuda

// Squared distances of two rows in memory by several lanes, for many features: reads are side by side, and a feature goes through few
// additions, so that few distances lie too close together to be told apart.
#pragma once

#include "nearest.cuh"

namespace centroid_lab::cuda {

/// By `Lanes` neighbouring lanes, a power of two, which all get it. By whole warps.
template <int Lanes>
__device__ __forceinline__ float distance_by_lanes(const float* row, const float* centroid, int d) {
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  float sums[4] = {};
  if (d % 4 == 0) {
#pragma unroll 4
    for (int j = 4 * lane; j < d; j += 4 * Lanes) {
      float x[4], c[4];
      load_row(row + j, x);
      load_row(centroid + j, c);
#pragma unroll
      for (int l = 0; l < 4; l++) sums[l] = fmaf(x[l] - c[l], x[l] - c[l], sums[l]);
    }
  } else {
#pragma unroll 4
    for (int j = lane; j < d; j += Lanes) sums[0] = fmaf(row[j] - centroid[j], row[j] - centroid[j], sums[0]);
  }
  float distance = (sums[0] + sums[1]) + (sums[2] + sums[3]);
#pragma unroll
  for (int lanes = Lanes / 2; lanes > 0; lanes /= 2) distance += __shfl_xor_sync(0xffffffffU, distance, lanes);
  return distance;
}

/// Additions that a feature goes through there, at most.
template <int Lanes>
__device__ constexpr int additions_by_lanes(int d) {
  const int side_by_side = d % 4 == 0 ? 4 * Lanes : Lanes;
  int lanes = 0;
  while (1 << lanes < Lanes) lanes++;
  return (d + side_by_side - 1) / side_by_side + 2 + lanes;
}

}  // namespace centroid_lab::cuda

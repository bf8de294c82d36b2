// Sums by float64 atomics in global memory, where Goldsborough (float32) and Di Dio have atomics: the order of additions
// is left open.
#pragma once

#include <algorithm>
#include <cstdint>

namespace centroid_lab::cuda {

/// Adds a point of d coordinates to sums (k, d) and counts (k).
__device__ inline void add_by_atomics(const float* point, int d, std::int32_t label, double* sums, unsigned* counts) {
  double* to = sums + static_cast<size_t>(label) * d;
  for (int j = 0; j < d; j++) atomicAdd(to + j, static_cast<double>(point[j]));
  atomicAdd(counts + label, 1u);
}

/// See `DeviceVariant::speed`: with few clusters all atomics hit a few addresses and are the whole time, about a
/// nanosecond a point.
inline double speed_of_atomics(int k) { return std::clamp(k / 5000.0, 0.0015, 0.05); }

}  // namespace centroid_lab::cuda

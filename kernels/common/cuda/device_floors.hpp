#pragma once

#include <cstddef>

namespace centroid_lab::cuda {

/// What a device can do at most, measured.
struct DeviceFloors {
  /// Float32 multiply-adds in a millisecond.
  double products_per_ms = 0;
  /// Bytes read from device memory in a millisecond.
  double bytes_per_ms = 0;
  /// Multiply-adds of the matrix units on fp16 with float32 sums, by mma.sync (later units reach more by their own
  /// instructions); 0 where there are none.
  double matrix_products_per_ms = 0;
  /// Second-level cache.
  std::size_t cache_bytes = 0;
  /// An empty kernel in a recorded graph.
  double min_ms = 0;
};

/// Takes about a tenth of a second. @throws std::runtime_error, std::bad_alloc.
DeviceFloors measure_device_floors(int device);

}  // namespace centroid_lab::cuda

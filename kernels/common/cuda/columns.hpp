// Dhanasekaran & Rubin: rows are transposed to columns once, and threads side by side read side by side.
#pragma once

#include "device_variant.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {

/// The points in columns, (d, n), on the device.
class Columns {
 public:
  /// Transposes and waits. @throws std::bad_alloc for want of device memory.
  explicit Columns(const Problem& problem);

  /// Labels the points of a pass, a thread each in groups of 256, and counts the changes.
  void enqueue_assign(const Pass& pass) const;

  const float* get() const { return columns_.get(); }

 private:
  std::size_t n_;
  int d_;
  Buffer<float> columns_;
};

}  // namespace centroid_lab::cuda

// Points in an order in which neighbours follow each other, in chunks with a ball around each, and in stretches of chunks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_variant.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda::neighbour_boxes {

/// Clusters that the lists can number.
constexpr int max_clusters = 4096;
/// With more features a curve of 32 bits is too coarse an order.
constexpr int max_on_curve = 3;
/// Chunks of a stretch, which has a list of its own.
constexpr int stretch_chunks = 16;

/// Features that rows are filled up to, and points of a chunk that a lane takes.
constexpr int width_of(int d) { return d <= 2 ? 2 : d <= 4 ? 4 : d <= 8 ? 8 : d <= 16 ? 16 : 32; }
__host__ __device__ constexpr int lane_points(int width) { return width == 2 ? 8 : width <= 8 ? 4 : 2; }

/// On the device. A chunk has 32 lane_points(width) points; the last is filled up with copies of the last point.
struct Chunks {
  /// (chunks, parts, points of a chunk): four features each, or two where there are no more.
  const float* values;
  /// (n): row of each point.
  const unsigned* rows;
  /// (chunks, width) and (chunks): the ball around each.
  const float* centres;
  const float* radii;
  /// (chunks, d): its fixed-point coordinates added up.
  const long long* sums;
  /// The same of the stretches.
  const float* stretch_centres;
  const float* stretch_radii;
  const long long* stretch_sums;
  unsigned chunks;
  unsigned stretches;
};

class ChunkBuffers {
 public:
  /// Waits. @throws std::bad_alloc for want of device memory.
  explicit ChunkBuffers(const Problem& problem);
  const Chunks& chunks() const { return chunks_; }

 private:
  Chunks chunks_{};
  Buffer<float> values_;
  Buffer<unsigned> rows_;
  Buffer<float> balls_;
  Buffer<long long> sums_;
};

}  // namespace centroid_lab::cuda::neighbour_boxes

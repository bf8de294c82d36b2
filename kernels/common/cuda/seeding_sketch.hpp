// The points of a seeding in a byte a feature, and how far each is from what its bytes say.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory.hpp"
#include "seeding_points.cuh"

namespace centroid_lab::cuda {

/// Point i is about offsets + size * bytes. Squared distances of two points' bytes are whole numbers.
struct Sketch {
  /// [block][word][point], four features a word, zeros behind the last feature; null where there is no sketch.
  const std::uint32_t* words = nullptr;
  int words_a_point = 0;
  /// (n) squared length of each point's bytes, and how far the point is at most from what they say.
  const std::int32_t* squares = nullptr;
  const float* errors = nullptr;
  /// What one step of a byte is worth.
  const float* size = nullptr;

  __device__ const std::uint32_t* of_block(std::size_t block) const { return words + block * words_a_point * block_points; }
};

/// Device memory of a sketch.
class SketchMemory {
 public:
  SketchMemory() = default;
  /// Enqueues its making. @throws std::bad_alloc, std::runtime_error.
  SketchMemory(const Coordinates& x, std::size_t blocks, cudaStream_t stream);

  Sketch get() const;

 private:
  int words_a_point_ = 0;
  Buffer<std::int32_t> least_;
  Buffer<std::int32_t> largest_;
  Buffer<float> offsets_;
  Buffer<float> size_;
  Buffer<std::uint32_t> words_;
  Buffer<std::int32_t> squares_;
  Buffer<float> errors_;
};

}  // namespace centroid_lab::cuda

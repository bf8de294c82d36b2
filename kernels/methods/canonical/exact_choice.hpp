// The exact decision among centroids that float32 cannot tell apart. Declared only: what it is made of is compiled once, for
// any processor, while vector kernels that call it are compiled for one instruction set each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab {

/// What float32 distances cannot decide, see near_tie.hpp. As it stands: nothing can.
struct NearTie {
  float factor = __builtin_huge_valf();
  float rest = 0;
  /// Where bits of the distances hold a number, up to `tag_bits` of them.
  float tagged_factor = __builtin_huge_valf();

  static constexpr int tag_bits = 6;
};

/// @param d features
NearTie near_tie(std::size_t d);

/// The exactly nearest of some centroids to a point. Used by one thread.
class ExactChoice {
 public:
  /// Coordinates of the point lie `apart` floats from each other, those of centroids `centroid_apart`.
  ExactChoice(const float* point, std::size_t apart, std::size_t centroid_apart, std::size_t d);

  /// @param index of the centroid; offered in ascending order, because ties go to the first.
  void offer(const float* centroid, std::int32_t index);

  /// Of those offered; 0 where there are none.
  std::int32_t nearest();

 private:
  static constexpr std::size_t room = 32;

  void reduce();

  const float* point_;
  std::size_t apart_;
  std::size_t centroid_apart_;
  std::size_t d_;
  std::size_t count_ = 0;
  const float* centroids_[room];
  std::int32_t indices_[room] = {};
};

}  // namespace centroid_lab

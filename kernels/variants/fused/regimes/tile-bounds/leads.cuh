// What the ball of a tile says of centroids: by how much they are farther from its points than another one.
#pragma once

#include "visit.cuh"

namespace centroid_lab::cuda {

/// The ball of a tile and its middle, up to D features in registers.
template <int D>
struct Ball {
  float centre[D];
  float anchor[D];

  __device__ Ball(const TileArguments& to, std::size_t tile) { load_row(to.centres + tile * D, centre); }
  __device__ void take_anchor(const TileArguments& to, int a) {
    load_row(to.rows + static_cast<std::size_t>(a) * D, anchor);
  }
  __device__ float to_anchor(const TileArguments&) const { return squared_distance(centre, anchor); }
  /// Squared distances of centroid c from the middle and from the anchor.
  __device__ void measure(const TileArguments& to, int c, float& from_centre, float& from_anchor) const {
    from_centre = from_anchor = 0;
#pragma unroll
    for (int j = 0; j < D; j++) {
      const float value = j < to.d ? to.columns[static_cast<std::size_t>(j) * to.k + c] : 0.0F;
      from_centre = add_difference(from_centre, value, centre[j]);
      from_anchor = add_difference(from_anchor, value, anchor[j]);
    }
  }
};

template <>
struct Ball<0> {
  const float* centre;
  const float* anchor = nullptr;

  __device__ Ball(const TileArguments& to, std::size_t tile) : centre(to.centres + tile * to.width) {}
  __device__ void take_anchor(const TileArguments& to, int a) {
    anchor = to.rows + static_cast<std::size_t>(a) * to.width;
  }
  __device__ float to_anchor(const TileArguments& to) const {
    float squared = 0;
    for (int j = 0; j < to.d; j++) squared = add_difference(squared, centre[j], anchor[j]);
    return squared;
  }
  __device__ void measure(const TileArguments& to, int c, float& from_centre, float& from_anchor) const {
    from_centre = from_anchor = 0;
#pragma unroll 4
    for (int j = 0; j < to.d; j++) {
      const float value = to.columns[static_cast<std::size_t>(j) * to.k + c];
      from_centre = add_difference(from_centre, value, centre[j]);
      from_anchor = add_difference(from_anchor, value, anchor[j]);
    }
  }
};

/// The smallest of a warp and whose it is; the lowest on ties.
__device__ inline int nearest_of_warp(float smallest, int nearest) {
  for (int step = 16; step > 0; step /= 2) {
    const float distance = __shfl_xor_sync(whole_warp, smallest, step);
    const int other = __shfl_xor_sync(whole_warp, nearest, step);
    if (distance < smallest || (distance == smallest && other < nearest)) {
      smallest = distance;
      nearest = other;
    }
  }
  return nearest;
}

__device__ inline float smallest_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value = fminf(value, __shfl_xor_sync(whole_warp, value, step));
  return value;
}

/// The centroid nearest to the middle of a ball of which nothing is known yet.
template <int D>
__device__ int first_anchor(const TileArguments& to, int k, Ball<D>& ball) {
  ball.take_anchor(to, 0);
  float smallest = INFINITY;
  int nearest = 0;
  for (int c = threadIdx.x % 32; c < k; c += 32) {
    float from_centre, from_anchor;
    ball.measure(to, c, from_centre, from_anchor);
    if (from_centre < smallest) {
      smallest = from_centre;
      nearest = c;
    }
  }
  return nearest_of_warp(smallest, nearest);
}

/// What excludes centroids from a ball. proof.md, "Leads", has the proof.
struct Exclusion {
  float slack;
  float radius;
  float squared;
  float distance;
  float margin;

  __device__ Exclusion(const TileArguments& to, float its_radius, float squared_to_anchor)
      : slack(2 * slack_of(to.d)), radius(its_radius), squared(squared_to_anchor) {
    distance = fast_root(squared) * (1 + slack) + tiny_distance;
    margin = 4 * slack * (distance + radius) + 4 * tiny_distance;
  }
  /// By how much a centroid is farther than the anchor from every point of the ball, at least.
  __device__ float lead(float from_centre, float from_anchor) const {
    const float far = fast_root(from_centre);
    const float apart = fast_root(from_anchor) * (1 + slack) + tiny_distance;
    const float over = from_centre * (1 - slack) - squared * (1 + slack) - 2 * radius * apart - tiny_distance * tiny_distance;
    const float under = (far + distance + 2 * radius) * (1 + slack) + tiny_distance;
    const float by_plane = over > 0 ? __fdividef(over, under) * (1 - slack) : 0.0F;
    const float by_triangle = far * (1 - slack) - distance - 2 * radius - tiny_distance;
    return (fmaxf(by_plane, by_triangle) - margin) * (1 - 16 * slack);
  }
};

}  // namespace centroid_lab::cuda

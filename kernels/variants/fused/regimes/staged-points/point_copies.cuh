// Tiles of points on their way from global into shared memory, each that of a warp: asynchronous copies of sixteen bytes, several tiles
// ahead.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/staged-points/async_copies.cuh"

namespace centroid_lab::cuda::staged_points {

/// How rows lie in a tile. Lanes read one row each, in vectors as wide as d allows: banks do not collide where a row is an odd
/// number of vectors, which d is unless it is a multiple of eight; then a vector more parts the rows.
struct Rows {
  int d;

  __host__ __device__ explicit Rows(int features) : d(features) {}
  __host__ __device__ bool padded() const { return d % 8 == 0; }
  __host__ __device__ int stride() const { return padded() ? d + 4 : d; }
  /// Floats of a tile of `points`; up to three before the first row keep vectors aligned.
  __host__ __device__ int tile_floats(int points) const { return points * stride() + 4; }
};

/// What a lane copies of a tile: a vector at `from` of the rows, to `to` of the tile, and the next ones so many floats on.
struct CopyPath {
  int from, to, from_step, to_step;

  /// Where rows are padded a lane keeps to its column, so that as many lanes copy as make whole rows.
  __device__ explicit CopyPath(const Rows& rows) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int vectors = rows.padded() ? rows.d / 4 : 1;
    const int together = 32 / vectors;
    from = 4 * lane;
    to = rows.padded() ? lane / vectors * rows.stride() + lane % vectors * 4 : from;
    from_step = 4 * together * vectors;
    to_step = rows.padded() ? together * rows.stride() : from_step;
    if (lane >= together * vectors) from = 1 << 30;
  }
};

/// Begins to copy the floats first .. last - 1 of `x` into `tile`, from the vector that holds the first on; by a warp. The last
/// vector of the points may end past their memory, so that what is there of it is copied one by one.
__device__ __forceinline__ void copy_rows(const float* x, std::size_t first, std::size_t last, CopyPath path, float* tile) {
  const std::size_t begin = first & ~static_cast<std::size_t>(3);
  const int floats = static_cast<int>(last - begin);
  const float* from = x + begin;
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
#pragma unroll 4
  for (; path.from < (floats & ~3); path.from += path.from_step, path.to += path.to_step) {
    copy_to_shared<16>(to + 4 * path.to, from + path.from);
  }
  for (; path.from < floats; path.from++, path.to++) copy_to_shared<4>(to + 4 * path.to, from + path.from);
}

}  // namespace centroid_lab::cuda::staged_points

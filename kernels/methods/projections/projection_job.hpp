// What the vector kernels of projections work on. Only plain pointers: see methods/tiles/tiles.hpp.
#pragma once

#include <cstddef>

#include "methods/tiles/tiles.hpp"

namespace centroid_lab {

/// Numbers of directions that points are projected on.
constexpr std::size_t direction_counts[] = {16, 32, 64, 128};
constexpr std::size_t max_directions = 128;

/// The projected points and centroids of one pass, beside the TileJob of the whole ones.
struct alignas(128) ProjectionJob {
  /// Tiles of projected points, packed projected centroids, and their half norms; its `d` is that of the projections.
  TileJob projected;
  /// (n, up to the end of the last tile) |p|^2 of each projected point.
  const float* squares;
  /// (k, d) centroids, row-major, all of them.
  const float* centroids;
  /// Projected centroids lie near enough to the origin for the margin to hold.
  bool usable;
};

/// rows (count, length) times directions (length, width), with `offset (width)` taken away, in float64.
/// @param width a multiple of 16
using Project = void (*)(const float* rows, std::size_t count, std::size_t length, const double* directions,
                         std::size_t width, const double* offset, double* to);

struct ProjectionKernels {
  Project project;
};

extern const ProjectionKernels baseline_projections;
#if defined(__x86_64__)
extern const ProjectionKernels avx2_projections;
extern const ProjectionKernels avx512_projections;
#endif

}  // namespace centroid_lab

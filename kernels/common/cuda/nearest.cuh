// The textbook search for the nearest centroid, and what every variant does with a label.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Up to so many features a kernel is made for each number of them and keeps its point in registers.
constexpr int max_specialised_features = 16;

/// Calls `launch` with d as a compile-time constant where kernels are specialised for it, else with 0.
template <int D = 1, class Launch>
void with_features(int d, const Launch& launch) {
  if (d == D) launch(std::integral_constant<int, D>{});
  else if constexpr (D < max_specialised_features) with_features<D + 1>(d, launch);
  else launch(std::integral_constant<int, 0>{});
}

/// Copies a row of D numbers with the widest loads that its alignment allows: rows follow each other from an
/// aligned start.
template <int D>
__device__ inline void load_row(const float* from, float (&to)[D]) {
  using Wide = std::conditional_t<D % 4 == 0, float4, std::conditional_t<D % 2 == 0, float2, float>>;
  constexpr int width = sizeof(Wide) / sizeof(float);
#pragma unroll
  for (int j = 0; j < D; j += width) {
    const Wide part = *reinterpret_cast<const Wide*>(from + j);
    const float* values = reinterpret_cast<const float*>(&part);
#pragma unroll
    for (int l = 0; l < width; l++) to[j + l] = values[l];
  }
}

/// Whether a row of a pass's centroids is there, and not left out.
__device__ __forceinline__ bool has_part(const float* centroid) { return !isnan(*centroid); }

/// The nearest centroid so far. Clusters must be offered in their order: ties go to the lowest. Nothing finite stands in
/// for the first.
struct Nearest {
  std::int32_t cluster = 0;
  float distance = INFINITY;

  __device__ void offer(int candidate, float its_distance) {
    if (its_distance < distance) {
      distance = its_distance;
      cluster = candidate;
    }
  }
};

/// Squared distance of two rows of D, direct difference form in float32.
template <int D>
__device__ inline float squared_distance(const float (&point)[D], const float (&centroid)[D]) {
  float distance = 0;
#pragma unroll
  for (int j = 0; j < D; j++) {
    const float difference = point[j] - centroid[j];
    distance = fmaf(difference, difference, distance);
  }
  return distance;
}

/// Offers the `count` rows of `centroids`, of which the first is cluster `first`.
template <int D>
__device__ inline void offer_rows(const float (&point)[D], const float* centroids, int first, int count,
                                  Nearest& best) {
#pragma unroll 4
  for (int row = 0; row < count; row++) {
    float centroid[D];
    load_row(centroids + static_cast<size_t>(row) * D, centroid);
    best.offer(first + row, squared_distance(point, centroid));
  }
}

/// Centroids searched at once where a point is too long for registers.
constexpr int rows_at_once = 16;

/// Adds the squared differences of Width features to the distances to up to `rows_at_once` centroids; rows beyond
/// `last` repeat it. `centroids` begins at the feature looked at, its rows are `stride` apart.
template <int Width>
__device__ inline void add_differences(const float (&point)[Width], const float* centroids, size_t stride, int last,
                                       float (&distances)[rows_at_once]) {
#pragma unroll
  for (int row = 0; row < rows_at_once; row++) {
    float centroid[Width];
    load_row(centroids + min(row, last) * stride, centroid);
#pragma unroll
    for (int j = 0; j < Width; j++) {
      const float difference = point[j] - centroid[j];
      distances[row] = fmaf(difference, difference, distances[row]);
    }
  }
}

/// Offers up to `rows_at_once` centroids of which the first is cluster `first`. Equal copies of the last row, which
/// `add_differences` makes, never win against it.
__device__ inline void offer_distances(const float (&distances)[rows_at_once], int first, Nearest& best) {
#pragma unroll
  for (int row = 0; row < rows_at_once; row++) best.offer(first + row, distances[row]);
}

/// The search for long points, Width features at a time. `read(j, values)` gives features j .. j + Width - 1.
template <int Width, class Read>
__device__ inline std::int32_t nearest_of_long(const Read& read, const float* centroids, int k, int d) {
  Nearest best;
  for (int first = 0; first < k; first += rows_at_once) {
    float distances[rows_at_once] = {};
    const float* group = centroids + static_cast<size_t>(first) * d;
    for (int j = 0; j < d; j += Width) {
      float part[Width];
      read(j, part);
      add_differences<Width>(part, group + j, d, min(rows_at_once, k - first) - 1, distances);
    }
    offer_distances(distances, first, best);
  }
  return best.cluster;
}

/// Index of the nearest of `centroids (k, d)` to a row of d; ties go to the lowest. D is d, or 0 for any.
template <int D>
__device__ inline std::int32_t nearest_centroid(const float* row, const float* centroids, int k, int d) {
  if constexpr (D > 0) {
    float point[D];
    load_row(row, point);
    Nearest best;
    offer_rows(point, centroids, 0, k, best);
    return best.cluster;
  } else if (d % 4 == 0) {
    return nearest_of_long<4>([&](int j, float(&to)[4]) { load_row(row + j, to); }, centroids, k, d);
  } else {
    return nearest_of_long<1>([&](int j, float(&to)[1]) { to[0] = row[j]; }, centroids, k, d);
  }
}

/// Stores a label where labels are kept. @returns 1 when changes are counted and it differs from the one before.
__device__ inline unsigned note_label(const Pass& pass, size_t point, std::int32_t label) {
  if (pass.labels == nullptr) return 0;
  const unsigned changed = pass.count_changes && pass.labels[point] != label ? 1 : 0;
  pass.labels[point] = label;
  return changed;
}

/// Adds what the threads of a block have counted to the pass's number of changes; by all threads of the block.
__device__ inline void report_changes(const Pass& pass, bool changed) {
  if (!pass.count_changes) return;
  const int in_block = __syncthreads_count(changed);
  if (threadIdx.x == 0 && in_block > 0) atomicAdd(pass.changed, static_cast<unsigned>(in_block));
}

}  // namespace centroid_lab::cuda

// Points in columns, as kernels read them.
#pragma once

#include "nearest.cuh"

namespace centroid_lab::cuda {

/// A point of columns (d, n): its D coordinates, which stay in registers.
template <int D>
class ColumnPoint {
 public:
  __device__ __forceinline__ ColumnPoint(const float* columns, size_t n, int, size_t i) {
#pragma unroll
    for (int j = 0; j < D; j++) coordinates_[j] = columns[j * n + i];
  }

  __device__ __forceinline__ float operator[](int j) const { return coordinates_[j]; }

  __device__ __forceinline__ std::int32_t nearest(const float* centroids, int k) const {
    Nearest best;
    offer_rows(coordinates_, centroids, 0, k, best);
    return best.cluster;
  }

 private:
  float coordinates_[D];
};

/// One of any d, read from its columns whenever it is asked.
template <>
class ColumnPoint<0> {
 public:
  __device__ __forceinline__ ColumnPoint(const float* columns, size_t n, int d, size_t i)
      : own_(columns + i), n_(n), d_(d) {}

  __device__ __forceinline__ float operator[](int j) const { return own_[j * n_]; }

  __device__ __forceinline__ std::int32_t nearest(const float* centroids, int k) const {
    if (d_ % 4 == 0) return nearest_by<4>(centroids, k);
    return nearest_by<1>(centroids, k);
  }

 private:
  template <int Width>
  __device__ __forceinline__ std::int32_t nearest_by(const float* centroids, int k) const {
    const auto read = [&](int j, float(&to)[Width]) {
#pragma unroll
      for (int l = 0; l < Width; l++) to[l] = own_[(j + l) * n_];
    };
    return nearest_of_long<Width>(read, centroids, k, d_);
  }

  const float* own_;
  size_t n_;
  int d_;
};

}  // namespace centroid_lab::cuda

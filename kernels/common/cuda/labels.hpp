// What is done with labels on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace centroid_lab::cuda {

/// Points that one partial inertia covers.
constexpr std::size_t inertia_block = 1024;

/// partial (ceil(n / inertia_block)): float64 squared distances of the points to the centroids of their labels, added
/// in a fixed order.
void enqueue_inertia(const float* x, std::size_t n, int d, const float* centroids, const std::int32_t* labels,
                     double* partial, cudaStream_t stream);

/// labels[i] = map[labels[i]] where that is not negative.
void enqueue_relabel(std::int32_t* labels, std::size_t n, const std::int32_t* map, cudaStream_t stream);

}  // namespace centroid_lab::cuda

#include "check.hpp"
#include "finish.cuh"
#include "labels.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;

__device__ double squared_distance(const float* point, const float* centroid, int d) {
  double sum = 0;
  for (int j = 0; j < d; j++) {
    const double difference = static_cast<double>(point[j]) - static_cast<double>(centroid[j]);
    sum += difference * difference;
  }
  return sum;
}

__global__ void __launch_bounds__(threads)
    inertia(const float* x, size_t n, int d, const float* centroids, const std::int32_t* labels, double* partial) {
  __shared__ double warps[threads / 32];
  const size_t first = static_cast<size_t>(blockIdx.x) * inertia_block;
  double sum = 0;
  for (size_t i = first + threadIdx.x; i < min(n, first + inertia_block); i += threads) {
    sum += squared_distance(x + i * d, centroids + static_cast<size_t>(labels[i]) * d, d);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double total = 0;
  for (double warp : warps) total += warp;
  partial[blockIdx.x] = total;
}

__global__ void relabel(std::int32_t* labels, size_t n, const std::int32_t* map) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < n && labels[i] >= 0) labels[i] = map[labels[i]];
}

}  // namespace

void enqueue_inertia(const float* x, std::size_t n, int d, const float* centroids, const std::int32_t* labels,
                     double* partial, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>((n + inertia_block - 1) / inertia_block);
  inertia<<<blocks, threads, 0, stream>>>(x, n, d, centroids, labels, partial);
  check_launch("inertia");
}

void enqueue_relabel(std::int32_t* labels, std::size_t n, const std::int32_t* map, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>((n + threads - 1) / threads);
  relabel<<<blocks, threads, 0, stream>>>(labels, n, map);
  check_launch("relabel");
}

}  // namespace centroid_lab::cuda

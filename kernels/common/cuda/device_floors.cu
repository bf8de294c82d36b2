#include "device_floors.hpp"

#include <algorithm>

#include "cuda/memory.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
constexpr int blocks_per_multiprocessor = 8;
constexpr int repeats = 5;
constexpr int chains = 8;
constexpr int rounds = 4096;
constexpr std::size_t max_bytes_read = std::size_t{1} << 30;
constexpr int empty_kernels = 256;
/// Multiply-adds of one mma.sync.m16n8k16 of a warp.
constexpr double products_of_mma = 16 * 8 * 16;

__global__ void multiply_add(float* out, float factor) {
  float values[chains];
  for (int c = 0; c < chains; c++) values[c] = static_cast<float>(threadIdx.x + c);
  for (int round = 0; round < rounds; round++) {
#pragma unroll
    for (int c = 0; c < chains; c++) values[c] = fmaf(values[c], factor, 0.5F);
  }
  float sum = 0;
  for (float value : values) sum += value;
  // Never true, but the compiler cannot know it.
  if (sum == 12345.678F) out[0] = sum;
}

__global__ void matrix_multiply_add(float* out, unsigned seed) {
#if __CUDA_ARCH__ >= 800
  float sums[chains][4] = {};
  const unsigned a = seed + threadIdx.x % 3;
  for (int round = 0; round < rounds / chains; round++) {
#pragma unroll
    for (int c = 0; c < chains; c++) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
          : "+f"(sums[c][0]), "+f"(sums[c][1]), "+f"(sums[c][2]), "+f"(sums[c][3])
          : "r"(a), "r"(a + 1));
    }
  }
  float sum = 0;
  for (const auto& four : sums) {
    for (float value : four) sum += value;
  }
  if (sum == 12345.678F) out[0] = sum;
#endif
}

__global__ void read_all(const float4* from, std::size_t count, float* out) {
  float sum = 0;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * threads;
#pragma unroll 8
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < count; i += stride) {
    const float4 value = from[i];
    sum += value.x + value.y + value.z + value.w;
  }
  if (sum == 12345.678F) out[0] = sum;
}

__global__ void nothing() {}

/// Milliseconds of the quickest of a few launches.
template <class Launch>
double quickest(cudaStream_t stream, const Launch& launch) {
  const Event begin, end;
  double best = 1e300;
  for (int repeat = 0; repeat <= repeats; repeat++) {
    begin.record(stream);
    launch();
    check(cudaGetLastError(), "floors");
    end.record(stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    if (repeat > 0) best = std::min(best, end.since(begin));
  }
  return best;
}

double time_of_empty_kernel(const Stream& stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (int i = 0; i < empty_kernels; i++) nothing<<<1, 32, 0, stream.get()>>>();
  check(cudaStreamEndCapture(stream.get(), &graph), "cudaStreamEndCapture");
  const cudaError_t made = cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphDestroy(graph);
  check(made, "cudaGraphInstantiate");
  const double ms = quickest(stream.get(), [&] { cudaGraphLaunch(ready, stream.get()); });
  cudaGraphExecDestroy(ready);
  return ms / empty_kernels;
}

}  // namespace

DeviceFloors measure_device_floors(int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  const Stream stream;
  const Buffer<float> out(1);
  const int blocks = properties.multiProcessorCount * blocks_per_multiprocessor;
  DeviceFloors floors;
  floors.cache_bytes = static_cast<std::size_t>(properties.l2CacheSize);

  const double adding = quickest(stream.get(), [&] { multiply_add<<<blocks, threads, 0, stream.get()>>>(out.get(), 0.5F); });
  floors.products_per_ms = static_cast<double>(blocks) * threads * chains * rounds / adding;
  if (properties.major >= 8) {
    const double multiplying =
        quickest(stream.get(), [&] { matrix_multiply_add<<<blocks, threads, 0, stream.get()>>>(out.get(), 0x3c003c00); });
    floors.matrix_products_per_ms = static_cast<double>(blocks) * threads / 32 * rounds * products_of_mma / multiplying;
  }

  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::size_t count = std::min(max_bytes_read, free / 4) / sizeof(float4);
  const Buffer<float4> data(count);
  data.clear(stream.get());
  const double reading =
      quickest(stream.get(), [&] { read_all<<<blocks, threads, 0, stream.get()>>>(data.get(), count, out.get()); });
  floors.bytes_per_ms = static_cast<double>(data.bytes()) / reading;
  floors.min_ms = time_of_empty_kernel(stream);
  return floors;
}

}  // namespace centroid_lab::cuda

#include "seeding_sketch.hpp"

#include <cfloat>

#include "check.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = seeding_threads;
constexpr int own = block_points / threads;
constexpr int largest_byte = 127;

/// Whole numbers in the order of the floats.
__device__ std::int32_t ordered(float value) {
  const std::int32_t bits = __float_as_int(value);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ float unordered(std::int32_t bits) { return __int_as_float(bits >= 0 ? bits : bits ^ 0x7fffffff); }

__global__ void __launch_bounds__(threads) no_ranges(std::int32_t* least, std::int32_t* largest, int d) {
  for (int j = threadIdx.x; j < d; j += threads) {
    least[j] = ordered(FLT_MAX);
    largest[j] = ordered(-FLT_MAX);
  }
}

/// The least and the largest value of each feature, a warp a feature of a block of points.
__global__ void __launch_bounds__(threads) find_ranges(Coordinates x, std::int32_t* least, std::int32_t* largest) {
  const int lane = threadIdx.x % 32, count = x.points_of(blockIdx.x);
  for (int j = threadIdx.x / 32; j < x.d; j += threads / 32) {
    const float* values = x.of_block(blockIdx.x) + j * block_points;
    std::int32_t low = ordered(FLT_MAX), high = ordered(-FLT_MAX);
    for (int i = lane; i < count; i += 32) {
      low = min(low, ordered(values[i]));
      high = max(high, ordered(values[i]));
    }
    for (int step = 1; step < 32; step *= 2) {
      low = min(low, __shfl_xor_sync(0xffffffffu, low, step));
      high = max(high, __shfl_xor_sync(0xffffffffu, high, step));
    }
    if (lane != 0) continue;
    atomicMin(&least[j], low);
    atomicMax(&largest[j], high);
  }
}

/// The middle of each feature's range, and the size of a step: bytes reach to the ends of the widest.
__global__ void __launch_bounds__(threads)
    choose_steps(const std::int32_t* least, const std::int32_t* largest, int d, float* offsets, float* size) {
  __shared__ int widest;
  if (threadIdx.x == 0) widest = 0;
  __syncthreads();
  for (int j = threadIdx.x; j < d; j += threads) {
    const float low = unordered(least[j]), high = unordered(largest[j]);
    offsets[j] = 0.5f * low + 0.5f * high;
    atomicMax(&widest, __float_as_int(0.5f * high - 0.5f * low));
  }
  __syncthreads();
  if (threadIdx.x == 0) *size = __int_as_float(widest) / largest_byte;
}

/// A block of points, four a thread. Float64 is exact but for 2^-53 of a few steps: 2^-40 of one a feature more is enough.
__global__ void __launch_bounds__(threads) draw(Coordinates x, const float* offsets, const float* size, int words_a_point,
                                                std::uint32_t* words, std::int32_t* squares, float* errors) {
  static_assert(own == 4);
  const std::size_t block = blockIdx.x;
  const double step = *size;
  double rest[own] = {};
  std::int32_t square[own] = {};
  for (int word = 0; word < words_a_point; word++) {
    std::uint32_t bytes[own] = {};
    for (int j = word * 4; j < min(word * 4 + 4, x.d); j++) {
      const float4 four = *reinterpret_cast<const float4*>(x.of_block(block) + j * block_points + threadIdx.x * own);
      const float values[own] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int l = 0; l < own; l++) {
        const double from = static_cast<double>(values[l]) - offsets[j];
        const int byte = step > 0 ? max(-largest_byte, min(largest_byte, __double2int_rn(from / step))) : 0;
        const double left = from - step * byte;
        rest[l] += left * left;
        square[l] += byte * byte;
        bytes[l] |= static_cast<std::uint32_t>(byte & 0xff) << (j % 4 * 8);
      }
    }
    *reinterpret_cast<uint4*>(words + (block * words_a_point + word) * block_points + threadIdx.x * own) =
        make_uint4(bytes[0], bytes[1], bytes[2], bytes[3]);
  }
#pragma unroll
  for (int l = 0; l < own; l++) {
    const std::size_t i = block * block_points + threadIdx.x * own + l;
    squares[i] = square[l];
    errors[i] = __double2float_ru(sqrt(rest[l]) * (1 + 0x1p-20) + step * x.d * 0x1p-40);
  }
}

}  // namespace

SketchMemory::SketchMemory(const Coordinates& x, std::size_t blocks, cudaStream_t stream)
    : words_a_point_((x.d + 3) / 4), least_(x.d), largest_(x.d), offsets_(x.d), size_(1),
      words_(blocks * block_points * words_a_point_), squares_(blocks * block_points), errors_(blocks * block_points) {
  const unsigned groups = static_cast<unsigned>(blocks);
  no_ranges<<<1, threads, 0, stream>>>(least_.get(), largest_.get(), x.d);
  check_launch("no_ranges");
  find_ranges<<<groups, threads, 0, stream>>>(x, least_.get(), largest_.get());
  check_launch("find_ranges");
  choose_steps<<<1, threads, 0, stream>>>(least_.get(), largest_.get(), x.d, offsets_.get(), size_.get());
  check_launch("choose_steps");
  draw<<<groups, threads, 0, stream>>>(x, offsets_.get(), size_.get(), words_a_point_, words_.get(), squares_.get(),
                                       errors_.get());
  check_launch("draw");
}

Sketch SketchMemory::get() const {
  return {words_.get(), words_a_point_, squares_.get(), errors_.get(), size_.get()};
}

}  // namespace centroid_lab::cuda

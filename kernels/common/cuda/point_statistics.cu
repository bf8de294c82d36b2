#include "point_statistics.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../check_points.hpp"
#include "check.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr unsigned threads = 256;
/// Points that are looked at side by side: about so many coordinates, enough to fill any device.
constexpr std::size_t coordinates_at_once = std::size_t{1} << 18;

/// Magnitudes are ordered as their bits are, and what is not finite comes after everything that is.
struct Magnitude {
  using Value = unsigned;
  __device__ Value of(float x, int) const { return __float_as_uint(x) & 0x7fffffffU; }
  static __device__ Value join(Value a, Value b) { return max(a, b); }
};

/// Every thread keeps to one feature: `lanes` is a multiple of d. partial[lane] joins what it saw, in order.
template <class Look>
__global__ void __launch_bounds__(threads) look(const float* x, size_t size, unsigned lanes, int d, Look by,
                                                typename Look::Value* partial) {
  const unsigned lane = blockIdx.x * threads + threadIdx.x;
  if (lane >= lanes) return;
  const int feature = static_cast<int>(lane % static_cast<unsigned>(d));
  typename Look::Value value = 0;
#pragma unroll 8
  for (size_t at = lane; at < size; at += lanes) value = Look::join(value, by.of(__ldcs(x + at), feature));
  partial[lane] = value;
}

/// Joins the partial values of a feature, a block each.
template <class Look>
__global__ void __launch_bounds__(threads) join(const typename Look::Value* partial, unsigned lanes, int d,
                                                typename Look::Value* joined) {
  using Value = typename Look::Value;
  __shared__ Value found[threads];
  Value value = 0;
  for (size_t at = blockIdx.x + static_cast<size_t>(threadIdx.x) * d; at < lanes; at += static_cast<size_t>(threads) * d) {
    value = Look::join(value, partial[at]);
  }
  found[threadIdx.x] = value;
  for (unsigned step = threads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) found[threadIdx.x] = Look::join(found[threadIdx.x], found[threadIdx.x + step]);
  }
  if (threadIdx.x == 0) joined[blockIdx.x] = found[0];
}

/// (d) what the coordinates of each feature join to.
template <class Look>
std::vector<typename Look::Value> by_feature(const float* x, std::size_t n, std::size_t d, const Look& by) {
  using Value = typename Look::Value;
  const std::size_t lanes = std::clamp<std::size_t>(coordinates_at_once / d, 1, n) * d;
  const Buffer<Value> partial(lanes), joined(d);
  const auto width = static_cast<int>(d);
  look<<<static_cast<unsigned>((lanes + threads - 1) / threads), threads>>>(x, n * d, static_cast<unsigned>(lanes), width, by,
                                                                            partial.get());
  check_launch("statistics of the points");
  join<Look><<<static_cast<unsigned>(d), threads>>>(partial.get(), static_cast<unsigned>(lanes), width, joined.get());
  check_launch("statistics of the features");
  std::vector<Value> values(d);
  joined.read(values.data(), d);
  return values;
}

/// Rows whose sums are taken apart, as common/moments.cpp has it.
constexpr std::size_t block_rows = 1024;

/// sums[block * d + j]: of feature j over the rows of a block, in their order.
__global__ void __launch_bounds__(threads) add_coordinates(const float* x, size_t n, int d, size_t items, double* sums) {
  const size_t item = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (item >= items) return;
  const size_t block = item / d, feature = item % d, end = min(n, (block + 1) * block_rows);
  double sum = 0;
#pragma unroll 8
  for (size_t row = block * block_rows; row < end; row++) sum += x[row * d + feature];
  sums[item] = sum;
}

/// sums[block]: of the squares about the mean, row after row and feature after feature. A thread a block.
__global__ void __launch_bounds__(threads) add_squares(const float* x, size_t n, int d, size_t blocks, const double* mean, double* sums) {
  const size_t block = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (block >= blocks) return;
  const size_t end = min(n, (block + 1) * block_rows);
  double sum = 0;
  for (size_t row = block * block_rows; row < end; row++) {
#pragma unroll 4
    for (int j = 0; j < d; j++) {
      const double difference = __dsub_rn(x[row * d + j], mean[j]);
      sum = __dadd_rn(sum, __dmul_rn(difference, difference));
    }
  }
  sums[block] = sum;
}

/// totals[j]: of the `count` sums j, j + apart, .. in their order. A thread each.
__global__ void __launch_bounds__(threads) add_blocks(const double* sums, size_t count, int apart, double* totals) {
  const int j = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (j >= apart) return;
  double total = 0;
#pragma unroll 8
  for (size_t at = 0; at < count; at++) total += sums[at * apart + j];
  totals[j] = total;
}

unsigned blocks_for(std::size_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }

}  // namespace

std::vector<float> checked_device_magnitudes(const float* x, std::size_t n, std::size_t d) {
  const std::vector<unsigned> bits = by_feature(x, n, d, Magnitude{});
  std::vector<float> largest(d);
  std::memcpy(largest.data(), bits.data(), d * sizeof(float));
  require_engine_units(largest);
  return largest;
}

Moments device_moments(const float* x, std::size_t n, std::size_t d) {
  const std::size_t blocks = (n + block_rows - 1) / block_rows;
  const auto width = static_cast<int>(d);
  const Buffer<double> sums(blocks * d), totals(d);
  Moments moments;
  moments.mean.resize(d);
  add_coordinates<<<blocks_for(blocks * d), threads>>>(x, n, width, blocks * d, sums.get());
  add_blocks<<<blocks_for(d), threads>>>(sums.get(), blocks, width, totals.get());
  check_launch("means of the points");
  totals.read(moments.mean.data(), d);
  for (double& value : moments.mean) value /= static_cast<double>(n);
  const Buffer<double> mean(moments.mean);
  // Long chains of additions side by side rather than short ones: they are the processor's, in its order.
  add_squares<<<blocks_for(blocks), threads>>>(x, n, width, blocks, mean.get(), sums.get());
  add_blocks<<<1, threads>>>(sums.get(), blocks, 1, totals.get());
  check_launch("squares of the points");
  totals.read(&moments.squares, 1);
  return moments;
}

}  // namespace centroid_lab::cuda

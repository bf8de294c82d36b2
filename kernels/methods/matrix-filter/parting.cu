// How points are parted into cells, once: centres by k-means on a sample, then the points in the order of their cells.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "cells.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int points_per_block = threads / 32;
constexpr std::size_t seeded_points = 2048;
constexpr int seed_blocks = static_cast<int>(seeded_points) / points_per_block;
constexpr int refined_points = 16384;
constexpr int refinements = 3;
constexpr int min_cells = 8;
/// Cells must take away half of the squares, and twice as many another fifth.
constexpr double worthwhile = 0.5;
constexpr double tight = 1.25;
/// Bits of a cell's number.
constexpr int cell_bits = 8;

/// Every `step`-th point, `count` of them, and what is known of them while centres are chosen.
struct Sample {
  const float* x;
  size_t step;
  int count;
  int d;
  const float* mean;
  /// (count): squared distance to the nearest centre so far.
  float* nearest;
  /// (rounds): the next centre, its number in the low half.
  unsigned long long* keys;
  /// (rounds, seed_blocks): sums of the squared distances.
  double* squares;

  __device__ const float* point(unsigned number) const { return x + number * step * d; }
  /// The centre that `round` begins with; the mean stands in for the first.
  __device__ const float* centre(int round) const {
    return round == 0 ? mean : point(static_cast<unsigned>(keys[round - 1]));
  }
};

/// One more centre, by chances in proportion to the squared distance from those there are (Gumbel's way: the largest distance
/// over an exponential number wins). A warp a point.
__global__ void __launch_bounds__(threads) seed(Sample sample, int round) {
  __shared__ double sums[points_per_block];
  __shared__ unsigned long long keys[points_per_block];
  const int warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * points_per_block + warp;
  double sum = 0;
  unsigned long long key = 0;
  if (i < static_cast<unsigned>(sample.count)) {
    float distance = squared_distance_of_warp(sample.point(i), sample.centre(round), sample.d);
    if (round > 0) distance = fminf(sample.nearest[i], distance);
    if (threadIdx.x % 32 == 0) sample.nearest[i] = distance;
    sum = distance;
    const float score = distance / -logf(chance(i, static_cast<unsigned>(round)));
    key = static_cast<unsigned long long>(__float_as_uint(score)) << 32 | i;
  }
  if (threadIdx.x % 32 == 0) sums[warp] = sum, keys[warp] = key;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int other = 1; other < points_per_block; other++) {
    sum += sums[other];
    key = max(key, keys[other]);
  }
  sample.squares[round * seed_blocks + blockIdx.x] = sum;
  atomicMax(sample.keys + round, key);
}

/// A block a centre.
__global__ void __launch_bounds__(threads) copy_centres(Sample sample, float* centres) {
  const float* from = sample.centre(static_cast<int>(blockIdx.x) + 1);
  for (int j = threadIdx.x; j < sample.d; j += threads) centres[static_cast<size_t>(blockIdx.x) * sample.d + j] = from[j];
}

/// The nearest of the centres for every `step`-th point.
__global__ void __launch_bounds__(cell_threads) assign(const float* x, size_t step, size_t count, int d, const float* centres,
                                                       int cells, unsigned char* cell_of) {
  nearest_cells(x, step, count, d, centres, cells, [&](size_t i, unsigned long long key) {
    if (threadIdx.x % 32 == 0) cell_of[i] = static_cast<unsigned char>(cluster_of(key));
  });
}

/// A block a cell: the mean of its points.
__global__ void __launch_bounds__(threads) average(const float* x, size_t step, int count, int d,
                                                   const unsigned char* cell_of, float* centres) {
  for (int j = threadIdx.x; j < d; j += threads) {
    double sum = 0;
    int members = 0;
    for (int i = 0; i < count; i++) {
      if (cell_of[i] != blockIdx.x) continue;
      sum += x[i * step * d + j];
      members++;
    }
    if (members > 0) centres[static_cast<size_t>(blockIdx.x) * d + j] = static_cast<float>(sum / members);
  }
}

/// Rows 0, 1, 2, ...; points of each cell.
__global__ void __launch_bounds__(threads) count_cells(const unsigned char* cell_of, size_t n, unsigned* rows, unsigned* sizes) {
  __shared__ unsigned counts[1 << cell_bits];
  for (int cell = threadIdx.x; cell < 1 << cell_bits; cell += threads) counts[cell] = 0;
  __syncthreads();
  for (size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; i < n; i += static_cast<size_t>(gridDim.x) * threads) {
    rows[i] = static_cast<unsigned>(i);
    atomicAdd(counts + cell_of[i], 1u);
  }
  __syncthreads();
  for (int cell = threadIdx.x; cell < 1 << cell_bits; cell += threads) {
    if (counts[cell] > 0) atomicAdd(sizes + cell, counts[cell]);
  }
}

void enqueue_assign_cells(const Work& work, size_t step, size_t count, const float* centres, int cells,
                          unsigned char* cell_of) {
  const auto blocks = static_cast<unsigned>((count + cell_points - 1) / cell_points);
  assign<<<blocks, cell_threads>>>(work.x, step, count, work.d, centres, cells, cell_of);
  check_launch("fused: assign");
}

/// How many cells, from the sums of squares that up to so many leave.
int worthwhile_cells(const std::vector<double>& squares) {
  const int most = static_cast<int>(squares.size()) - 1;
  if (!(squares[most] <= worthwhile * squares[0])) return 1;
  for (int cells = min_cells; cells < most; cells *= 2) {
    if (squares[cells] <= tight * squares[most]) return cells;
  }
  return most;
}

/// Centres of up to `most` cells. @returns what is left of the squares with so many of them, from none (the mean) on.
std::vector<double> choose_centres(const Work& work, const float* mean, int most, float* centres) {
  const std::size_t rounds = static_cast<std::size_t>(most) + 1;
  const std::size_t count = std::min(work.n, seeded_points);
  const Buffer<float> nearest(count);
  const Buffer<unsigned long long> keys(rounds);
  const Buffer<double> squares(rounds * seed_blocks);
  keys.clear(nullptr);
  squares.clear(nullptr);
  const Sample sample{work.x, work.n / count, static_cast<int>(count), work.d, mean, nearest.get(), keys.get(), squares.get()};
  const auto blocks = static_cast<unsigned>((count + points_per_block - 1) / points_per_block);
  for (int round = 0; round <= most; round++) seed<<<blocks, threads>>>(sample, round);
  check_launch("fused: seed");
  copy_centres<<<static_cast<unsigned>(most), threads>>>(sample, centres);
  check_launch("fused: copy_centres");
  std::vector<double> sums(squares.size()), left(rounds, 0.0);
  squares.read(sums.data(), sums.size());
  for (std::size_t at = 0; at < sums.size(); at++) left[at / seed_blocks] += sums[at];
  return left;
}

}  // namespace

int find_cells(const Work& work, const float* mean, int most, bool exactly, float* centres) {
  if (most < min_cells && !exactly) return 1;
  const std::vector<double> left = choose_centres(work, mean, most, centres);
  const int cells = exactly ? most : worthwhile_cells(left);
  if (cells == 1) return 1;
  const int refined = static_cast<int>(std::min<std::size_t>(work.n, refined_points));
  const Buffer<unsigned char> cell_of(static_cast<std::size_t>(refined));
  for (int round = 0; round < refinements; round++) {
    enqueue_assign_cells(work, work.n / refined, refined, centres, cells, cell_of.get());
    average<<<static_cast<unsigned>(cells), threads>>>(work.x, work.n / refined, refined, work.d, cell_of.get(), centres);
    check_launch("fused: average");
  }
  return cells;
}

std::vector<std::size_t> order_by_cell(const Work& work, int cells, const float* centres, Buffer<unsigned>& rows) {
  const Buffer<unsigned char> cell_of(work.n), sorted(work.n);
  const Buffer<unsigned> in_order(work.n), sizes(std::size_t{1} << cell_bits);
  sizes.clear(nullptr);
  enqueue_assign_cells(work, 1, work.n, centres, cells, cell_of.get());
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>((work.n + threads - 1) / threads, 1024));
  count_cells<<<blocks, threads>>>(cell_of.get(), work.n, in_order.get(), sizes.get());
  check_launch("fused: count_cells");
  rows = Buffer<unsigned>(work.n);
  const auto sort = [&](void* space, std::size_t& bytes) {
    check(cub::DeviceRadixSort::SortPairs(space, bytes, cell_of.get(), sorted.get(), in_order.get(), rows.get(),
                                          static_cast<std::int64_t>(work.n), 0, cell_bits),
          "cub::DeviceRadixSort");
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  const Buffer<unsigned char> space(bytes);
  sort(space.get(), bytes);
  std::vector<unsigned> counted(sizes.size());
  sizes.read(counted.data(), counted.size());
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return {counted.begin(), counted.begin() + cells};
}

}  // namespace centroid_lab::cuda::matrix_filter

// Points in the order of small balls, once: where the data have about as many blobs as there are clusters, a blob has next to all
// of them far away, and ball_tiles.cu leaves out their tiles.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "cells.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr std::size_t sampled_points = 16384;
/// Centres that a round is expected to add: mostly no more than are looked at in one go.
constexpr int round_centres = 112;
constexpr int max_rounds = 24;
/// Of the squares about the mean: what balls leave when they are good enough, and when they are of no use.
constexpr double good_share = 0.05;
constexpr double useless_share = 0.25;

/// Every `step`-th point, and how far it is from the nearest centre so far.
struct Sample {
  const float* x;
  size_t step;
  int count;
  int d;
  float* nearest;
};

/// Looks at `cells` more centres; `afresh`: they are the first. squares[block]: what is left.
__global__ void __launch_bounds__(cell_threads) look(Sample sample, const float* centres, int cells, bool afresh, double* squares) {
  __shared__ double sums[cell_threads / 32];
  double own = 0;
  nearest_cells(sample.x, sample.step, static_cast<size_t>(sample.count), sample.d, centres, cells,
                [&](size_t i, unsigned long long key) {
                  float nearest = __uint_as_float(static_cast<unsigned>(key >> 32));
                  if (!afresh) nearest = fminf(nearest, sample.nearest[i]);
                  __syncwarp();
                  if (threadIdx.x % 32 == 0) sample.nearest[i] = nearest;
                  own += nearest;
                });
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < cell_threads / 32; warp++) own += sums[warp];
  squares[blockIdx.x] = own;
}

/// Points become centres by chances in proportion to their squares (k-means||).
__global__ void __launch_bounds__(threads) pick(Sample sample, float share, unsigned round, int* count, float* centres) {
  const int i = static_cast<int>(blockIdx.x) * warps + threadIdx.x / 32;
  if (i >= sample.count || !(chance(static_cast<unsigned>(i), round + 77) < share * sample.nearest[i])) return;
  int slot = 0;
  if (threadIdx.x % 32 == 0) slot = atomicAdd(count, 1);
  slot = __shfl_sync(full_warp, slot, 0);
  if (slot >= static_cast<int>(max_balls)) return;
  for (int j = threadIdx.x % 32; j < sample.d; j += 32) {
    centres[static_cast<size_t>(slot) * sample.d + j] = sample.x[i * sample.step * sample.d + j];
  }
}

__global__ void __launch_bounds__(threads) number_rows(unsigned* rows, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < n) rows[i] = static_cast<unsigned>(i);
}

/// Where each ball starts among the points in their order; the balls of each part of the filter.
__global__ void __launch_bounds__(threads) find_bounds(const int* sorted, size_t n, int balls, unsigned* starts, uint2* part_balls,
                                                       size_t parts, int part_points) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i <= static_cast<size_t>(balls)) {
    size_t low = 0, high = n;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (sorted[middle] < static_cast<int>(i)) low = middle + 1;
      else high = middle;
    }
    starts[i] = static_cast<unsigned>(low);
  }
  if (i < parts) {
    const size_t first = i * part_points, last = min(n, first + part_points) - 1;
    part_balls[i] = {static_cast<unsigned>(sorted[min(first, n - 1)]), static_cast<unsigned>(sorted[last])};
  }
}

/// Features of a ball's points that a lane holds.
constexpr int lane_features = 128 / 32;

/// A block a ball: the mean of its points relative to the mean of all, its square and the ball's radius, both rounded up.
__global__ void __launch_bounds__(threads) measure_balls(Work work, Balls balls) {
  __shared__ double sums[warps][32 * lane_features];
  __shared__ float centre[32 * lane_features], largest[warps];
  const unsigned first = balls.starts[blockIdx.x], last = balls.starts[blockIdx.x + 1];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto value = [&](unsigned i, int at) {
    const int j = at * 32 + lane;
    return j < work.d ? work.x[static_cast<size_t>(work.rows[i]) * work.d + j] : 0.0f;
  };
  double sum[lane_features] = {};
#pragma unroll 4
  for (unsigned i = first + warp; i < last; i += warps) {
#pragma unroll
    for (int at = 0; at < lane_features; at++) sum[at] += value(i, at);
  }
#pragma unroll
  for (int at = 0; at < lane_features; at++) sums[warp][at * 32 + lane] = sum[at];
  __syncthreads();
  if (threadIdx.x < work.d) {
    double mean = 0;
    for (int other = 0; other < warps; other++) mean += sums[other][threadIdx.x];
    centre[threadIdx.x] = last > first ? static_cast<float>(mean / (last - first) - work.centres[threadIdx.x]) : 0.0f;
    balls.vectors[static_cast<size_t>(blockIdx.x) * work.d + threadIdx.x] = centre[threadIdx.x];
  }
  __syncthreads();
  float most = 0;
#pragma unroll 4
  for (unsigned i = first + warp; i < last; i += warps) {
    float distance = 0;
#pragma unroll
    for (int at = 0; at < lane_features; at++) {
      const int j = at * 32 + lane;
      if (j < work.d) distance = add_square(distance, value(i, at) - work.centres[j], centre[j]);
    }
    for (int step = 16; step > 0; step /= 2) distance += __shfl_xor_sync(full_warp, distance, step);
    most = fmaxf(most, distance);
  }
  if (lane == 0) largest[warp] = most;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double square = 0;
  for (int j = 0; j < work.d; j++) square += static_cast<double>(centre[j]) * centre[j];
  for (float other : largest) most = fmaxf(most, other);
  balls.squares[blockIdx.x] = __double2float_ru(square);
  balls.radii[blockIdx.x] = __fsqrt_ru(most);
}

double sum_of(const Buffer<double>& squares, std::size_t count) {
  std::vector<double> here(count);
  squares.read(here.data(), count);
  double sum = 0;
  for (const double square : here) sum += square;
  return sum;
}

/// Looks at centres first .. last - 1 of `centres`. @returns the squares that are left.
double look_at(const Sample& sample, const float* centres, int first, int last, bool afresh) {
  const auto blocks = static_cast<unsigned>((sample.count + cell_points - 1) / cell_points);
  const Buffer<double> squares(blocks);
  for (int from = first; from < last; from += max_cells) {
    look<<<blocks, cell_threads>>>(sample, centres + static_cast<std::size_t>(from) * sample.d, std::min(max_cells, last - from),
                                   afresh && from == first, squares.get());
    check_launch("fused: look");
  }
  return sum_of(squares, blocks);
}

/// Centres of balls. @returns how many; 0 when no number of them that is allowed leaves little enough of the squares.
int choose_centres(const Work& work, const Buffer<float>& centres, bool always) {
  const std::size_t points = std::min(work.n, sampled_points);
  const auto blocks = static_cast<unsigned>((points + warps - 1) / warps);
  const Buffer<float> nearest(points);
  const Buffer<int> counter(1);
  counter.clear(nullptr);
  const Sample sample{work.x, work.n / points, static_cast<int>(points), work.d, nearest.get()};
  const double total = look_at(sample, work.centres, 0, 1, true);
  double left = total;
  int count = 0;
  for (unsigned round = 0; round < max_rounds && left > good_share * total && count < static_cast<int>(max_balls); round++) {
    pick<<<blocks, threads>>>(sample, static_cast<float>(round_centres / left), round, counter.get(), centres.get());
    check_launch("fused: pick");
    int now = 0;
    counter.read(&now, 1);
    now = std::min(now, static_cast<int>(max_balls));
    if (now > count) left = look_at(sample, centres.get(), count, now, count == 0);
    count = now;
  }
  return always || left <= useless_share * total ? count : 0;
}

void sort_by_ball(const Work& work, int balls, const Buffer<std::int32_t>& labels, const Buffer<std::int32_t>& sorted,
                  const Buffer<unsigned>& rows) {
  const Buffer<unsigned> in_order(work.n);
  number_rows<<<static_cast<unsigned>((work.n + threads - 1) / threads), threads>>>(in_order.get(), work.n);
  check_launch("fused: number_rows");
  int bits = 1;
  while (1 << bits < balls) bits++;
  const auto sort = [&](void* space, std::size_t& bytes) {
    check(cub::DeviceRadixSort::SortPairs(space, bytes, labels.get(), sorted.get(), in_order.get(), rows.get(),
                                          static_cast<std::int64_t>(work.n), 0, bits),
          "cub::DeviceRadixSort");
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  const Buffer<unsigned char> space(bytes);
  sort(space.get(), bytes);
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

}  // namespace

BallBuffers make_balls(Work& work, Cells& cells, const Labeller& label, bool always) {
  BallBuffers made;
  const Buffer<float> centres(max_balls * work.d);
  const int count = choose_centres(work, centres, always);
  if (count < 2) return made;
  const auto balls = static_cast<std::size_t>(count), k = static_cast<std::size_t>(work.k);
  const Buffer<std::int32_t> labels(work.n), sorted(work.n);
  label(centres.get(), count, labels.get());
  cells.rows = Buffer<unsigned>(work.n);
  sort_by_ball(work, count, labels, sorted, cells.rows);
  work.rows = cells.rows.get();
  Balls& of = made.of;
  of.count = balls;
  of.parts = (work.n + core_part_points - 1) / core_part_points;
  made.starts = Buffer<unsigned>(balls + 1);
  made.part_balls = Buffer<uint2>(of.parts);
  made.vectors = Buffer<float>((balls + k) * work.d);
  made.squares = Buffer<float>(balls + k);
  made.radii = Buffer<float>(balls);
  made.cluster_squares = Buffer<float>(k);
  made.distances = Buffer<float>((balls + k) * k);
  made.tiles = Buffer<unsigned>(balls * max_ball_words);
  made.left_out = Buffer<float>(balls);
  of.starts = made.starts.get();
  of.part_balls = made.part_balls.get();
  of.vectors = made.vectors.get();
  of.squares = made.squares.get();
  of.radii = made.radii.get();
  of.cluster_squares = made.cluster_squares.get();
  of.distances = made.distances.get();
  of.tiles = made.tiles.get();
  of.left_out = made.left_out.get();
  const std::size_t items = std::max(balls + 1, of.parts);
  find_bounds<<<static_cast<unsigned>((items + threads - 1) / threads), threads>>>(sorted.get(), work.n, count, of.starts, of.part_balls,
                                                                                   of.parts, core_part_points);
  check_launch("fused: find_bounds");
  measure_balls<<<static_cast<unsigned>(count), threads>>>(work, of);
  check_launch("fused: measure_balls");
  cells.cluster_order = Buffer<unsigned>(k);
  cells.cluster_slots = Buffer<unsigned>(k);
  cells.tile_lists = Buffer<unsigned>(of.parts * static_cast<std::size_t>(tiles_of(work.k)));
  cells.tile_counts = Buffer<unsigned>(of.parts);
  work.cluster_order = cells.cluster_order.get();
  work.cluster_slots = cells.cluster_slots.get();
  work.tile_lists = cells.tile_lists.get();
  work.tile_counts = cells.tile_counts.get();
  cells.left_out = Buffer<float>(of.parts);
  work.left_out = cells.left_out.get();
  work.lists_by_part = true;
  check(cudaStreamSynchronize(nullptr), "fused: balls");
  return made;
}

}  // namespace centroid_lab::cuda::matrix_filter

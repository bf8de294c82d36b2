// The tiles that the points of small balls have to look at, in every pass. proof.md says why that is right.
#include "check.hpp"
#include "kernels.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
/// Far more than rounding can add to a distance: a share of the squares that must lie between two clusters.
constexpr float spare = 0.01f;
/// Of the distances: vectors of a block down and across, features at a time.
constexpr int rows_down = 128;
constexpr int columns_across = 64;
constexpr int slice = 16;
/// Of a thread.
constexpr int own_rows = 8;
constexpr int own_columns = 4;

/// Squares of the centroids about the mean of all. A warp a cluster.
__global__ void __launch_bounds__(threads) measure_clusters(Pass pass, Work work, Balls balls) {
  if (*pass.halted != 0) return;
  const int cluster = static_cast<int>(blockIdx.x) * warps + threadIdx.x / 32;
  if (cluster >= pass.k) return;
  const float square = squared_distance_of_warp(pass.centroids + static_cast<size_t>(cluster) * work.d, work.centres, work.d);
  if (threadIdx.x % 32 == 0) balls.cluster_squares[cluster] = square;
}

/// A block a cluster: its place in the order of the distances from the mean, where it is written as a vector. Centroids of
/// several blobs, which every blob without one of its own has to look at, come first.
__global__ void __launch_bounds__(threads) arrange_by_square(Pass pass, Work work, Balls balls) {
  if (*pass.halted != 0) return;
  const unsigned cluster = blockIdx.x;
  // NaN, of centroids beyond everything, comes last.
  const auto key = [&](unsigned other) { return __float_as_uint(balls.cluster_squares[other]) & 0x7fffffffu; };
  const unsigned own = key(cluster);
  __shared__ unsigned before[warps];
  unsigned count = 0;
  for (unsigned other = threadIdx.x; other < static_cast<unsigned>(pass.k); other += threads) {
    const unsigned value = key(other);
    count += value < own || (value == own && other < cluster);
  }
  for (int step = 16; step > 0; step /= 2) count += __shfl_xor_sync(full_warp, count, step);
  if (threadIdx.x % 32 == 0) before[threadIdx.x / 32] = count;
  __syncthreads();
  unsigned slot = 0;
  for (unsigned other : before) slot += other;
  float* to = balls.vectors + (balls.count + static_cast<size_t>(slot)) * work.d;
  const float* from = pass.centroids + static_cast<size_t>(cluster) * work.d;
  for (int j = threadIdx.x; j < work.d; j += threads) to[j] = from[j] - work.centres[j];
  if (threadIdx.x != 0) return;
  work.cluster_order[slot] = cluster;
  work.cluster_slots[cluster] = slot;
  balls.squares[balls.count + slot] = balls.cluster_squares[cluster];
}

/// Vectors first .. first + count - 1 of `last` + 1, features from .. from + slice - 1: a column each.
template <int count>
__device__ inline void load_vectors(float (&to)[slice][count + 4], const float* vectors, int first, int last, int from, int d) {
  for (int at = threadIdx.x; at < count * slice; at += threads) {
    const int vector = at / slice, j = from + at % slice;
    to[at % slice][vector] = j < d ? vectors[static_cast<size_t>(min(first + vector, last)) * d + j] : 0;
  }
}

/// Squared distances of all vectors, balls' centres and centroids, from the centroids: 128 by 64 a block, as sums of squares less
/// twice the products.
__global__ void __launch_bounds__(threads) measure_distances(Pass pass, Work work, Balls balls) {
  __shared__ __align__(16) float a[slice][rows_down + 4], b[slice][columns_across + 4];
  if (*pass.halted != 0) return;
  const int rows = static_cast<int>(balls.count) + pass.k;
  const int row = static_cast<int>(blockIdx.y) * rows_down, column = static_cast<int>(blockIdx.x) * columns_across;
  const int down = threadIdx.x / 16 * own_rows, across = threadIdx.x % 16 * own_columns;
  const float* centroids = balls.vectors + balls.count * work.d;
  float sums[own_rows][own_columns] = {};
  for (int from = 0; from < work.d; from += slice) {
    __syncthreads();
    load_vectors<rows_down>(a, balls.vectors, row, rows - 1, from, work.d);
    load_vectors<columns_across>(b, centroids, column, pass.k - 1, from, work.d);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < slice; j++) {
      const float4 x = *reinterpret_cast<const float4*>(&a[j][down]), z = *reinterpret_cast<const float4*>(&a[j][down + 4]);
      const float4 y = *reinterpret_cast<const float4*>(&b[j][across]);
      const float xs[own_rows] = {x.x, x.y, x.z, x.w, z.x, z.y, z.z, z.w}, ys[own_columns] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int r = 0; r < own_rows; r++) {
#pragma unroll
        for (int c = 0; c < own_columns; c++) sums[r][c] = fmaf(xs[r], ys[c], sums[r][c]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < own_rows; r++) {
#pragma unroll
    for (int c = 0; c < own_columns; c++) {
      if (row + down + r >= rows || column + across + c >= pass.k) continue;
      const float squares = balls.squares[row + down + r] + balls.squares[balls.count + column + across + c];
      balls.distances[static_cast<size_t>(row + down + r) * work.k + column + across + c] = squares - 2 * sums[r][c];
    }
  }
}

__device__ inline unsigned long long min_of_block(unsigned long long key, unsigned long long* shared) {
  key = smallest_key(key, 32);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = key;
  __syncthreads();
  for (int warp = 0; warp < warps; warp++) key = min(key, shared[warp]);
  return key;
}

/// A block a ball: with h the centroid nearest to its centre m and R its radius, a centroid z is farther than h from every point of
/// the ball if |m - z|^2 - |m - h|^2 > 2 R |z - h|. A tile with none that is not is left out.
__global__ void __launch_bounds__(threads) choose_for_balls(Pass pass, Work work, Balls balls) {
  __shared__ unsigned long long keys[warps];
  __shared__ unsigned mask[max_ball_words];
  __shared__ unsigned left_out;
  if (*pass.halted != 0) return;
  if (threadIdx.x == 0) left_out = __float_as_uint(INFINITY);
  const size_t ball = blockIdx.x;
  const int words = (tiles_of(pass.k) + 31) / 32;
  if (threadIdx.x < max_ball_words) mask[threadIdx.x] = 0;
  const float* own = balls.distances + ball * work.k;
  unsigned long long key = ~0ull;
  // Distances of what has no part in the pass are no numbers.
  const auto has_part_at = [&](int slot) { return !isnan(balls.squares[balls.count + slot]); };
  for (int slot = threadIdx.x; slot < pass.k; slot += threads) {
    if (has_part_at(slot)) key = min(key, key_of(fmaxf(own[slot], 0.0f), static_cast<unsigned>(slot)));
  }
  const unsigned nearest = min(cluster_of(min_of_block(key, keys)), static_cast<unsigned>(pass.k) - 1);
  const float* others = balls.distances + (balls.count + nearest) * static_cast<size_t>(work.k);
  // What centring and summing up d products can be off by, as a share of the squares of both vectors.
  const float error = static_cast<float>(work.d + 16) * 0x1p-22f;
  const float square = balls.squares[ball], nearest_square = balls.squares[balls.count + nearest];
  const float radius = 1.0001f * balls.radii[ball] + error * sqrtf(square);
  const float least = own[nearest] + error * (square + nearest_square);
  const float reach = sqrtf(fmaxf(least, 0.0f)) + radius;
  const float apart = spare * reach * reach;
  const bool certain = apart > static_cast<float>(work.d) * 0x1p-120f;
  for (int slot = threadIdx.x; slot < pass.k; slot += threads) {
    if (!has_part_at(slot)) continue;
    const float its_square = balls.squares[balls.count + slot];
    const float gap = own[slot] - error * (square + its_square) - least;
    const float between = sqrtf(fmaxf(others[slot], 0.0f) + error * (nearest_square + its_square));
    if (!(gap > 2.0001f * radius * between + apart) || !certain) {
      const int tile = slot / tile_clusters;
      atomicOr(mask + tile / 32, 1u << tile % 32);
    }
  }
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < words) balls.tiles[ball * max_ball_words + threadIdx.x] = mask[threadIdx.x];
  for (int slot = threadIdx.x; slot < pass.k; slot += threads) {
    const int tile = slot / tile_clusters;
    if ((mask[tile / 32] >> tile % 32 & 1) != 0 || !has_part_at(slot)) continue;
    const float squared = own[slot] - error * (square + balls.squares[balls.count + slot]);
    const float far = sqrtf(fmaxf(squared, 0.0f)) * 0.9999f - radius;
    atomicMin(&left_out, __float_as_uint(fmaxf(far, 0.0f)));
  }
  __syncthreads();
  if (threadIdx.x == 0) balls.left_out[ball] = __uint_as_float(left_out) * 0.9999f;
}

/// A thread a part of the filter: the tiles that any of its balls needs.
__global__ void __launch_bounds__(threads) list_tiles(Pass pass, Work work, Balls balls) {
  if (*pass.halted != 0) return;
  const size_t part = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (part >= balls.parts) return;
  const uint2 range = balls.part_balls[part];
  const int words = (tiles_of(pass.k) + 31) / 32;
  unsigned* list = work.tile_lists + part * static_cast<size_t>(tiles_of(work.k));
  unsigned count = 0;
  for (int word = 0; word < words; word++) {
    unsigned mask = 0;
    for (unsigned ball = range.x; ball <= range.y; ball++) mask |= balls.tiles[static_cast<size_t>(ball) * max_ball_words + word];
    for (; mask != 0; mask &= mask - 1) list[count++] = static_cast<unsigned>(word * 32 + __ffs(static_cast<int>(mask)) - 1);
  }
  work.tile_counts[part] = count;
  float left_out = INFINITY;
  for (unsigned ball = range.x; ball <= range.y; ball++) left_out = fminf(left_out, balls.left_out[ball]);
  work.left_out[part] = left_out * static_cast<float>(work.unit);
}

}  // namespace

void enqueue_arrange(const Work& work, const Balls& balls, const Pass& pass) {
  const auto k = static_cast<unsigned>(pass.k);
  measure_clusters<<<(k + warps - 1) / warps, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: measure_clusters");
  arrange_by_square<<<k, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: arrange_by_square");
}

void enqueue_choose_tiles(const Work& work, const Balls& balls, const Pass& pass) {
  const auto k = static_cast<unsigned>(pass.k), count = static_cast<unsigned>(balls.count);
  const dim3 grid((k + columns_across - 1) / columns_across, (count + k + rows_down - 1) / rows_down);
  measure_distances<<<grid, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: measure_distances");
  choose_for_balls<<<count, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: choose_for_balls");
  list_tiles<<<static_cast<unsigned>((balls.parts + threads - 1) / threads), threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: list_tiles");
}

}  // namespace centroid_lab::cuda::matrix_filter

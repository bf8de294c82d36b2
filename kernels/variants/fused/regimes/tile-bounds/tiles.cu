// Points of each tile side by side, and a ball around them.
#include "tiles.cuh"

#include "check.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
constexpr unsigned everyone = 0xffffffffU;
/// Steps of the middle towards the farthest point, after Badoiu & Clarkson (2003): smaller balls than around the mean.
constexpr int centring_steps = 8;

/// A thread a point.
__global__ void __launch_bounds__(tile_points) gather(const float* x, TileArguments to, float* points) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * tile_points + threadIdx.x;
  const float* row = x + (i < to.n ? static_cast<std::size_t>(to.order[i]) * to.d : 0);
  float* out = points + static_cast<std::size_t>(blockIdx.x) * to.d * tile_points + threadIdx.x;
  for (int j = 0; j < to.d; j++) out[j * tile_points] = i < to.n ? row[j] : 0.0F;
}

__device__ float sum_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
}

/// The largest squared distance of the tile's points from `centre`, and which point it is.
__device__ float farthest(const float* tile, const float* centre, int d, int count, int& point) {
  float squares[points_per_lane] = {};
  for (int j = 0; j < d; j++) {
    for (int p = 0; p < points_per_lane; p++) {
      const float difference = tile[j * tile_points + p * 32 + threadIdx.x % 32] - centre[j];
      squares[p] = fmaf(difference, difference, squares[p]);
    }
  }
  float largest = -1;
  for (int p = 0; p < points_per_lane; p++) {
    const int candidate = p * 32 + static_cast<int>(threadIdx.x % 32);
    if (candidate < count && squares[p] > largest) {
      largest = squares[p];
      point = candidate;
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(everyone, largest, step);
    const int its_point = __shfl_xor_sync(everyone, point, step);
    if (other > largest || (other == largest && its_point < point)) {
      largest = other;
      point = its_point;
    }
  }
  return largest;
}

/// A warp a tile.
__global__ void __launch_bounds__(threads) measure_balls(TileArguments to, const float* points, float* centres, float* radii) {
  const std::size_t tile = (static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (tile >= to.tiles) return;
  const int lane = threadIdx.x % 32;
  const int count = static_cast<int>(min(static_cast<std::size_t>(tile_points), to.n - tile * tile_points));
  const float* from = points + tile * to.d * tile_points;
  float* centre = centres + tile * to.width;
  for (int j = 0; j < to.width; j++) {
    float sum = 0;
    for (int p = lane; j < to.d && p < count; p += 32) sum += from[j * tile_points + p];
    sum = sum_of_warp(sum) / static_cast<float>(count);
    if (lane == 0) centre[j] = sum;
  }
  __syncwarp();
  int point = 0;
  for (int step = 2; step < 2 + centring_steps; step++) {
    farthest(from, centre, to.d, count, point);
    __syncwarp();
    for (int j = lane; j < to.d; j += 32) {
      centre[j] += (from[j * tile_points + point] - centre[j]) / static_cast<float>(4 * step);
    }
    __syncwarp();
  }
  const float largest = farthest(from, centre, to.d, count, point);
  if (lane == 0) radii[tile] = __fadd_ru(__fmul_ru(sqrtf(largest), 1.0F + slack_of(to.d)), tiny_distance);
}

}  // namespace

void build_tiles(const float* x, const TileArguments& to, float* points, float* centres, float* radii) {
  gather<<<static_cast<unsigned>(to.tiles), tile_points>>>(x, to, points);
  check_launch("fused: gather");
  measure_balls<<<static_cast<unsigned>((to.tiles * 32 + threads - 1) / threads), threads>>>(to, points, centres, radii);
  check_launch("fused: measure_balls");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

}  // namespace centroid_lab::cuda

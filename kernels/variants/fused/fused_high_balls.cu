// Points in the order of small balls, once, and the tiles that each stretch of them has to look at, in every pass: where the
// data have about as many blobs as there are clusters, a blob has next to all of them far away.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "fused_high.cuh"

namespace centroid_lab::cuda::high {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr std::size_t sampled_points = 16384;
/// Centres that a round is expected to add.
constexpr int round_centres = 128;
constexpr int most_rounds = 24;
/// Of the squares about the mean: what balls leave when they are good enough, and when they are of no use.
constexpr double good_share = 0.05;
constexpr double useless_share = 0.25;
/// Far more than rounding can add to a distance: a share of the squares that must lie between two clusters.
constexpr float spare = 0.01f;
constexpr int edge = 64;
constexpr int slice = 16;

/// A number in (0, 1) that looks random.
__device__ inline float chance(unsigned number, unsigned round) {
  unsigned bits = number * 0x9e3779b9u ^ (round + 77) * 0x85ebca6bu;
  bits = (bits ^ bits >> 16) * 0x7feb352du;
  bits = (bits ^ bits >> 15) * 0x846ca68bu;
  return (static_cast<float>((bits ^ bits >> 16) >> 8) + 0.5f) * 0x1p-24f;
}

/// Every `step`-th point, and how far it is from the nearest centre so far.
struct Sample {
  const float* x;
  size_t step;
  int count;
  int d;
  float* nearest;
};

/// Looks at centres first .. last - 1 (the only one before the first round is the mean). A warp a point. squares[block]: their sums.
__global__ void __launch_bounds__(threads) look(Sample sample, const float* centres, int first, int last, bool afresh, double* squares) {
  __shared__ double sums[warps];
  const int i = static_cast<int>(blockIdx.x) * warps + threadIdx.x / 32;
  double own = 0;
  if (i < sample.count) {
    float nearest = afresh ? INFINITY : sample.nearest[i];
    const float* x = sample.x + i * sample.step * sample.d;
    for (int centre = first; centre < last; centre++) {
      nearest = fminf(nearest, squared_distance_of_warp(x, centres + static_cast<size_t>(centre) * sample.d, sample.d));
    }
    if (threadIdx.x % 32 == 0) sample.nearest[i] = nearest;
    own = nearest;
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < warps; warp++) own += sums[warp];
  squares[blockIdx.x] = own;
}

/// Points become centres by chances in proportion to their squares (k-means||).
__global__ void __launch_bounds__(threads) pick(Sample sample, float share, unsigned round, int* count, float* centres) {
  const int i = static_cast<int>(blockIdx.x) * warps + threadIdx.x / 32;
  if (i >= sample.count || !(chance(static_cast<unsigned>(i), round) < share * sample.nearest[i])) return;
  int place = 0;
  if (threadIdx.x % 32 == 0) place = atomicAdd(count, 1);
  place = __shfl_sync(full_warp, place, 0);
  if (place >= static_cast<int>(most_balls)) return;
  for (int j = threadIdx.x % 32; j < sample.d; j += 32) {
    centres[static_cast<size_t>(place) * sample.d + j] = sample.x[i * sample.step * sample.d + j];
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

/// A block a ball: the mean of its points, relative to the mean of all, and that one's square.
__global__ void __launch_bounds__(threads) centre_balls(Work work, Balls balls) {
  const unsigned first = balls.starts[blockIdx.x], last = balls.starts[blockIdx.x + 1];
  for (int j = threadIdx.x; j < work.d; j += threads) {
    double sum = 0;
    for (unsigned i = first; i < last; i++) sum += work.x[static_cast<size_t>(work.rows[i]) * work.d + j];
    const double mean = last > first ? sum / (last - first) : static_cast<double>(work.centres[j]);
    balls.vectors[static_cast<size_t>(blockIdx.x) * work.d + j] = static_cast<float>(mean - work.centres[j]);
  }
}

/// A block a ball: its radius and the square of its centre, both rounded up.
__global__ void __launch_bounds__(threads) measure_balls(Work work, Balls balls) {
  __shared__ float largest[warps];
  const unsigned first = balls.starts[blockIdx.x], last = balls.starts[blockIdx.x + 1];
  const float* centre = balls.vectors + static_cast<size_t>(blockIdx.x) * work.d;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double most = 0, square = 0;
  for (unsigned i = first + warp; i < last; i += warps) {
    const float* x = work.x + static_cast<size_t>(work.rows[i]) * work.d;
    double sum = 0;
    for (int j = lane; j < work.d; j += 32) {
      const double difference = static_cast<double>(x[j]) - work.centres[j] - centre[j];
      sum += difference * difference;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(full_warp, sum, step);
    most = fmax(most, sum);
  }
  if (lane == 0) largest[warp] = __double2float_ru(sqrt(most) * (1 + 1e-9));
  for (int j = lane; j < work.d; j += 32) square += static_cast<double>(centre[j]) * centre[j];
  for (int step = 16; step > 0; step /= 2) square += __shfl_xor_sync(full_warp, square, step);
  __syncthreads();
  if (threadIdx.x != 0) return;
  float radius = 0;
  for (float other : largest) radius = fmaxf(radius, other);
  balls.radii[blockIdx.x] = radius;
  balls.squares[blockIdx.x] = __double2float_ru(square);
}

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
  count = __reduce_add_sync(full_warp, count);
  if (threadIdx.x % 32 == 0) before[threadIdx.x / 32] = count;
  __syncthreads();
  unsigned place = 0;
  for (unsigned other : before) place += other;
  float* to = balls.vectors + (balls.count + static_cast<size_t>(place)) * work.d;
  const float* from = pass.centroids + static_cast<size_t>(cluster) * work.d;
  for (int j = threadIdx.x; j < work.d; j += threads) to[j] = from[j] - work.centres[j];
  if (threadIdx.x != 0) return;
  work.cluster_order[place] = cluster;
  work.cluster_places[cluster] = place;
  balls.squares[balls.count + place] = balls.cluster_squares[cluster];
}

/// Squared distances of all vectors, balls' centres and centroids, from the centroids: 64 by 64 a block, as sums of squares less
/// twice the products.
__global__ void __launch_bounds__(threads) measure_distances(Pass pass, Work work, Balls balls) {
  __shared__ float a[slice][edge + 4], b[slice][edge + 4];
  if (*pass.halted != 0) return;
  const int rows = static_cast<int>(balls.count) + pass.k;
  const int row = static_cast<int>(blockIdx.y) * edge, column = static_cast<int>(blockIdx.x) * edge;
  const int down = threadIdx.x / 16 * 4, across = threadIdx.x % 16 * 4;
  float sums[4][4] = {};
  for (int from = 0; from < work.d; from += slice) {
    __syncthreads();
    for (int at = threadIdx.x; at < edge * slice; at += threads) {
      const int vector = at / slice, j = from + at % slice;
      const size_t one = static_cast<size_t>(min(row + vector, rows - 1));
      const size_t other = balls.count + static_cast<size_t>(min(column + vector, pass.k - 1));
      a[at % slice][vector] = j < work.d ? balls.vectors[one * work.d + j] : 0;
      b[at % slice][vector] = j < work.d ? balls.vectors[other * work.d + j] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < slice; j++) {
      const float4 x = *reinterpret_cast<const float4*>(&a[j][down]), y = *reinterpret_cast<const float4*>(&b[j][across]);
      const float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int c = 0; c < 4; c++) sums[r][c] = fmaf(xs[r], ys[c], sums[r][c]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < 4; r++) {
#pragma unroll
    for (int c = 0; c < 4; c++) {
      if (row + down + r >= rows || column + across + c >= pass.k) continue;
      const float squares = balls.squares[row + down + r] + balls.squares[balls.count + column + across + c];
      balls.distances[static_cast<size_t>(row + down + r) * work.k + column + across + c] = squares - 2 * sums[r][c];
    }
  }
}

__device__ inline unsigned long long least_of_block(unsigned long long key, unsigned long long* shared) {
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
  __shared__ unsigned mask[most_ball_words];
  if (*pass.halted != 0) return;
  const size_t ball = blockIdx.x;
  const int words = (tiles_of(pass.k) + 31) / 32;
  if (threadIdx.x < most_ball_words) mask[threadIdx.x] = 0;
  const float* own = balls.distances + ball * work.k;
  unsigned long long key = ~0ull;
  for (int place = threadIdx.x; place < pass.k; place += threads) {
    key = min(key, key_of(fmaxf(own[place], 0.0f), static_cast<unsigned>(place)));
  }
  const unsigned nearest = min(cluster_of(least_of_block(key, keys)), static_cast<unsigned>(pass.k) - 1);
  const float* others = balls.distances + (balls.count + nearest) * static_cast<size_t>(work.k);
  // What centring and summing up d products can be off by, as a share of the squares of both vectors.
  const float error = static_cast<float>(work.d + 16) * 0x1p-22f;
  const float square = balls.squares[ball], nearest_square = balls.squares[balls.count + nearest];
  const float radius = 1.0001f * balls.radii[ball] + error * sqrtf(square);
  const float least = own[nearest] + error * (square + nearest_square);
  const float reach = sqrtf(fmaxf(least, 0.0f)) + radius;
  const float apart = spare * reach * reach;
  const bool certain = apart > static_cast<float>(work.d) * 0x1p-120f;
  for (int place = threadIdx.x; place < pass.k; place += threads) {
    const float its_square = balls.squares[balls.count + place];
    const float gap = own[place] - error * (square + its_square) - least;
    const float between = sqrtf(fmaxf(others[place], 0.0f) + error * (nearest_square + its_square));
    if (!(gap > 2.0001f * radius * between + apart) || !certain) {
      const int tile = place / tile_clusters;
      atomicOr(mask + tile / 32, 1u << tile % 32);
    }
  }
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < words) balls.tiles[ball * most_ball_words + threadIdx.x] = mask[threadIdx.x];
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
    for (unsigned ball = range.x; ball <= range.y; ball++) mask |= balls.tiles[static_cast<size_t>(ball) * most_ball_words + word];
    for (; mask != 0; mask &= mask - 1) list[count++] = static_cast<unsigned>(word * 32 + __ffs(static_cast<int>(mask)) - 1);
  }
  work.tile_counts[part] = count;
}

double sum_of(const Buffer<double>& squares, std::size_t count) {
  std::vector<double> here(count);
  squares.read(here.data(), count);
  double sum = 0;
  for (const double square : here) sum += square;
  return sum;
}

/// Centres of balls. @returns how many; 0 when no number of them that is allowed leaves little enough of the squares.
int choose_centres(const Work& work, const Buffer<float>& centres, bool always) {
  const std::size_t points = std::min(work.n, sampled_points);
  const auto blocks = static_cast<unsigned>((points + warps - 1) / warps);
  const Buffer<float> nearest(points);
  const Buffer<double> squares(blocks);
  const Buffer<int> counter(1);
  counter.clear(nullptr);
  const Sample sample{work.x, work.n / points, static_cast<int>(points), work.d, nearest.get()};
  look<<<blocks, threads>>>(sample, work.centres, 0, 1, true, squares.get());
  check_launch("fused: look");
  const double total = sum_of(squares, blocks);
  double left = total;
  int count = 0;
  for (unsigned round = 0; round < most_rounds && left > good_share * total && count < static_cast<int>(most_balls); round++) {
    pick<<<blocks, threads>>>(sample, static_cast<float>(round_centres / left), round, counter.get(), centres.get());
    check_launch("fused: pick");
    int now = 0;
    counter.read(&now, 1);
    now = std::min(now, static_cast<int>(most_balls));
    look<<<blocks, threads>>>(sample, centres.get(), count, now, count == 0, squares.get());
    check_launch("fused: look");
    left = sum_of(squares, blocks);
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
  const Buffer<float> centres(most_balls * work.d);
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
  made.tiles = Buffer<unsigned>(balls * most_ball_words);
  of.starts = made.starts.get();
  of.part_balls = made.part_balls.get();
  of.vectors = made.vectors.get();
  of.squares = made.squares.get();
  of.radii = made.radii.get();
  of.cluster_squares = made.cluster_squares.get();
  of.distances = made.distances.get();
  of.tiles = made.tiles.get();
  const std::size_t items = std::max(balls + 1, of.parts);
  find_bounds<<<static_cast<unsigned>((items + threads - 1) / threads), threads>>>(sorted.get(), work.n, count, of.starts, of.part_balls,
                                                                                   of.parts, core_part_points);
  check_launch("fused: find_bounds");
  centre_balls<<<static_cast<unsigned>(count), threads>>>(work, of);
  check_launch("fused: centre_balls");
  measure_balls<<<static_cast<unsigned>(count), threads>>>(work, of);
  check_launch("fused: measure_balls");
  cells.cluster_order = Buffer<unsigned>(k);
  cells.cluster_places = Buffer<unsigned>(k);
  cells.tile_lists = Buffer<unsigned>(of.parts * static_cast<std::size_t>(tiles_of(work.k)));
  cells.tile_counts = Buffer<unsigned>(of.parts);
  work.cluster_order = cells.cluster_order.get();
  work.cluster_places = cells.cluster_places.get();
  work.tile_lists = cells.tile_lists.get();
  work.tile_counts = cells.tile_counts.get();
  work.lists_by_part = true;
  check(cudaStreamSynchronize(nullptr), "fused: balls");
  return made;
}

void enqueue_arrange(const Work& work, const Balls& balls, const Pass& pass) {
  const auto k = static_cast<unsigned>(pass.k);
  measure_clusters<<<(k + warps - 1) / warps, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: measure_clusters");
  arrange_by_square<<<k, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: arrange_by_square");
}

void enqueue_choose_tiles(const Work& work, const Balls& balls, const Pass& pass) {
  const auto k = static_cast<unsigned>(pass.k), count = static_cast<unsigned>(balls.count);
  const dim3 grid((k + edge - 1) / edge, (count + k + edge - 1) / edge);
  measure_distances<<<grid, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: measure_distances");
  choose_for_balls<<<count, threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: choose_for_balls");
  list_tiles<<<static_cast<unsigned>((balls.parts + threads - 1) / threads), threads, 0, pass.stream>>>(pass, work, balls);
  check_launch("fused: list_tiles");
}

}  // namespace centroid_lab::cuda::high

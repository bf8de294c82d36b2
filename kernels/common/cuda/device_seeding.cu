// The primitives of k-means++ and k-means|| on the device, and the choice of greedy k-means++ in one call (greedy_seeding.hpp).
// Arithmetic: seeding_points.cuh.
#include "device_seeding.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "device_points.hpp"
#include "greedy_seeding.hpp"
#include "memory.hpp"
#include "seeding_points.cuh"
#include "transfer.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = seeding_threads;
/// Centres whose distances one block of threads computes together: their sums fill one warp.
constexpr int together = 4;
/// A tile of the transposition.
constexpr int tile_points = 128;
constexpr int tile_features = 32;

/// (n, d) to columns of blocks; `to` is zero behind the last point.
__global__ void __launch_bounds__(threads) transpose(const float* x, size_t n, int d, float* to) {
  __shared__ float tile[tile_features][tile_points + 1];
  const size_t first = static_cast<size_t>(blockIdx.x) * tile_points;
  const int points = static_cast<int>(min(static_cast<size_t>(tile_points), n - first));
  float* block = to + first / block_points * d * block_points + first % block_points;
  for (int from = 0; from < d; from += tile_features) {
    const int width = min(tile_features, d - from);
    for (int at = threadIdx.x; at < points * width; at += threads) {
      tile[at % width][at / width] = x[(first + at / width) * d + from + at % width];
    }
    __syncthreads();
    for (int at = threadIdx.x; at < tile_points * width; at += threads) {
      const int j = at / tile_points, point = at % tile_points;
      if (point < points) block[(from + j) * block_points + point] = tile[j][point];
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(threads) fill_infinite(double* to, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < count) to[i] = INFINITY;
}

/// Distances of point i to up to `together` centres, (count, d).
__device__ void squared_distances(const Coordinates& x, size_t i, const float* centres, int count,
                                  double (&sums)[together]) {
#pragma unroll
  for (int c = 0; c < together; c++) sums[c] = 0;
  const float* point = x.of_block(i / block_points) + i % block_points;
  for (int j = 0; j < x.d; j++) {
    const float coordinate = point[j * block_points];
#pragma unroll
    for (int c = 0; c < together; c++) {
      if (c < count) sums[c] = __dadd_rn(sums[c], squared_difference(coordinate, centres[c * x.d + j]));
    }
  }
}

/// Sum of up to `threads` values a tile, in order, by the whole block; the answer is thread 0's.
__device__ double ordered_sum(const double* values, size_t count, double* tile) {
  double sum = 0;
  for (size_t from = 0; from < count; from += block_points) {
    const int here = static_cast<int>(min(static_cast<size_t>(block_points), count - from));
    for (int i = threadIdx.x; i < here; i += threads) tile[i] = values[from + i];
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 0; i < here; i++) sum = __dadd_rn(sum, tile[i]);
    }
    __syncthreads();
  }
  return sum;
}

/// centres (count, d) of the rows given.
__global__ void gather_centres(Coordinates x, const std::int32_t* rows, size_t count, float* centres) {
  const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at >= count * x.d) return;
  centres[at] = x.row(rows[at / x.d])[at % x.d];
}

/// sums (candidates, blocks) of min(D2, distance to the candidate).
__global__ void __launch_bounds__(threads)
    add_potentials(Coordinates x, Distances at, const float* centres, int candidates, double* sums) {
  __shared__ double smaller[together * value_stride];
  const size_t block = blockIdx.x;
  const int count = x.points_of(block);
  for (int first = 0; first < candidates; first += together) {
    const int here = min(together, candidates - first);
    for (int p = threadIdx.x; p < count; p += threads) {
      const size_t i = block * block_points + p;
      double distances[together];
      squared_distances(x, i, centres + static_cast<size_t>(first) * x.d, here, distances);
      const double nearest = at.nearest[i];
#pragma unroll
      for (int c = 0; c < together; c++) smaller[c * value_stride + p] = min(distances[c], nearest);
    }
    __syncthreads();
    if (threadIdx.x < together * sum_lanes) {
      const int c = threadIdx.x / sum_lanes, lane = threadIdx.x % sum_lanes;
      const double sum = lane_sum(smaller + c * value_stride, count, lane);
      if (lane == 0 && c < here) sums[(first + c) * at.blocks + block] = sum;
    }
    __syncthreads();
  }
}

/// totals (count) of `count` lists of block sums, a thread block each.
__global__ void __launch_bounds__(threads) add_up(const double* sums, size_t blocks, double* totals) {
  __shared__ double tile[block_points];
  const double sum = ordered_sum(sums + blockIdx.x * blocks, blocks, tile);
  if (threadIdx.x == 0) totals[blockIdx.x] = sum;
}

/// D2 = min(D2, distances to all centres given), and its block sums.
__global__ void __launch_bounds__(threads) lower(Coordinates x, Distances at, const float* centres, size_t count) {
  __shared__ double values[block_points];
  const size_t block = blockIdx.x;
  const int here = x.points_of(block);
  for (int p = threadIdx.x; p < here; p += threads) {
    const size_t i = block * block_points + p;
    double nearest = at.nearest[i];
    for (size_t first = 0; first < count; first += together) {
      const int some = static_cast<int>(min(static_cast<size_t>(together), count - first));
      double distances[together];
      squared_distances(x, i, centres + first * x.d, some, distances);
#pragma unroll
      for (int c = 0; c < together; c++) {
        if (c < some) nearest = min(distances[c], nearest);
      }
    }
    at.nearest[i] = nearest;
    values[p] = nearest;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const double sum = lane_sum(values, here, threadIdx.x % sum_lanes);
    if (threadIdx.x == 0) at.block_sums[block] = sum;
  }
}

/// The last point with D2 > 0, or the last point; by the whole block.
__device__ std::int32_t last_with_distance(const Distances& at) {
  __shared__ int last;
  for (size_t end = at.n; end > 0;) {
    const size_t from = end > threads ? end - threads : 0;
    if (threadIdx.x == 0) last = -1;
    __syncthreads();
    const size_t i = from + threadIdx.x;
    if (i < end && at.nearest[i] > 0) atomicMax(&last, static_cast<int>(i));
    __syncthreads();
    const int found = last;
    __syncthreads();
    if (found >= 0) return found;
    end = from;
  }
  return static_cast<std::int32_t>(at.n - 1);
}

/// The row where the running sum passes each target, a block of threads each. Thread 0 walks; the others fetch for it.
__global__ void __launch_bounds__(threads) pick_rows(Coordinates x, Distances at, const double* targets, std::int32_t* rows) {
  __shared__ double tile[block_points];
  __shared__ double walked;
  __shared__ int stop;
  const double target = targets[blockIdx.x];
  double before = 0;
  size_t block = 0;
  while (block < at.blocks) {
    // Whole blocks: to the first that passes the target, or to the end of what was fetched.
    const int fetched = static_cast<int>(min(static_cast<size_t>(block_points), at.blocks - block));
    for (int i = threadIdx.x; i < fetched; i += threads) tile[i] = at.block_sums[block + i];
    __syncthreads();
    if (threadIdx.x == 0) {
      int i = 0;
      for (; i < fetched; i++) {
        const double after = __dadd_rn(before, tile[i]);
        if (after > target) break;
        before = after;
      }
      stop = i;
      walked = before;
    }
    __syncthreads();
    block += stop;
    before = walked;
    const bool passes = stop < fetched;
    __syncthreads();
    if (!passes) continue;
    // Points of that block, in order.
    const double sum = tile[stop];
    __syncthreads();
    const int count = x.points_of(block);
    for (int i = threadIdx.x; i < count; i += threads) tile[i] = at.nearest[block * block_points + i];
    __syncthreads();
    if (threadIdx.x == 0) {
      double sum_so_far = before;
      stop = -1;
      for (int i = 0; i < count && stop < 0; i++) {
        sum_so_far = __dadd_rn(sum_so_far, tile[i]);
        if (sum_so_far > target && tile[i] > 0) stop = i;
      }
    }
    __syncthreads();
    const int found = stop;
    __syncthreads();
    if (found >= 0) {
      if (threadIdx.x == 0) rows[blockIdx.x] = static_cast<std::int32_t>(block * block_points + found);
      return;
    }
    before = __dadd_rn(before, sum);
    block++;
  }
  const std::int32_t last = last_with_distance(at);
  if (threadIdx.x == 0) rows[blockIdx.x] = last;
}

__global__ void __launch_bounds__(threads)
    count_nearest(Coordinates x, const float* centres, size_t count, unsigned long long* members) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= x.n) return;
  size_t best = 0;
  double smallest = INFINITY;
  for (size_t first = 0; first < count; first += together) {
    const int some = static_cast<int>(min(static_cast<size_t>(together), count - first));
    double distances[together];
    squared_distances(x, i, centres + first * x.d, some, distances);
#pragma unroll
    for (int c = 0; c < together; c++) {
      if (c < some && distances[c] < smallest) {
        smallest = distances[c];
        best = first + c;
      }
    }
  }
  atomicAdd(&members[best], 1ull);
}

class DeviceSeeding final : public SeedingSteps {
 public:
  DeviceSeeding(const float* x, std::size_t n, std::size_t d, int device) : device_(device), n_(n), d_(d) {
    bind();
    held_ = held_points(x, n, d, device);
    if (held_ == nullptr) {
      own_rows_ = Buffer<float>(n * d);
      copy_to_device(own_rows_.get(), x, own_rows_.bytes());
    }
    columns_ = transposed();
    nearest_ = infinite(n, blocks() * block_points);
    block_sums_ = infinite(blocks(), blocks());
    total_ = infinite(1, 1);
  }

  std::vector<double> potentials(const std::vector<std::int32_t>& candidates) override {
    bind();
    std::vector<double> answer;
    for (std::size_t first = 0; first < candidates.size(); first += max_candidates) {
      const std::size_t count = std::min<std::size_t>(max_candidates, candidates.size() - first);
      const Buffer<std::int32_t> rows(std::vector<std::int32_t>(
          candidates.begin() + static_cast<std::ptrdiff_t>(first),
          candidates.begin() + static_cast<std::ptrdiff_t>(first + count)));
      const Buffer<float> centres(count * d_);
      const Buffer<double> sums(count * blocks()), totals(count);
      enqueue_potentials(rows.get(), count, centres.get(), sums.get(), totals.get());
      answer.resize(first + count);
      totals.read(answer.data() + first, count);
    }
    return answer;
  }

  double commit(const std::vector<std::int32_t>& rows) override {
    bind();
    const Buffer<std::int32_t> on_device(rows);
    const Buffer<float> centres(rows.size() * d_);
    enqueue_commit(on_device.get(), rows.size(), centres.get());
    fresh_ = false;
    double total = 0;
    total_.read(&total, 1);
    return total;
  }

  std::vector<std::int32_t> pick(const std::vector<double>& targets) override {
    bind();
    const Buffer<double> on_device(targets);
    const Buffer<std::int32_t> rows(targets.size());
    pick_rows<<<static_cast<unsigned>(targets.size()), threads>>>(coordinates(), distances_at(), on_device.get(), rows.get());
    check_launch("pick_rows");
    std::vector<std::int32_t> answer(targets.size());
    rows.read(answer.data(), answer.size());
    return answer;
  }

  std::vector<double> distances(std::size_t start, std::size_t count) override {
    bind();
    std::vector<double> answer(count);
    check(cudaMemcpy(answer.data(), nearest_.get() + start, count * sizeof(double), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return answer;
  }

  std::vector<double> nearest_counts(const std::vector<std::int32_t>& rows) override {
    bind();
    const Buffer<std::int32_t> on_device(rows);
    const Buffer<float> centres(rows.size() * d_);
    enqueue_gather(on_device.get(), rows.size(), centres.get());
    const Buffer<unsigned long long> members(std::vector<unsigned long long>(rows.size(), 0));
    count_nearest<<<groups_for(n_), threads>>>(coordinates(), centres.get(), rows.size(), members.get());
    check_launch("count_nearest");
    std::vector<unsigned long long> counts(rows.size());
    members.read(counts.data(), counts.size());
    return {counts.begin(), counts.end()};
  }

  std::vector<std::int32_t> greedy(std::int32_t first, const std::vector<double>& uniforms,
                                   std::size_t candidates) override {
    // What greedy_seeding passes over rests on centres that it chose itself.
    if (!fresh_ || candidates > max_candidates || uniforms.empty()) return SeedingSteps::greedy(first, uniforms, candidates);
    bind();
    fresh_ = false;
    return greedy_seeding(coordinates(), distances_at(), first, uniforms, candidates, cancel);
  }

  std::size_t points() const override { return n_; }

 private:
  std::size_t blocks() const { return (n_ + block_points - 1) / block_points; }
  const float* rows() const { return held_ != nullptr ? held_->x.get() : own_rows_.get(); }
  Coordinates coordinates() const { return {columns_.get(), rows(), n_, static_cast<int>(d_)}; }
  Distances distances_at() const { return {nearest_.get(), block_sums_.get(), total_.get(), n_, blocks()}; }
  static unsigned groups_for(std::size_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }
  /// Calls come from any thread of a pool.
  void bind() const { check(cudaSetDevice(device_), "cudaSetDevice"); }

  /// @param room for how many values; those behind the first `count` are 0.
  static Buffer<double> infinite(std::size_t count, std::size_t room) {
    Buffer<double> values(room);
    values.clear(nullptr);
    fill_infinite<<<groups_for(count), threads>>>(values.get(), count);
    check_launch("fill_infinite");
    return values;
  }

  Buffer<float> transposed() const {
    Buffer<float> columns(blocks() * block_points * d_);
    columns.clear(nullptr);
    const unsigned tiles = static_cast<unsigned>((n_ + tile_points - 1) / tile_points);
    transpose<<<tiles, threads>>>(rows(), n_, static_cast<int>(d_), columns.get());
    check_launch("transposition to columns");
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    return columns;
  }

  void enqueue_gather(const std::int32_t* rows, std::size_t count, float* centres) const {
    gather_centres<<<groups_for(count * d_), threads>>>(coordinates(), rows, count, centres);
    check_launch("gather_centres");
  }

  void enqueue_potentials(const std::int32_t* rows, std::size_t count, float* centres, double* sums, double* totals) const {
    enqueue_gather(rows, count, centres);
    add_potentials<<<static_cast<unsigned>(blocks()), threads>>>(coordinates(), distances_at(), centres,
                                                                 static_cast<int>(count), sums);
    check_launch("add_potentials");
    add_up<<<static_cast<unsigned>(count), threads>>>(sums, blocks(), totals);
    check_launch("add_up");
  }

  void enqueue_commit(const std::int32_t* rows, std::size_t count, float* centres) const {
    enqueue_gather(rows, count, centres);
    lower<<<static_cast<unsigned>(blocks()), threads>>>(coordinates(), distances_at(), centres, count);
    check_launch("lower");
    add_up<<<1, threads>>>(block_sums_.get(), blocks(), total_.get());
    check_launch("add_up");
  }

  int device_;
  std::size_t n_;
  std::size_t d_;
  /// Points that others share; null: `own_rows_`.
  std::shared_ptr<const DevicePoints> held_;
  Buffer<float> own_rows_;
  Buffer<float> columns_;
  Buffer<double> nearest_;
  Buffer<double> block_sums_;
  Buffer<double> total_;
  /// Without a centre.
  bool fresh_ = true;
};

}  // namespace

std::unique_ptr<SeedingSteps> make_device_seeding(const float* x, std::size_t n, std::size_t d, int device) {
  return std::make_unique<DeviceSeeding>(x, n, d, device);
}

}  // namespace centroid_lab::cuda

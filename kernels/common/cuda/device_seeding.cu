// k-means++ and k-means|| on the device. Arithmetic is fixed by src/engine/init/kernel.ts: float64, each operation
// rounded on its own (the intrinsics below are never fused), sums in 8 lanes of blocks of 1024 points, block sums in
// order. A greedy k-means++ is enqueued round after round: what a round draws, chooses and sums stays on the device.
#include "device_seeding.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "columns.hpp"
#include "memory.hpp"
#include "transfer.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
constexpr int block_points = 1024;
constexpr int lanes = 8;
/// Centres whose distances one block of threads computes together: their sums fill one warp.
constexpr int together = 4;
/// Lane l of every centre lies in banks of its own.
constexpr int stride = block_points + lanes;
/// Candidates of a round at most: 2 + ln(k) of any k that fits a 32-bit row.
constexpr int most_candidates = 32;
/// Rounds enqueued between two looks at the cancel flag.
constexpr std::size_t rounds_at_once = 32;

/// D2 of every point, the sums of its blocks, and the sum of those.
struct Distances {
  double* nearest;
  double* block_sums;
  double* total;
  size_t n;
  size_t blocks;
};

struct Coordinates {
  /// (d, n)
  const float* columns;
  size_t n;
  int d;
};

__device__ double squared_difference(float a, float b) {
  const double difference = __dsub_rn(static_cast<double>(a), static_cast<double>(b));
  return __dmul_rn(difference, difference);
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
  for (int j = 0; j < x.d; j++) {
    const float coordinate = x.columns[j * x.n + i];
#pragma unroll
    for (int c = 0; c < together; c++) {
      if (c < count) sums[c] = __dadd_rn(sums[c], squared_difference(coordinate, centres[c * x.d + j]));
    }
  }
}

/// The sum of a block of values in shared memory, by eight threads side by side whose `lane` counts from 0 to 7.
__device__ double lane_sum(const double* values, int count, int lane) {
  double sum = 0;
  for (int i = lane; i < count; i += lanes) sum = __dadd_rn(sum, values[i]);
  // ((0+1)+(2+3)) + ((4+5)+(6+7)): addition of two numbers does not depend on their order.
  for (int step = 1; step < lanes; step *= 2) sum = __dadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, step));
  return sum;
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

__device__ int points_of(size_t block, size_t n) {
  return static_cast<int>(min(static_cast<size_t>(block_points), n - block * block_points));
}

/// `running` is false where every point is a centre already: then nothing is done any more.
__device__ bool running(const Distances& at) { return *at.total > 0; }

/// centres (count, d) of the rows given.
__global__ void gather_centres(Coordinates x, const std::int32_t* rows, size_t count, float* centres) {
  const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at >= count * x.d) return;
  centres[at] = x.columns[(at % x.d) * x.n + rows[at / x.d]];
}

/// sums (candidates, blocks) of min(D2, distance to the candidate).
__global__ void __launch_bounds__(threads)
    add_potentials(Coordinates x, Distances at, const float* centres, int candidates, double* sums) {
  __shared__ double smaller[together * stride];
  if (!running(at)) return;
  const size_t block = blockIdx.x;
  const int count = points_of(block, at.n);
  for (int first = 0; first < candidates; first += together) {
    const int here = min(together, candidates - first);
    for (int p = threadIdx.x; p < count; p += threads) {
      const size_t i = block * block_points + p;
      double distances[together];
      squared_distances(x, i, centres + static_cast<size_t>(first) * x.d, here, distances);
      const double nearest = at.nearest[i];
#pragma unroll
      for (int c = 0; c < together; c++) smaller[c * stride + p] = min(distances[c], nearest);
    }
    __syncthreads();
    if (threadIdx.x < together * lanes) {
      const int c = threadIdx.x / lanes, lane = threadIdx.x % lanes;
      const double sum = lane_sum(smaller + c * stride, count, lane);
      if (lane == 0 && c < here) sums[(first + c) * at.blocks + block] = sum;
    }
    __syncthreads();
  }
}

/// potentials (candidates), and the row of the smallest where one is to be chosen.
__global__ void __launch_bounds__(threads) choose(Distances at, const double* sums, const std::int32_t* candidates,
                                                  int count, double* potentials, std::int32_t* chosen) {
  __shared__ double tile[block_points];
  if (!running(at)) return;
  int best = 0;
  double smallest = 0;
  for (int c = 0; c < count; c++) {
    const double sum = ordered_sum(sums + c * at.blocks, at.blocks, tile);
    if (threadIdx.x != 0) continue;
    potentials[c] = sum;
    if (c == 0 || sum < smallest) {
      best = c;
      smallest = sum;
    }
  }
  if (threadIdx.x == 0 && chosen != nullptr) *chosen = candidates[best];
}

/// D2 = min(D2, distances to all centres given), and its block sums.
__global__ void __launch_bounds__(threads) lower(Coordinates x, Distances at, const float* centres, size_t count) {
  __shared__ double values[block_points];
  if (!running(at)) return;
  const size_t block = blockIdx.x;
  const int here = points_of(block, at.n);
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
    const double sum = lane_sum(values, here, threadIdx.x % lanes);
    if (threadIdx.x == 0) at.block_sums[block] = sum;
  }
}

/// The sum of D2; counts the centre that was just committed, unless there was nothing left to choose.
__global__ void __launch_bounds__(threads) add_up(Distances at, int* rounds) {
  __shared__ double tile[block_points];
  if (!running(at)) return;
  const double sum = ordered_sum(at.block_sums, at.blocks, tile);
  if (threadIdx.x != 0) return;
  *at.total = sum;
  if (rounds != nullptr) (*rounds)++;
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
/// @param uniforms null where the targets are given; else they are these draws times the sum of D2.
__global__ void __launch_bounds__(threads)
    pick_rows(Distances at, const double* targets, const double* uniforms, std::int32_t* rows) {
  __shared__ double tile[block_points];
  __shared__ double walked;
  __shared__ int stop;
  if (uniforms != nullptr && !running(at)) return;
  const double target = uniforms != nullptr ? __dmul_rn(uniforms[blockIdx.x], *at.total) : targets[blockIdx.x];
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
    const int count = points_of(block, at.n);
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
    columns_ = transposed(x);
    nearest_ = infinite(n);
    block_sums_ = infinite(blocks());
    total_ = infinite(1);
  }

  std::vector<double> potentials(const std::vector<std::int32_t>& candidates) override {
    bind();
    std::vector<double> answer;
    for (std::size_t first = 0; first < candidates.size(); first += most_candidates) {
      const std::size_t count = std::min<std::size_t>(most_candidates, candidates.size() - first);
      const Buffer<std::int32_t> rows(std::vector<std::int32_t>(
          candidates.begin() + static_cast<std::ptrdiff_t>(first),
          candidates.begin() + static_cast<std::ptrdiff_t>(first + count)));
      const Buffer<float> centres(count * d_);
      const Buffer<double> sums(count * blocks()), totals(std::vector<double>(count, 0.0));
      enqueue_potentials(rows.get(), count, centres.get(), sums.get(), totals.get(), nullptr);
      answer.resize(first + count);
      totals.read(answer.data() + first, count);
    }
    return answer;
  }

  double commit(const std::vector<std::int32_t>& rows) override {
    bind();
    const Buffer<std::int32_t> on_device(rows);
    const Buffer<float> centres(rows.size() * d_);
    enqueue_commit(on_device.get(), rows.size(), centres.get(), nullptr);
    double total = 0;
    total_.read(&total, 1);
    return total;
  }

  std::vector<std::int32_t> pick(const std::vector<double>& targets) override {
    bind();
    const Buffer<double> on_device(targets);
    const Buffer<std::int32_t> rows(targets.size());
    pick_rows<<<static_cast<unsigned>(targets.size()), threads>>>(distances_at(), on_device.get(), nullptr,
                                                                  rows.get());
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
    if (candidates > most_candidates || uniforms.empty()) return SeedingSteps::greedy(first, uniforms, candidates);
    bind();
    const std::size_t rounds = uniforms.size() / candidates;
    const Buffer<double> draws(uniforms), sums(candidates * blocks()), totals(candidates);
    const Buffer<std::int32_t> drawn(candidates);
    const Buffer<float> centres(candidates * d_);
    const Buffer<int> committed(std::vector<int>{0});
    std::vector<std::int32_t> rows(rounds + 1, first);
    const Buffer<std::int32_t> chosen(rows);
    enqueue_commit(chosen.get(), 1, centres.get(), committed.get());
    for (std::size_t round = 0; round < rounds; round++) {
      pick_rows<<<static_cast<unsigned>(candidates), threads>>>(distances_at(), nullptr,
                                                                draws.get() + round * candidates, drawn.get());
      check_launch("pick_rows");
      std::int32_t* next = chosen.get() + round + 1;
      enqueue_potentials(drawn.get(), candidates, centres.get(), sums.get(), totals.get(), next);
      enqueue_commit(next, 1, centres.get(), committed.get());
      if (round % rounds_at_once != rounds_at_once - 1) continue;
      check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
      if (cancel.load(std::memory_order_relaxed)) break;
    }
    int count = 0;
    committed.read(&count, 1);
    chosen.read(rows.data(), rows.size());
    rows.resize(static_cast<std::size_t>(count));
    return rows;
  }

  std::size_t points() const override { return n_; }

 private:
  std::size_t blocks() const { return (n_ + block_points - 1) / block_points; }
  Coordinates coordinates() const { return {columns_->get(), n_, static_cast<int>(d_)}; }
  Distances distances_at() const { return {nearest_.get(), block_sums_.get(), total_.get(), n_, blocks()}; }
  static unsigned groups_for(std::size_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }
  /// Calls come from any thread of a pool.
  void bind() const { check(cudaSetDevice(device_), "cudaSetDevice"); }

  static Buffer<double> infinite(std::size_t count) {
    Buffer<double> values(count);
    fill_infinite<<<groups_for(count), threads>>>(values.get(), count);
    check_launch("fill_infinite");
    return values;
  }

  std::unique_ptr<Columns> transposed(const float* x) const {
    const Buffer<float> rows(n_ * d_);
    copy_to_device(rows.get(), x, rows.bytes());
    Problem problem;
    problem.x = rows.get();
    problem.n = n_;
    problem.d = static_cast<int>(d_);
    return std::make_unique<Columns>(problem);
  }

  void enqueue_gather(const std::int32_t* rows, std::size_t count, float* centres) const {
    gather_centres<<<groups_for(count * d_), threads>>>(coordinates(), rows, count, centres);
    check_launch("gather_centres");
  }

  void enqueue_potentials(const std::int32_t* rows, std::size_t count, float* centres, double* sums, double* totals,
                          std::int32_t* chosen) const {
    enqueue_gather(rows, count, centres);
    const int candidates = static_cast<int>(count);
    add_potentials<<<static_cast<unsigned>(blocks()), threads>>>(coordinates(), distances_at(), centres, candidates,
                                                                 sums);
    check_launch("add_potentials");
    choose<<<1, threads>>>(distances_at(), sums, rows, candidates, totals, chosen);
    check_launch("choose");
  }

  void enqueue_commit(const std::int32_t* rows, std::size_t count, float* centres, int* committed) const {
    enqueue_gather(rows, count, centres);
    lower<<<static_cast<unsigned>(blocks()), threads>>>(coordinates(), distances_at(), centres, count);
    check_launch("lower");
    add_up<<<1, threads>>>(distances_at(), committed);
    check_launch("add_up");
  }

  int device_;
  std::size_t n_;
  std::size_t d_;
  std::unique_ptr<Columns> columns_;
  Buffer<double> nearest_;
  Buffer<double> block_sums_;
  Buffer<double> total_;
};

}  // namespace

std::unique_ptr<SeedingSteps> make_device_seeding(const float* x, std::size_t n, std::size_t d, int device) {
  return std::make_unique<DeviceSeeding>(x, n, d, device);
}

}  // namespace centroid_lab::cuda

// `fused` for any shape: a block takes 128 points, 16 x 16 threads hold 8 points by C centroids each, features pass
// through shared memory in slices. Direct differences; sums in 64-bit fixed point.
#include "check.hpp"
#include "../../regimes.hpp"
#include "settle.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int side = 16;
constexpr int threads = side * side;
constexpr int points_per_thread = 8;
constexpr int tile_points = side * points_per_thread;
constexpr int slice = 16;

/// Rows first .. of `from (count, d)`, features at .. at + slice - 1, transposed. Rows past the end repeat the last
/// one: such centroids are not looked at, such points not counted. Features past d are zero.
template <int Rows>
__device__ void load_slice(const float* from, size_t first, size_t count, int d, int at, float (*to)[Rows + 1]) {
  for (int item = threadIdx.x; item < Rows * slice; item += threads) {
    const int row = item / slice;
    const int feature = item % slice;
    const size_t source = min(first + row, count - 1);
    to[feature][row] = at + feature < d ? from[source * d + at + feature] : 0.0F;
  }
}

template <int C>
__device__ void add_slice(const float (*points)[tile_points + 1], const float (*centroids)[side * C + 1], int row,
                          int column, float (&distance)[points_per_thread][C]) {
#pragma unroll
  for (int feature = 0; feature < slice; feature++) {
    float x[points_per_thread], c[C];
#pragma unroll
    for (int p = 0; p < points_per_thread; p++) x[p] = points[feature][row + p * side];
#pragma unroll
    for (int i = 0; i < C; i++) c[i] = centroids[feature][column + i * side];
#pragma unroll
    for (int p = 0; p < points_per_thread; p++) {
#pragma unroll
      for (int i = 0; i < C; i++) {
        const float difference = x[p] - c[i];
        distance[p][i] = fmaf(difference, difference, distance[p][i]);
      }
    }
  }
}

/// The nearest of what the 16 lanes of a row have found; of equal distances any, which is in doubt.
__device__ void nearest_of_row(NearestWithGap& nearest) {
  for (int step = side / 2; step > 0; step /= 2) {
    const float distance = __shfl_xor_sync(0xffffffffU, nearest.distance, step);
    const int cluster = __shfl_xor_sync(0xffffffffU, nearest.cluster, step);
    const float gap = fminf(nearest.gap, __shfl_xor_sync(0xffffffffU, nearest.gap, step));
    nearest.gap = fminf(gap, fabsf(distance - nearest.distance));
    if (distance < nearest.distance) nearest.distance = distance, nearest.cluster = cluster;
  }
}

/// Adds the block's points to the sums of their clusters, consecutive threads to consecutive features.
__device__ void add_members(const float* x, int d, const float* scale, const Pass& pass, size_t first, int count,
                            const int* labels) {
  for (int item = threadIdx.x; item < count * d; item += threads) {
    const int point = item / d;
    const int feature = item - point * d;
    const long long value = __float2ll_rn(x[first * d + item] * scale[feature]);
    const size_t at = static_cast<size_t>(labels[point]) * d + feature;
    atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums + at), static_cast<unsigned long long>(value));
  }
  if (threadIdx.x < count) atomicAdd(pass.counts + labels[threadIdx.x], 1U);
}

template <int C>
__global__ void __launch_bounds__(threads) tiles(const float* x, int d, const float* scale, Pass pass) {
  if (*pass.halted != 0) return;
  __shared__ float points[slice][tile_points + 1];
  __shared__ float centroids[slice][side * C + 1];
  __shared__ int labels[tile_points];
  const size_t first = pass.first + static_cast<size_t>(blockIdx.x) * tile_points;
  const int count = static_cast<int>(min(pass.first + pass.count - first, static_cast<size_t>(tile_points)));
  const int row = threadIdx.x / side;
  const int column = threadIdx.x % side;
  NearestWithGap nearest[points_per_thread];
  for (int base = 0; base < pass.k; base += side * C) {
    float distance[points_per_thread][C] = {};
    for (int at = 0; at < d; at += slice) {
      __syncthreads();
      load_slice<tile_points>(x, first, first + count, d, at, points);
      load_slice<side * C>(pass.centroids, base, pass.k, d, at, centroids);
      __syncthreads();
      add_slice<C>(points, centroids, row, column, distance);
    }
#pragma unroll
    for (int i = 0; i < C; i++) {
      const int cluster = base + column + i * side;
      if (cluster >= pass.k) break;
#pragma unroll
      for (int p = 0; p < points_per_thread; p++) nearest[p].offer(cluster, distance[p][i]);
    }
  }
  NearestWithGap mine;
#pragma unroll
  for (int p = 0; p < points_per_thread; p++) {
    nearest_of_row(nearest[p]);
    if (column == p) mine = nearest[p];
  }
  const int own = row + column * side;
  const TieMargin margin(d);
  const bool asked = column < points_per_thread && own < count;
  const unsigned doubtful = __ballot_sync(0xffffffffU, asked && margin.is_doubtful(mine.distance, mine.gap));
  if (doubtful != 0) {
    mine.cluster = decide(d, Strided{x + (first + static_cast<size_t>(own)) * d, 1}, RowsApart{pass.centroids, d}, pass.k, AllInOrder{},
                          doubtful, mine.cluster, margin.limit(mine.distance));
  }
  if (asked) labels[own] = mine.cluster;
  __syncthreads();
  bool changed = false;
  if (threadIdx.x < count) changed = note_label(pass, first + threadIdx.x, labels[threadIdx.x]) != 0;
  report_changes(pass, changed);
  if (pass.accumulate) add_members(x, d, scale, pass, first, count, labels);
}

class Tiled final : public DeviceVariant {
 public:
  explicit Tiled(const Problem& problem) : x_(problem.x), d_(problem.d), scale_(problem.scale) {}

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  bool leaves_copies_out() const override { return true; }
  double speed() const override { return 0.1; }

  void enqueue_assign(const Pass& pass) override {
    const auto blocks = static_cast<unsigned>((pass.count + tile_points - 1) / tile_points);
    if (pass.k <= 2 * side) tiles<2><<<blocks, threads, 0, pass.stream>>>(x_, d_, scale_, pass);
    else tiles<8><<<blocks, threads, 0, pass.stream>>>(x_, d_, scale_, pass);
    check_launch("fused, tiled");
  }

 private:
  const float* x_;
  int d_;
  const float* scale_;
};

std::string refusal(const Problem&) { return ""; }

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) { return std::make_unique<Tiled>(problem); }

}  // namespace

namespace fused {
const Regime tiled{"tiled", refusal, make};
}

}  // namespace centroid_lab::cuda

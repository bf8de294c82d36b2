#include "methods/silhouette/device_silhouettes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cuda/memory.hpp"
#include "neighbour_means.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 128;
/// Rows that a block holds at a time, and features of each.
constexpr int tile_rows = 128;
/// Distances that are added in float32 before float64 takes the sum.
constexpr int summands = 16;
/// Features that are in registers at a time where there are more than the kernels know.
constexpr int chunk = 8;
constexpr int rows_together = 8;
/// Pairs times features of a launch: about 50 ms on a card of 10^13 multiply-adds a second.
constexpr double work_of_launch = 4e11;

/// Points in the order of their clusters, and what is known of each so far.
struct PairSums {
  /// (n, stride) rows, zeros behind the last feature.
  const float* rows;
  int n;
  int d;
  int stride;
  /// (k + 1)
  const int* starts;
  /// (n) cluster of each point.
  const int* cluster_of;
  /// (n) distances to the cluster under way, to the own cluster, and the smallest mean distance to another.
  double* partial;
  double* own;
  double* nearest;
};

/// Rows of one launch, and the cluster of the first.
struct Stretch {
  int first;
  int last;
  int cluster;
};

/// Within 2^-22 of itself; 0 of 0.
__device__ __forceinline__ float root(float square) {
  float answer;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(answer) : "f"(square));
  return answer;
}

/// A cluster is over: what its distances are to a point.
__device__ __forceinline__ void finish_cluster(double& partial, double& own, double& nearest, bool is_own, int members) {
  if (is_own) own = partial;
  else nearest = fmin(nearest, partial / members);
  partial = 0;
}

/// Distances of P points, in registers, to one row in shared memory.
template <int D, int P>
__device__ __forceinline__ void add_row(const float (&x)[P][D], const float* row, float (&sums)[P]) {
  float squares[P] = {};
#pragma unroll
  for (int j = 0; j < D; j += 4) {
    const float4 four = *reinterpret_cast<const float4*>(row + j);
    const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
      for (int p = 0; p < P; p++) {
        const float difference = x[p][j + i] - values[i];
        squares[p] = fmaf(difference, difference, squares[p]);
      }
    }
  }
#pragma unroll
  for (int p = 0; p < P; p++) sums[p] += root(squares[p]);
}

/// Few features: P points of each thread stay in registers, rows come through shared memory. @tparam D the stride
template <int D, int P>
__global__ void __launch_bounds__(threads) add_pairs(PairSums of, Stretch stretch) {
  __shared__ __align__(16) float tile[tile_rows * D];
  const int begin = blockIdx.x * threads * P + threadIdx.x;
  float x[P][D];
  double partial[P], own[P], nearest[P];
  int cluster_of[P];
#pragma unroll
  for (int p = 0; p < P; p++) {
    const int slot = min(begin + p * threads, of.n - 1);
#pragma unroll
    for (int j = 0; j < D; j++) x[p][j] = of.rows[static_cast<std::size_t>(slot) * D + j];
    partial[p] = of.partial[slot];
    own[p] = of.own[slot];
    nearest[p] = of.nearest[slot];
    cluster_of[p] = of.cluster_of[slot];
  }
  int cluster = stretch.cluster;
  for (int base = stretch.first; base < stretch.last; base += tile_rows) {
    const int end = min(base + tile_rows, stretch.last);
    __syncthreads();
    const float4* from = reinterpret_cast<const float4*>(of.rows + static_cast<std::size_t>(base) * D);
    for (int at = threadIdx.x; at < (end - base) * D / 4; at += threads) reinterpret_cast<float4*>(tile)[at] = from[at];
    __syncthreads();
    for (int row = base; row < end;) {
      while (of.starts[cluster + 1] <= row) cluster++;
      const int cluster_end = of.starts[cluster + 1];
      const int stop = min(end, cluster_end);
      for (; row < stop;) {
        float sums[P] = {};
        if (stop - row >= summands) {
#pragma unroll 4
          for (int i = 0; i < summands; i++) add_row<D, P>(x, tile + (row - base + i) * D, sums);
          row += summands;
        } else {
          for (; row < stop; row++) add_row<D, P>(x, tile + (row - base) * D, sums);
        }
#pragma unroll
        for (int p = 0; p < P; p++) partial[p] += sums[p];
      }
      if (row != cluster_end) continue;
      const int members = cluster_end - of.starts[cluster];
#pragma unroll
      for (int p = 0; p < P; p++) finish_cluster(partial[p], own[p], nearest[p], cluster_of[p] == cluster, members);
    }
  }
#pragma unroll
  for (int p = 0; p < P; p++) {
    const int slot = begin + p * threads;
    if (slot >= of.n) continue;
    of.partial[slot] = partial[p];
    of.own[slot] = own[p];
    of.nearest[slot] = nearest[p];
  }
}

/// Squares of one point and some rows over a few features.
template <int G>
__device__ __forceinline__ void add_chunk(const float* x, const float* rows, int stride, float (&squares)[G]) {
  float own[chunk];
#pragma unroll
  for (int j = 0; j < chunk; j++) own[j] = x[j];
#pragma unroll
  for (int g = 0; g < G; g++) {
#pragma unroll
    for (int j = 0; j < chunk; j++) {
      const float difference = own[j] - rows[g * stride + j];
      squares[g] = fmaf(difference, difference, squares[g]);
    }
  }
}

/// Any number of features: a point a thread, rows and features by eights, from memory that all threads of a block share.
__global__ void __launch_bounds__(threads) add_wide_pairs(PairSums of, Stretch stretch) {
  const int mine = blockIdx.x * threads + threadIdx.x;
  const int slot = min(mine, of.n - 1);
  const float* x = of.rows + static_cast<std::size_t>(slot) * of.stride;
  double partial = of.partial[slot], own = of.own[slot], nearest = of.nearest[slot];
  const int cluster_of = of.cluster_of[slot];
  int cluster = stretch.cluster;
  for (int row = stretch.first; row < stretch.last;) {
    while (of.starts[cluster + 1] <= row) cluster++;
    const int cluster_end = of.starts[cluster + 1];
    const int stop = min(stretch.last, cluster_end);
    while (row < stop) {
      const float* rows = of.rows + static_cast<std::size_t>(row) * of.stride;
      float sum = 0;
      if (stop - row >= rows_together) {
        float squares[rows_together] = {};
        for (int j = 0; j < of.stride; j += chunk) add_chunk<rows_together>(x + j, rows + j, of.stride, squares);
#pragma unroll
        for (float square : squares) sum += root(square);
        row += rows_together;
      } else {
        float squares[1] = {};
        for (int j = 0; j < of.stride; j += chunk) add_chunk<1>(x + j, rows + j, of.stride, squares);
        sum = root(squares[0]);
        row++;
      }
      partial += sum;
    }
    if (row == cluster_end) {
      finish_cluster(partial, own, nearest, cluster_of == cluster, cluster_end - of.starts[cluster]);
    }
  }
  if (mine >= of.n) return;
  of.partial[slot] = partial;
  of.own[slot] = own;
  of.nearest[slot] = nearest;
}

template <int D, int P>
void launch(const PairSums& of, const Stretch& stretch, cudaStream_t stream) {
  const int blocks = (of.n + threads * P - 1) / (threads * P);
  add_pairs<D, P><<<blocks, threads, 0, stream>>>(of, stretch);
  check_launch("add_pairs");
}

/// Points of a thread: several share what is read, unless there are too few of them to fill the card.
constexpr int few_points = 200'000;

template <int D>
void launch_known(const PairSums& of, const Stretch& stretch, cudaStream_t stream) {
  constexpr int most = D <= 12 ? 4 : 2;
  if (of.n < few_points) launch<D, 1>(of, stretch, stream);
  else launch<D, most>(of, stretch, stream);
}

void launch_pairs(const PairSums& of, const Stretch& stretch, cudaStream_t stream) {
  switch (of.stride) {
    case 4: return launch_known<4>(of, stretch, stream);
    case 8: return launch_known<8>(of, stretch, stream);
    case 12: return launch_known<12>(of, stretch, stream);
    case 16: return launch_known<16>(of, stretch, stream);
    case 20: return launch_known<20>(of, stretch, stream);
    case 24: return launch_known<24>(of, stretch, stream);
    case 28: return launch_known<28>(of, stretch, stream);
    case 32: return launch_known<32>(of, stretch, stream);
    default: break;
  }
  add_wide_pairs<<<(of.n + threads - 1) / threads, threads, 0, stream>>>(of, stretch);
  check_launch("add_wide_pairs");
}

int stride_of(std::size_t d) {
  const std::size_t whole = d <= 32 ? 4 : chunk;
  return static_cast<int>((d + whole - 1) / whole * whole);
}

/// (n, stride) rows with zeros behind the last feature.
std::vector<float> padded_rows(const ClusteredPoints& points, int stride) {
  const std::size_t d = points.features();
  std::vector<float> rows(points.points() * static_cast<std::size_t>(stride), 0.0F);
  for (std::size_t slot = 0; slot < points.points(); slot++) {
    std::copy_n(points.rows_from(slot), d, rows.begin() + static_cast<std::ptrdiff_t>(slot * static_cast<std::size_t>(stride)));
  }
  return rows;
}

/// What lies on the device.
class DevicePairs {
 public:
  explicit DevicePairs(const ClusteredPoints& points)
      : stride_(stride_of(points.features())), rows_(padded_rows(points, stride_)),
        starts_(std::vector<int>(points.starts().begin(), points.starts().end())), cluster_of_(clusters_of(points)),
        partial_(std::vector<double>(points.points(), 0)), own_(std::vector<double>(points.points(), 0)),
        nearest_(std::vector<double>(points.points(), HUGE_VAL)) {
    sums_ = {rows_.get(), static_cast<int>(points.points()), static_cast<int>(points.features()), stride_, starts_.get(),
             cluster_of_.get(), partial_.get(), own_.get(), nearest_.get()};
  }

  const PairSums& sums() const { return sums_; }

  void read(NeighbourMeans& means) const {
    std::vector<double> own(own_.size()), nearest(nearest_.size());
    own_.read(own.data(), own.size());
    nearest_.read(nearest.data(), nearest.size());
    for (std::size_t slot = 0; slot < own.size(); slot++) means.take_all(slot, own[slot], nearest[slot]);
  }

 private:
  static std::vector<int> clusters_of(const ClusteredPoints& points) {
    const std::vector<std::size_t> all = points.clusters_in_order();
    return {all.begin(), all.end()};
  }

  int stride_;
  Buffer<float> rows_;
  Buffer<int> starts_;
  Buffer<int> cluster_of_;
  Buffer<double> partial_;
  Buffer<double> own_;
  Buffer<double> nearest_;
  PairSums sums_{};
};

}  // namespace

bool device_silhouettes(const ClusteredInput& input, int device, const CancelFlag& cancel, PairProgress& progress,
                        double* values) {
  check(cudaSetDevice(device), "cudaSetDevice");
  const ClusteredPoints points(input, PointTiles::none);
  const std::vector<std::size_t> cluster_of = points.clusters_in_order();
  const DevicePairs pairs(points);
  const Stream stream;
  const int n = static_cast<int>(input.n);
  progress.total = static_cast<std::uint64_t>(input.n) * input.n;
  const double work_of_row = static_cast<double>(input.n) * static_cast<double>(input.d + 2);
  const int rows = std::max(tile_rows, static_cast<int>(work_of_launch / work_of_row) / tile_rows * tile_rows);
  for (int first = 0; first < n; first += rows) {
    if (cancel.load(std::memory_order_relaxed)) return false;
    const int last = std::min(n, first + rows);
    launch_pairs(pairs.sums(), {first, last, static_cast<int>(cluster_of[static_cast<std::size_t>(first)])}, stream.get());
    stream.wait();
    progress.done.fetch_add(static_cast<std::uint64_t>(last - first) * input.n, std::memory_order_relaxed);
  }
  NeighbourMeans means(points);
  pairs.read(means);
  for (std::size_t slot = 0; slot < input.n; slot++) {
    values[points.order()[slot]] = means.silhouette(slot, cluster_of[slot]);
  }
  return true;
}

}  // namespace centroid_lab::cuda

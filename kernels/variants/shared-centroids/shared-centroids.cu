// One thread per point; centroids are staged in shared memory, a tile at a time; d + 1 atomic additions per point. See
// README.md.
#include <algorithm>

#include "atomic_sums.cuh"
#include "check.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// So few that a multiprocessor holds as many blocks as it can.
constexpr int tile_floats = 16 * 1024 / sizeof(float);
/// Where points are long a tile holds this many features of `rows_at_once` centroids.
constexpr int tile_features = 128;

/// The nearest centroid for D features: a tile holds whole centroids. By all threads of the block; those without a
/// point of their own bring any other, so that nobody misses a barrier.
template <int D>
__device__ std::int32_t nearest_in_tiles(const float* row, const float* centroids, int k, float* tile) {
  constexpr int rows_per_tile = tile_floats / D;
  float point[D];
  load_row(row, point);
  Nearest best;
  for (int first = 0; first < k; first += rows_per_tile) {
    const int rows = min(rows_per_tile, k - first);
    __syncthreads();
    for (int at = threadIdx.x; at < rows * D; at += threads) tile[at] = centroids[static_cast<size_t>(first) * D + at];
    __syncthreads();
    offer_rows(point, tile, first, rows, best);
  }
  return best.cluster;
}

/// Stages features from .. from + width - 1 of `rows` centroids, `tile_features` apart.
__device__ void stage(const float* centroids, int rows, int d, int from, int width, float* tile) {
  __syncthreads();
  for (int at = threadIdx.x; at < rows * width; at += threads) {
    const int row = at / width;
    const int j = at % width;
    tile[row * tile_features + j] = centroids[static_cast<size_t>(row) * d + from + j];
  }
  __syncthreads();
}

/// The nearest centroid for any d: a tile holds a stretch of features of a few centroids.
__device__ std::int32_t nearest_of_long_in_tiles(const float* row, const float* centroids, int k, int d, float* tile) {
  Nearest best;
  for (int first = 0; first < k; first += rows_at_once) {
    const int rows = min(rows_at_once, k - first);
    float distances[rows_at_once] = {};
    for (int from = 0; from < d; from += tile_features) {
      const int width = min(tile_features, d - from);
      stage(centroids + static_cast<size_t>(first) * d, rows, d, from, width, tile);
      int j = 0;
      for (; d % 4 == 0 && j < width; j += 4) {
        float part[4];
        load_row(row + from + j, part);
        add_differences<4>(part, tile + j, tile_features, rows - 1, distances);
      }
      for (; j < width; j++) {
        const float part[1] = {row[from + j]};
        add_differences<1>(part, tile + j, tile_features, rows - 1, distances);
      }
    }
    offer_distances(distances, first, best);
  }
  return best.cluster;
}

template <int D>
__global__ void __launch_bounds__(threads) assign_and_add(const float* x, int d, Pass pass) {
  extern __shared__ float4 aligned_tile[];
  if (*pass.halted != 0) return;
  float* tile = reinterpret_cast<float*>(aligned_tile);
  const size_t index = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  const size_t i = pass.first + min(index, pass.count - 1);
  const float* point = x + i * d;
  std::int32_t label = 0;
  if constexpr (D > 0) label = nearest_in_tiles<D>(point, pass.centroids, pass.k, tile);
  else label = nearest_of_long_in_tiles(point, pass.centroids, pass.k, d, tile);
  bool changed = false;
  if (index < pass.count) {
    changed = note_label(pass, i, label) != 0;
    if (pass.accumulate) add_by_atomics(point, d, label, pass.real_sums, pass.counts);
  }
  report_changes(pass, changed);
}

class SharedCentroids final : public DeviceVariant {
 public:
  explicit SharedCentroids(const Problem& problem) : x_(problem.x), d_(problem.d), k_(problem.k) {}

  SumKind sums() const override { return SumKind::real; }
  bool is_fused() const override { return true; }
  double speed() const override { return speed_of_atomics(k_); }

  void enqueue_assign(const Pass& pass) override {
    const unsigned blocks = static_cast<unsigned>((pass.count + threads - 1) / threads);
    // Whole float4s: the compiler reads small rows with one wide load, past their end.
    const std::int64_t all = (std::int64_t{pass.k} * d_ + 3) / 4 * 4;
    const std::int64_t floats =
        d_ <= max_specialised_features ? std::min<std::int64_t>(tile_floats, all) : rows_at_once * tile_features;
    with_features(d_, [&](auto features) {
      assign_and_add<features.value><<<blocks, threads, floats * sizeof(float), pass.stream>>>(x_, d_, pass);
    });
    check_launch("shared-centroids");
  }

 private:
  const float* x_;
  int d_;
  int k_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<SharedCentroids>(problem); }

const Registration registration({"shared-centroids", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

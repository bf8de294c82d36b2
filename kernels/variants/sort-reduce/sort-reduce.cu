// Point indices are sorted by label, coordinates gathered so that those of each (coordinate, cluster) are consecutive,
// and runs of them reduced. See README.md.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>

#include "assign_staged.hpp"
#include "check.hpp"
#include "memory.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// A tile of the gather: places of the sorted order, and coordinates.
constexpr int tile_slots = 128;
constexpr int tile_features = 32;
/// Coordinates reduced by one call; the places they are counted by must fit 32 bits.
constexpr std::size_t max_items = std::size_t{1} << 30;

/// Points and features of the gathered coordinates.
struct Gathered {
  const float* values;
  const std::uint32_t* labels;
  const float* scale;
  std::uint32_t n;
  std::uint32_t k;
  std::uint32_t first_feature;
};

/// Which sum the coordinate at a place belongs to.
struct KeyOf {
  Gathered from;
  __device__ std::uint32_t operator()(std::uint32_t at) const {
    const std::uint32_t j = at / from.n;
    return (from.first_feature + j) * from.k + from.labels[at - j * from.n];
  }
};

/// The coordinate at a place as a fixed-point number.
struct ValueOf {
  Gathered from;
  __device__ long long operator()(std::uint32_t at) const {
    return __float2ll_rn(from.values[at] * from.scale[from.first_feature + at / from.n]);
  }
};

__global__ void number(std::uint32_t* to, size_t n) {
  const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at < n) to[at] = static_cast<std::uint32_t>(at);
}

/// to (d, n): the coordinates of the points in the order of `order`.
__global__ void __launch_bounds__(threads)
    gather(const float* x, size_t n, int d, const std::uint32_t* order, const int* halted, float* to) {
  __shared__ float tile[tile_features][tile_slots + 1];
  if (*halted != 0) return;
  const size_t first = static_cast<size_t>(blockIdx.x) * tile_slots;
  const int slots = static_cast<int>(min(static_cast<size_t>(tile_slots), n - first));
  for (int from = 0; from < d; from += tile_features) {
    const int width = min(tile_features, d - from);
    for (int at = threadIdx.x; at < slots * width; at += threads) {
      tile[at % width][at / width] = x[static_cast<size_t>(order[first + at / width]) * d + from + at % width];
    }
    __syncthreads();
    for (int at = threadIdx.x; at < tile_slots * width; at += threads) {
      const int j = at / tile_slots, slot = at % tile_slots;
      if (slot < slots) to[(from + j) * n + first + slot] = tile[j][slot];
    }
    __syncthreads();
  }
}

/// A run of equal labels from a to b adds b to its count where it ends, and takes a away where it begins.
__global__ void __launch_bounds__(threads) count_runs(const std::uint32_t* labels, size_t n, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at >= n) return;
  const std::uint32_t label = labels[at];
  if (at > 0 && labels[at - 1] != label) atomicSub(pass.counts + label, static_cast<unsigned>(at));
  if (at + 1 == n || labels[at + 1] != label) atomicAdd(pass.counts + label, static_cast<unsigned>(at + 1));
}

/// Brings each run's sum where its key says: clusters without members have no run and stay zero.
__global__ void __launch_bounds__(threads)
    scatter(const std::uint32_t* keys, const long long* sums, const std::uint32_t* runs, int d, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t run = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (run >= *runs) return;
  const std::uint32_t j = keys[run] / pass.k;
  pass.fixed_sums[static_cast<size_t>(keys[run] % pass.k) * d + j] += sums[run];
}

class SortReduce final : public DeviceVariant {
 public:
  explicit SortReduce(const Problem& problem)
      : x_(problem.x), scale_(problem.scale), n_(problem.n), d_(problem.d), k_(problem.k),
        features_at_once_(static_cast<int>(std::clamp<std::size_t>(max_items / problem.n, 1, problem.d))),
        numbers_(problem.n), order_(problem.n), sorted_(problem.n), gathered_(problem.n * problem.d),
        keys_(static_cast<size_t>(features_at_once_) * problem.k), run_sums_(keys_.size()), runs_(1) {
    number<<<blocks_of(n_), threads>>>(numbers_.get(), n_);
    check_launch("sort-reduce: number");
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    Pass none;
    none.k = k_;
    std::size_t for_sort = 0, for_reduction = 0;
    sort(nullptr, for_sort, none);
    reduce(nullptr, for_reduction, none, 0, features_at_once_);
    work_ = Buffer<char>(std::max(for_sort, for_reduction));
  }

  SumKind sums() const override { return SumKind::fixed; }

  void enqueue_assign(const Pass& pass) override { enqueue_assign_staged(x_, d_, pass); }

  void enqueue_update(const Pass& pass) override {
    std::size_t bytes = work_.bytes();
    sort(work_.get(), bytes, pass);
    const unsigned tiles = static_cast<unsigned>((n_ + tile_slots - 1) / tile_slots);
    gather<<<tiles, threads, 0, pass.stream>>>(x_, n_, d_, order_.get(), pass.halted, gathered_.get());
    check_launch("sort-reduce: gather");
    count_runs<<<blocks_of(n_), threads, 0, pass.stream>>>(sorted_.get(), n_, pass);
    check_launch("sort-reduce: count runs");
    for (int first = 0; first < d_; first += features_at_once_) {
      const int features = std::min(features_at_once_, d_ - first);
      bytes = work_.bytes();
      reduce(work_.get(), bytes, pass, first, features);
      scatter<<<blocks_of(static_cast<size_t>(features) * pass.k), threads, 0, pass.stream>>>(
          keys_.get(), run_sums_.get(), runs_.get(), d_, pass);
      check_launch("sort-reduce: scatter");
    }
  }

 private:
  static unsigned blocks_of(size_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }

  /// With `work` null only tells the bytes that it needs.
  void sort(void* work, std::size_t& bytes, const Pass& pass) const {
    int bits = 1;
    while (bits < 31 && k_ > (1 << bits)) bits++;
    check(cub::DeviceRadixSort::SortPairs(work, bytes, reinterpret_cast<const std::uint32_t*>(pass.labels),
                                          sorted_.get(), numbers_.get(), order_.get(), static_cast<std::uint32_t>(n_),
                                          0, bits, pass.stream),
          "cub::DeviceRadixSort::SortPairs");
  }

  /// With `work` null only tells the bytes that it needs.
  void reduce(void* work, std::size_t& bytes, const Pass& pass, int first, int features) const {
    const Gathered from{gathered_.get() + static_cast<size_t>(first) * n_, sorted_.get(), scale_,
                        static_cast<std::uint32_t>(n_), static_cast<std::uint32_t>(pass.k),
                        static_cast<std::uint32_t>(first)};
    const thrust::counting_iterator<std::uint32_t> slots(0);
    check(cub::DeviceReduce::ReduceByKey(work, bytes, thrust::make_transform_iterator(slots, KeyOf{from}), keys_.get(),
                                         thrust::make_transform_iterator(slots, ValueOf{from}), run_sums_.get(),
                                         runs_.get(), ::cuda::std::plus<>{},
                                         static_cast<std::uint32_t>(static_cast<size_t>(features) * n_), pass.stream),
          "cub::DeviceReduce::ReduceByKey");
  }

  const float* x_;
  const float* scale_;
  size_t n_;
  int d_;
  int k_;
  int features_at_once_;
  Buffer<std::uint32_t> numbers_;
  Buffer<std::uint32_t> order_;
  Buffer<std::uint32_t> sorted_;
  /// (d, n)
  Buffer<float> gathered_;
  Buffer<std::uint32_t> keys_;
  Buffer<long long> run_sums_;
  /// One number.
  Buffer<std::uint32_t> runs_;
  Buffer<char> work_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<SortReduce>(problem); }

const Registration registration({"sort-reduce", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

// The points' order along a Hilbert curve, once for a session: J. Skilling, Programming the Hilbert curve, AIP Conference
// Proceedings 707 (2004).
#include <algorithm>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "check.hpp"
#include "hilbert_order.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda::ordering {
namespace {

constexpr int threads = 256;
constexpr unsigned range_blocks = 512;
constexpr unsigned points_of_warp = 32;

struct Larger {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return max(a, b); }
};

/// Floats as unsigned numbers of the same order, for atomics.
__device__ unsigned ordered(float value) {
  const unsigned bits = __float_as_uint(value);
  return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

__device__ float from_ordered(unsigned bits) {
  return __uint_as_float(bits & 0x80000000U ? bits & 0x7fffffffU : ~bits);
}

/// Smallest and largest of each feature into `range (2, D)`, which holds 0xff.. and 0 before.
template <int D>
__global__ void __launch_bounds__(threads) find_range(const float* x, size_t n, unsigned* range) {
  __shared__ unsigned shared[2][D];
  if (threadIdx.x < 2 * D) shared[threadIdx.x / D][threadIdx.x % D] = threadIdx.x < D ? ~0U : 0;
  __syncthreads();
  for (int j = 0; j < D; j++) {
    unsigned low = ~0U, high = 0;
    for (size_t i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
      const unsigned value = ordered(x[i * D + j]);
      low = min(low, value);
      high = max(high, value);
    }
    for (int step = 16; step > 0; step /= 2) {
      low = min(low, __shfl_xor_sync(~0U, low, step));
      high = max(high, __shfl_xor_sync(~0U, high, step));
    }
    if (threadIdx.x % 32 != 0) continue;
    atomicMin(&shared[0][j], low);
    atomicMax(&shared[1][j], high);
  }
  __syncthreads();
  if (threadIdx.x < D) atomicMin(range + threadIdx.x, shared[0][threadIdx.x]);
  else if (threadIdx.x < 2 * D) atomicMax(range + threadIdx.x, shared[1][threadIdx.x - D]);
}

/// Place on the curve of a cell with `bits` bits a feature.
template <int D>
__device__ unsigned position_on_curve(unsigned (&cell)[D], int bits) {
  for (unsigned bit = 1U << (bits - 1); bit > 1; bit >>= 1) {
#pragma unroll
    for (int j = 0; j < D; j++) {
      const unsigned below = bit - 1;
      const unsigned swapped = cell[j] & bit ? 0 : (cell[0] ^ cell[j]) & below;
      cell[0] ^= cell[j] & bit ? below : swapped;
      cell[j] ^= swapped;
    }
  }
#pragma unroll
  for (int j = 1; j < D; j++) cell[j] ^= cell[j - 1];
  unsigned turned = 0;
  for (unsigned bit = 1U << (bits - 1); bit > 1; bit >>= 1) turned ^= cell[D - 1] & bit ? bit - 1 : 0;
  unsigned position = 0;
  for (int bit = bits - 1; bit >= 0; bit--) {
#pragma unroll
    for (int j = 0; j < D; j++) position = position << 1 | ((cell[j] ^ turned) >> bit & 1);
  }
  return position;
}

template <int D>
__global__ void __launch_bounds__(threads) find_positions(const float* x, size_t n, const unsigned* range, unsigned* positions,
                                                       unsigned* points) {
  // The last bits are lost to rounding in any case.
  constexpr int bits = D == 1 ? 24 : D == 2 ? 16 : 32 / D;
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= n) return;
  unsigned cell[D];
#pragma unroll
  for (int j = 0; j < D; j++) {
    const float low = from_ordered(range[j]);
    // Neither overflows nor divides by zero: halves, and a range of nothing puts all into the first cell.
    const float width = 0.5F * from_ordered(range[D + j]) - 0.5F * low;
    const float part = width > 0 ? (0.5F * x[i * D + j] - 0.5F * low) / width : 0.0F;
    cell[j] = min(static_cast<unsigned>(part * (1U << bits)), (1U << bits) - 1);
  }
  positions[i] = D == 1 ? cell[0] : position_on_curve(cell, bits);
  points[i] = static_cast<unsigned>(i);
}

/// Squared distance of each point in the order to the one before it, as bits that compare like it.
template <int D>
__global__ void __launch_bounds__(threads) find_gaps(const float* x, size_t n, const unsigned* order, unsigned* gaps) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= n) return;
  float gap = 0;
  for (int j = 0; j < D && i > 0; j++) {
    const float difference = x[order[i] * static_cast<size_t>(D) + j] - x[order[i - 1] * static_cast<size_t>(D) + j];
    gap = fmaf(difference, difference, gap);
  }
  gaps[i] = __float_as_uint(gap);
}

/// The last place up to each where a gap is wider than that in `widest[limit]`.
__global__ void __launch_bounds__(threads) find_cuts(const unsigned* gaps, const unsigned* widest, size_t limit, size_t n,
                                                     unsigned* cuts) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < n) cuts[i] = gaps[i] > widest[limit] ? static_cast<unsigned>(i) : 0;
}

/// Whether a warp begins at each place, given the last cut.
__global__ void __launch_bounds__(threads) find_starts(const unsigned* cuts, size_t n, unsigned* starts) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < n) starts[i] = (i - cuts[i]) % points_of_warp == 0 ? 1 : 0;
}

__global__ void __launch_bounds__(threads) fill_slots(const unsigned* cuts, const unsigned* warps, const unsigned* order, size_t n,
                                                      unsigned* slots) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < n) slots[static_cast<size_t>(warps[i] - 1) * points_of_warp + (i - cuts[i]) % points_of_warp] = order[i];
}

/// Five rows of n numbers and what the library's algorithms work in.
class Space {
 public:
  Space(std::size_t n, std::size_t bytes) : n_(n), bytes_(bytes), memory_(5 * n + 128 + bytes / sizeof(unsigned)) {}

  unsigned* row(int which) const { return memory_.get() + which * n_; }
  /// Aligned as they ask for.
  void* work() const { return memory_.get() + (5 * n_ + 63) / 64 * 64; }
  std::size_t& bytes() { return bytes_; }

 private:
  std::size_t n_;
  std::size_t bytes_;
  Buffer<unsigned> memory_;
};

std::size_t bytes_of_work(int n) {
  std::size_t pairs = 0, keys = 0, largest = 0, sums = 0;
  unsigned* any = nullptr;
  check(cub::DeviceRadixSort::SortPairs(nullptr, pairs, any, any, any, any, n), "cub::DeviceRadixSort");
  check(cub::DeviceRadixSort::SortKeysDescending(nullptr, keys, any, any, n), "cub::DeviceRadixSort");
  check(cub::DeviceScan::InclusiveScan(nullptr, largest, any, any, Larger{}, n), "cub::DeviceScan");
  check(cub::DeviceScan::InclusiveSum(nullptr, sums, any, any, n), "cub::DeviceScan");
  return std::max({pairs, keys, largest, sums});
}

/// Rows along the curve: `positions (n)`, `points (n)` and `sorted (n)` are work space.
template <int D>
void sort_on_curve(const Problem& problem, const Buffer<unsigned>& range, void* space, std::size_t bytes, unsigned* positions, unsigned* points,
                   unsigned* sorted, unsigned* order) {
  const std::size_t n = problem.n;
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  check(cudaMemsetAsync(range.get(), 0xff, D * sizeof(unsigned), nullptr), "cudaMemsetAsync");
  check(cudaMemsetAsync(range.get() + D, 0, D * sizeof(unsigned), nullptr), "cudaMemsetAsync");
  find_range<D><<<std::min(blocks, range_blocks), threads>>>(problem.x, n, range.get());
  find_positions<D><<<blocks, threads>>>(problem.x, n, range.get(), positions, points);
  check_launch("fused: find_positions");
  check(cub::DeviceRadixSort::SortPairs(space, bytes, positions, sorted, points, order, static_cast<int>(n)), "cub::DeviceRadixSort");
}

template <int D>
void order_by_curve(const Problem& problem, unsigned* order) {
  const Buffer<unsigned> rows(3 * problem.n), range(2 * D);
  unsigned* any = nullptr;
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, any, any, any, any, static_cast<int>(problem.n)), "cub::DeviceRadixSort");
  const Buffer<unsigned char> space(bytes);
  sort_on_curve<D>(problem, range, space.get(), bytes, rows.get(), rows.get() + problem.n, rows.get() + 2 * problem.n, order);
  check(cudaStreamSynchronize(nullptr), "fused: order_on_curve");
}

template <int D>
void arrange(const Problem& problem, std::size_t gaps, unsigned* slots) {
  const std::size_t n = problem.n;
  const int items = static_cast<int>(n);
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  Space space(n, bytes_of_work(items));
  const Buffer<unsigned> range(2 * D);
  unsigned *positions = space.row(0), *points = space.row(1), *sorted = space.row(2), *order = space.row(3), *scanned = space.row(4);
  check(cudaMemsetAsync(slots, 0xff, warps_for(n, gaps) * points_of_warp * sizeof(unsigned), nullptr), "cudaMemsetAsync");
  sort_on_curve<D>(problem, range, space.work(), space.bytes(), positions, points, sorted, order);
  find_gaps<D><<<blocks, threads>>>(problem.x, n, order, positions);
  check(cub::DeviceRadixSort::SortKeysDescending(space.work(), space.bytes(), positions, sorted, items), "cub::DeviceRadixSort");
  find_cuts<<<blocks, threads>>>(positions, sorted, gaps, n, points);
  unsigned* cuts = sorted;
  check(cub::DeviceScan::InclusiveScan(space.work(), space.bytes(), points, cuts, Larger{}, items), "cub::DeviceScan");
  find_starts<<<blocks, threads>>>(cuts, n, points);
  check(cub::DeviceScan::InclusiveSum(space.work(), space.bytes(), points, scanned, items), "cub::DeviceScan");
  fill_slots<<<blocks, threads>>>(cuts, scanned, order, n, slots);
  check_launch("ordering: arrange_points");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

}  // namespace

void arrange_points(const Problem& problem, std::size_t gaps, unsigned* slots) {
  switch (problem.d) {
    case 1: return arrange<1>(problem, gaps, slots);
    case 2: return arrange<2>(problem, gaps, slots);
    case 3: return arrange<3>(problem, gaps, slots);
    default: return arrange<4>(problem, gaps, slots);
  }
}

void order_on_curve(const Problem& problem, unsigned* order) {
  switch (problem.d) {
    case 1: return order_by_curve<1>(problem, order);
    case 2: return order_by_curve<2>(problem, order);
    case 3: return order_by_curve<3>(problem, order);
    default: return order_by_curve<4>(problem, order);
  }
}

}  // namespace centroid_lab::cuda::ordering

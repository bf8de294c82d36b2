// What the regimes with a table of the plane share: the way to a cell, the stream of points.
#pragma once

#include "check.hpp"
#include "cell_decision.cuh"
#include "cell_order.hpp"
#include "launch_early.cuh"

namespace centroid_lab::cuda {

constexpr unsigned whole_warp = 0xffffffffU;
/// 16-byte vectors (two points) that a thread has in flight; a warp takes a batch of neighbours at once.
constexpr int vectors = 4;
constexpr int points_of_thread = 2 * vectors;
static_assert(points_of_thread * 32 == ordered_batch, "");

/// Where a point's cell stands in a table of R rows; rows of fewer than 256 cells are 128 bytes apart.
template <int R>
__device__ __forceinline__ unsigned cell_of(const GridBox& box, float2 point) {
  constexpr float top = R - 1;
  constexpr unsigned magic = 0x4B000000U;
  const float across = __saturatef(fmaf(point.x, box.axes[0].factor, box.axes[0].summand));
  const float down = __saturatef(fmaf(point.y, box.axes[1].factor, box.axes[1].summand));
  const unsigned column = __float_as_uint(fmaf(across, top, 0x1p23F));
  if constexpr (R == 256) {
    return __byte_perm(column, __float_as_uint(fmaf(down, top, 0x1p23F)), 0x1140);
  } else {
    // The magic numbers add up to 0: magic + row_bytes (magic + rest).
    constexpr unsigned rest = (0U - magic * (row_bytes + 1U)) / row_bytes;
    static_assert(rest < (1U << 23) - R && magic * (row_bytes + 1U) + row_bytes * rest == 0, "");
    return __float_as_uint(fmaf(down, top, 0x1p23F + static_cast<float>(rest))) * row_bytes + column;
  }
}

/// The copy of the points as a kernel gets it.
struct OrderedPoints {
  /// (batches, 256, 2), by cells.
  const float4* x;
  unsigned batches;
  /// Points of the last batch.
  unsigned last_points;
  /// From the last batch to the first: what was read last is still in the cache.
  bool backwards;
};

/// The batches of a warp: neighbours go to different blocks, for what is slow lies together. The next is asked for before the one at
/// hand is worked on.
template <int T>
struct BatchStream {
  const OrderedPoints& points;
  unsigned next;
  unsigned left;
  /// Batches of the block's first warp, which has the most.
  unsigned most;
  float4 values[vectors];

  __device__ __forceinline__ explicit BatchStream(const OrderedPoints& all) : points(all) {
    const unsigned first = threadIdx.x / 32 * gridDim.x + blockIdx.x;
    most = (points.batches - blockIdx.x + step() - 1) / step();
    left = first < points.batches ? (points.batches - first + step() - 1) / step() : 0;
    next = points.backwards ? points.batches - 1 - first : first;
    if (left > 0) load();
  }

  static __device__ __forceinline__ unsigned step() { return T / 32 * gridDim.x; }

  __device__ __forceinline__ void load() {
    const float4* from = points.x + static_cast<std::size_t>(next) * (ordered_batch / 2) + threadIdx.x % 32;
#pragma unroll
    for (int v = 0; v < vectors; v++) values[v] = __ldg(from + v * 32);
  }

  /// Gives `worker.take` up to so many batches.
  template <class Worker>
  __device__ __forceinline__ void feed(const Worker& worker, unsigned batches) {
    for (; left > 0 && batches > 0; batches--) {
      float2 mine[points_of_thread];
#pragma unroll
      for (int p = 0; p < points_of_thread; p++) {
        const float4& two = values[p / 2];
        mine[p] = p % 2 == 0 ? make_float2(two.x, two.y) : make_float2(two.z, two.w);
      }
      const unsigned valid = next + 1 == points.batches ? valid_of_last() : whole_warp;
      left--;
      next = points.backwards ? next - step() : next + step();
      if (left > 0) load();
      worker.take(mine, valid);
    }
  }

  __device__ __forceinline__ unsigned valid_of_last() const {
    unsigned valid = 0;
    for (int p = 0; p < points_of_thread; p++) {
      if ((threadIdx.x % 32 + p / 2 * 32) * 2 + p % 2 < points.last_points) valid |= 1U << p;
    }
    return points.last_points == ordered_batch ? whole_warp : valid;
  }
};

/// The box that most of the points lie in, for tables of `cells` rows. Reads a sample; waits for it.
GridBox grid_box(const Problem& problem, int cells);

/// How many of 32 x 32 cells of the box the points lie in, had all of these as many: 1 over the chance that two points share a cell.
double cells_in_use(const Problem& problem);

inline OrderedPoints ordered_points(const Buffer<float>& points, std::size_t n) {
  const auto batches = static_cast<unsigned>((n + ordered_batch - 1) / ordered_batch);
  const auto last = static_cast<unsigned>(n - (batches - std::size_t{1}) * ordered_batch);
  return {reinterpret_cast<const float4*>(points.get()), batches, last, false};
}

}  // namespace centroid_lab::cuda

// Which of centroids that float32 cannot tell apart is truly the nearest, ties to the lowest index: kernels/contract.md, "Canonical
// labels". Rare for most data, and in masses where points and centroids lie on a lattice.
#pragma once

#include <cmath>
#include <cstdint>

#include "../exact_order.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda {

/// Computed squared distances that lie closer together than this may be in another order than the true ones.
struct TieMargin {
  float share, least;

  __host__ __device__ constexpr explicit TieMargin(int d) : TieMargin(d, d) {}
  /// @param additions that a feature's square goes through at most, where they are added up by parts.
  __host__ __device__ constexpr TieMargin(int d, int additions) : share(share_of(additions)), least(static_cast<float>(d) * 0x1p-120F) {}

  /// No truly nearest centroid has a larger computed distance, where `smallest` is the smallest.
  __device__ __forceinline__ float limit(float smallest) const { return fmaf(smallest, share, smallest + least); }
  /// 2 theta / (1 - theta), and a little more.
  static __host__ __device__ constexpr float share_of(int additions) {
    const double off = (additions + 4.5) / (1 << 24);
    return off < 0.4 ? static_cast<float>(2.02 * off / (1 - off)) : 3e38F;
  }
  /// Whether another one may be the nearest; `gap` as in `NearestWithGap`. NaN and infinity are in doubt.
  __device__ __forceinline__ bool is_doubtful(float smallest, float gap) const { return !(gap > fmaf(smallest, share, least)); }
};

/// The nearest so far, and by how much, at most, one that was not nearest differed from the smallest of its time: at most what
/// parts the two nearest of all. One subtraction and one minimum a centroid, where a second smallest would take two comparisons.
struct NearestWithGap {
  float distance = INFINITY;
  float gap = INFINITY;
  std::int32_t cluster = 0;

  /// Infinities leave NaN, which the minimum passes over; the smallest is infinite then, and in doubt.
  __device__ __forceinline__ void offer(int candidate, float its_distance) {
    gap = fminf(gap, fabsf(its_distance - distance));
    if (its_distance < distance) {
      distance = its_distance;
      cluster = candidate;
    }
  }
};

/// Numbers that lie `stride` apart: a point, or a centroid. A point can be had from another lane of a whole warp.
struct Strided {
  const float* from;
  int stride;

  __device__ __forceinline__ float operator[](int j) const { return from[static_cast<std::int64_t>(j) * stride]; }
  __device__ __forceinline__ Strided of_lane(int lane) const {
    const auto address = __shfl_sync(0xffffffffU, reinterpret_cast<unsigned long long>(from), lane);
    return {reinterpret_cast<const float*>(address), stride};
  }
};

/// A point that lies in registers, of few features: these are copied, as registers cannot be addressed.
template <int D>
struct Copied {
  float x[D];

  __device__ __forceinline__ explicit Copied(const float (&from)[D]) {
#pragma unroll
    for (int j = 0; j < D; j++) x[j] = from[j];
  }
  __device__ __forceinline__ float operator[](int j) const { return x[j]; }
  __device__ __forceinline__ Copied of_lane(int lane) const {
    Copied its = *this;
#pragma unroll
    for (int j = 0; j < D; j++) its.x[j] = __shfl_sync(0xffffffffU, x[j], lane);
    return its;
  }
};

/// Rows in memory, `apart` floats apart.
struct RowsApart {
  const float* rows;
  int apart;

  __device__ __forceinline__ Strided operator()(int c) const { return {rows + static_cast<std::int64_t>(c) * apart, 1}; }
};

/// All clusters in their order.
struct AllInOrder {
  __device__ __forceinline__ int operator()(int i) const { return i; }
};

/// Squared distance in float32, features in order, as all regimes compute it.
template <class X, class C>
__device__ __forceinline__ float float_distance(int d, const X& x, const C& centroid) {
  float distance = 0;
#pragma unroll 4
  for (int j = 0; j < d; j++) {
    const float difference = x[j] - centroid[j];
    distance = fmaf(difference, difference, distance);
  }
  return distance;
}

/// Of two clusters the truly nearer one, the lower index where they are equally near, as copies are without more ado.
template <class X, class Rows>
__device__ __forceinline__ int truly_nearer_here(int d, const X& x, const Rows& rows, int a, int b) {
  const auto first = rows(a), second = rows(b);
  int same = 0;
  while (same < d && first[same] == second[same]) same++;
  if (same == d) return min(a, b);
  const int order = exact_order(x, first, second, static_cast<std::size_t>(d));
  return order < 0 || (order == 0 && a < b) ? a : b;
}

/// The same as a call; all by value: what a call has the address of would have to lie in memory.
template <class X, class Rows>
__device__ __noinline__ int truly_nearer(int d, X x, Rows rows, int a, int b) {
  return truly_nearer_here(d, x, rows, a, b);
}

/// The same by a whole warp, whose lanes share the features; all arguments are the same in all lanes.
template <class X, class Rows>
__device__ __noinline__ int truly_nearer_by_warp(int d, X x, Rows rows, int a, int b) {
  constexpr unsigned all = 0xffffffffU;
  const auto first = rows(a), second = rows(b);
  bool same = true;
  for (int j = static_cast<int>(threadIdx.x % 32); j < d; j += 32) same = same && first[j] == second[j];
  if (__all_sync(all, same)) return min(a, b);
  double difference = 0, both = 0;
  // Whether anything was rounded: on a lattice nothing is.
  bool rounded = false;
  const auto add = [&](double& sum, double value) {
    const double next = __dadd_rn(sum, value), part = __dsub_rn(next, sum);
    rounded |= __dadd_rn(__dsub_rn(sum, __dsub_rn(next, part)), __dsub_rn(value, part)) != 0;
    sum = next;
  };
  for (int j = static_cast<int>(threadIdx.x % 32); j < d; j += 32) {
    const double own = x[j], p = __dsub_rn(own, first[j]), q = __dsub_rn(own, second[j]);
    // Squares of what float32 holds are exact.
    rounded |= static_cast<double>(static_cast<float>(p)) != p || static_cast<double>(static_cast<float>(q)) != q;
    const double pp = __dmul_rn(p, p), qq = __dmul_rn(q, q);
    add(difference, pp);
    add(difference, -qq);
    both += pp + qq;
  }
  for (int step = 16; step > 0; step /= 2) {
    add(difference, __shfl_xor_sync(all, difference, step));
    both += __shfl_xor_sync(all, both, step);
  }
  // Lanes round alike in the end: each adds the same two numbers as its partner.
  const bool exact = __ballot_sync(all, rounded) == 0;
  // At most (2 d + 16) 2^-53 of the squares, and half of that again.
  const double doubt = (4.0 * d + 64) * 0x1p-53 * both;
  int order = difference < 0 ? -1 : difference > 0 ? 1 : 0;
  if (!exact && !(fabs(difference) > doubt)) order = exact_order(x, first, second, static_cast<std::size_t>(d));
  return order < 0 || (order == 0 && a < b) ? a : b;
}

/// The truly nearest of `count` clusters, at(0), at(1), .., for one thread's point. `nearest` is one of those with the smallest
/// computed distance, or one whose own `limit`, that of TieMargin, is no smaller.
template <class X, class Rows, class At>
__device__ __forceinline__ int decide_by_lane(int d, const X& x, const Rows& rows, int count, const At& at, int nearest, float limit) {
#pragma unroll 1
  for (int i = 0; i < count; i++) {
    const int c = at(i);
    // No number is none of the pass.
    if (c != nearest && float_distance(d, x, rows(c)) <= limit) nearest = truly_nearer_here(d, x, rows, c, nearest);
  }
  return nearest;
}

/// The same by a whole warp, for the point of each lane in `doubtful`, one after another; clusters are those of all lanes alike.
template <class X, class Rows, class At>
__device__ inline int decide_by_warp(int d, const X& point, const Rows& rows, int count, const At& at, unsigned doubtful, int nearest,
                                     float limit) {
  constexpr unsigned all = 0xffffffffU;
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (; doubtful != 0; doubtful &= doubtful - 1) {
    const int owner = __ffs(static_cast<int>(doubtful)) - 1;
    const X x = point.of_lane(owner);
    const float most = __shfl_sync(all, limit, owner);
    int best = __shfl_sync(all, nearest, owner);
    for (int base = 0; base < count; base += 32) {
      const int c = base + lane < count ? at(base + lane) : best;
      unsigned close = __ballot_sync(all, c != best && float_distance(d, x, rows(c)) <= most);
      for (; close != 0; close &= close - 1) {
        const int other = __shfl_sync(all, c, __ffs(static_cast<int>(close)) - 1);
        if (other != best) best = truly_nearer_by_warp(d, x, rows, other, best);
      }
    }
    if (lane == owner) nearest = best;
  }
  return nearest;
}

/// Labels of the lanes in `doubtful`, by whole warps: one after another where they are few, side by side where they are many, as on a
/// lattice. @param point of the lane. @param nearest, limit as above.
template <class X, class Rows, class At>
__device__ inline int decide_here(int d, const X& point, const Rows& rows, int count, const At& at, unsigned doubtful, int nearest,
                                  float limit) {
  constexpr int few = 4;
  if (__popc(doubtful) <= few) return decide_by_warp(d, point, rows, count, at, doubtful, nearest, limit);
  if (doubtful >> threadIdx.x % 32 & 1) nearest = decide_by_lane(d, point, rows, count, at, nearest, limit);
  __syncwarp();
  return nearest;
}

/// The same as a call.
template <class X, class Rows, class At>
__device__ __noinline__ int decide(int d, X point, Rows rows, int count, At at, unsigned doubtful, int nearest, float limit) {
  return decide_here(d, point, rows, count, at, doubtful, nearest, limit);
}

/// Labels of several points of a lane in one number, `Bits` each.
template <int Bits>
struct PackedLabels {
  unsigned long long all = 0;

  __device__ __forceinline__ int at(int p) const { return static_cast<int>(all >> p * Bits & ((1ULL << Bits) - 1)); }
  __device__ __forceinline__ void put(int p, int label) { all |= static_cast<unsigned long long>(label) << p * Bits; }
};

/// `decide` for P points of each lane: points(p) is one. A call for all of them, so that little is live across it.
/// @param doubts of the lane, a bit for each point.
template <int P, int Bits, class Points, class Rows, class At>
__device__ __noinline__ PackedLabels<Bits> decide_points(int d, Points points, Rows rows, int count, At at, unsigned doubts,
                                                         PackedLabels<Bits> labels) {
  static_assert(P * Bits <= 64, "labels fit into a number");
  const TieMargin margin(d);
  PackedLabels<Bits> decided;
  for (int p = 0; p < P; p++) {
    int label = labels.at(p);
    const unsigned doubtful = __ballot_sync(0xffffffffU, doubts >> p & 1);
    if (doubtful != 0) {
      const auto point = points(p);
      label = decide_here(d, point, rows, count, at, doubtful, label, margin.limit(float_distance(d, point, rows(label))));
    }
    decided.put(p, label);
  }
  return decided;
}

/// The same by each lane for itself and without a call: around one a kernel whose registers are full would keep what lives across it
/// in memory, for good.
template <int P, int Bits, class Points, class Rows, class At>
__device__ __forceinline__ PackedLabels<Bits> decide_points_by_lane(int d, const Points& points, const Rows& rows, int count, const At& at,
                                                                    unsigned doubts, const PackedLabels<Bits>& labels) {
  static_assert(P * Bits <= 64, "labels fit into a number");
  PackedLabels<Bits> decided;
#pragma unroll 1
  for (int p = 0; p < P; p++) {
    int label = labels.at(p);
    if (doubts >> p & 1) {
      const auto point = points(p);
      const float limit = TieMargin(d).limit(float_distance(d, point, rows(label)));
      label = decide_by_lane(d, point, rows, count, at, label, limit);
    }
    decided.put(p, label);
  }
  return decided;
}

}  // namespace centroid_lab::cuda

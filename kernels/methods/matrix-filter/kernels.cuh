// Device functions that the kernels of `fused` for many features share.
#pragma once

#include "matrix_filter.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda::matrix_filter {

constexpr unsigned full_warp = 0xffffffffu;
/// Blocks that go through the list of a segment.
constexpr unsigned segment_blocks = 8;

/// Orders candidates by distance, then by index: the smallest key is the nearest centroid, the lowest on ties.
__device__ inline unsigned long long key_of(float distance, unsigned cluster) {
  return static_cast<unsigned long long>(__float_as_uint(distance)) << 32 | cluster;
}

__device__ inline unsigned cluster_of(unsigned long long key) { return static_cast<unsigned>(key); }
/// NaN, which minima pass over, where there is none.
__device__ inline float distance_of(unsigned long long key) { return __uint_as_float(static_cast<unsigned>(key >> 32)); }

/// The smallest key of `lanes` neighbouring lanes, a power of two; every lane gets it.
__device__ inline unsigned long long smallest_key(unsigned long long key, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    const unsigned long long other = __shfl_xor_sync(full_warp, key, step);
    key = other < key ? other : key;
  }
  return key;
}

/// One feature's share of a distance.
__device__ inline float add_square(float distance, float x, float centroid) {
  const float difference = x - centroid;
  return fmaf(difference, difference, distance);
}

/// The same for four features, in their order.
__device__ inline float add_squares(float distance, const float4& x, const float4& centroid) {
  distance = add_square(distance, x.x, centroid.x);
  distance = add_square(distance, x.y, centroid.y);
  distance = add_square(distance, x.z, centroid.z);
  return add_square(distance, x.w, centroid.w);
}

/// The same, each in a sum of its own.
__device__ inline void add_apart(float4& sums, const float4& x, const float4& centroid) {
  sums.x = add_square(sums.x, x.x, centroid.x);
  sums.y = add_square(sums.y, x.y, centroid.y);
  sums.z = add_square(sums.z, x.z, centroid.z);
  sums.w = add_square(sums.w, x.w, centroid.w);
}

/// By a warp; every lane gets it.
__device__ inline float squared_distance_of_warp(const float* x, const float* centre, int d) {
  float sum = 0;
  for (int j = threadIdx.x % 32; j < d; j += 32) sum = add_square(sum, x[j], centre[j]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(full_warp, sum, step);
  return sum;
}

/// A computed squared distance and its root are off by at most a quarter of this share; squares below 2^-126 lose digits.
__device__ inline float share_of(int d) { return static_cast<float>(d + 8) * 0x1p-23f; }
constexpr float tiny_distance = 0x1p-58f;

/// Bounds of the true distance from the computed square.
__device__ inline float above(float squared, int d) {
  return __fadd_ru(__fmul_ru(__fsqrt_ru(squared), 1 + share_of(d)), tiny_distance);
}

__device__ inline float below(float squared, int d) {
  return __fsub_rd(__fmul_rd(__fsqrt_rd(squared), 1 - share_of(d)), tiny_distance);
}

/// What is farther than this is farther by computed distances, too, strictly.
__device__ inline float surely_beyond(float upper, int d) {
  return __fadd_ru(__fmul_ru(upper, 1 + 4 * share_of(d)), 4 * tiny_distance);
}

__device__ inline bool surely_nearer(float upper, float lower, int d) { return lower > surely_beyond(upper, d); }

/// Raises a maximum of numbers that are not negative; most leave it as it is, even as it was a while ago.
__device__ inline void raise(float* largest, float value) {
  if (value > *largest) atomicMax(reinterpret_cast<unsigned*>(largest), __float_as_uint(value));
}

/// Notes what is known of a point from now on: bounds of its distances to the nearest centroid and to all others.
__device__ inline void keep(const Records& records, size_t row, unsigned label, float upper, float lower) {
  records.kept[row] = {__fsub_ru(upper, records.travelled[label]), __fadd_rd(lower, records.approached[label]),
                       static_cast<int>(label), 0};
  raise(records.reach + label, upper);
}

/// Whether this pass notes what it learns of points.
__device__ inline bool takes_notes(const Records& records, const Pass& pass) {
  return records.kept != nullptr && pass.accumulate && *records.wanted != 0;
}

/// The cluster that a point is counted in, from 1: where a pass adds up, else 0.
__device__ inline unsigned kept_of(size_t point, const Pass& pass, const Work& work) { return pass.accumulate ? work.kept[point] : 0; }

__device__ inline void count_changes(bool changed, const Pass& pass) {
  if (!pass.count_changes) return;
  const unsigned changes = __ballot_sync(full_warp, changed);
  if (threadIdx.x % 32 == 0 && changes != 0) atomicAdd(pass.changed, static_cast<unsigned>(__popc(changes)));
}

/// Notes that a point has come to a cluster, in its `slot` among the moves of its segment.
__device__ inline void move(size_t point, size_t row, unsigned label, unsigned before, unsigned segment, unsigned slot, const Work& work) {
  work.kept[point] = label + 1;
  work.moves[work.start_of(segment) + slot] = {static_cast<unsigned>(row), label + 1, before};
}

/// What follows from the label of the lane's point, where it is `known`; by a whole warp, once a pass for each point.
__device__ inline void resolve(bool known, size_t point, size_t row, unsigned label, unsigned before, unsigned segment, const Pass& pass,
                              const Work& work) {
  count_changes(known && note_label(pass, row, static_cast<std::int32_t>(label)) != 0, pass);
  if (!known || !pass.accumulate || before == label + 1) return;
  move(point, row, label, before, segment, atomicAdd(&work.listed[segment].moves, 1u), work);
}

/// To base 2, of a norm.
__device__ inline float logarithm_of(float norm) { return __log2f(fmaxf(norm, 1e-20f)); }

/// How wide centroids lie beside points in this pass, as the margins have it: a power of two, at most 1.
__device__ inline float width_of_centroids(const Work& work) {
  return work.spread == nullptr ? 1.0f : __int_as_float((127 - work.spread->halvings) << 23);
}

/// The first `count` of four; zeros for the rest, where centroids have zeros too.
__device__ inline float4 first_of_four(const float* x, int count) {
  return {x[0], count > 1 ? x[1] : 0, count > 2 ? x[2] : 0, 0};
}

}  // namespace centroid_lab::cuda::matrix_filter

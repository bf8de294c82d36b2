// What matrix units say of a visit's open points. proof.md, "The screen", has the proof.
#pragma once

#include <cuda_fp16.h>

#include <cstring>

#include "visit.cuh"

namespace centroid_lab::cuda::point_bounds {

/// A power of two that brings the farthest of the open points near 2^7.
__device__ inline float unit_of(const Visit& visit) { return ldexpf(1, largest_exponent - 1 - ilogbf(__uint_as_float(visit.farthest))); }

/// Four features in float16, eight bytes.
__device__ inline void store_halves(__half* to, const float4& values) {
  const __half2 halves[2] = {__floats2half2_rn(values.x, values.y), __floats2half2_rn(values.z, values.w)};
  uint2 bits;
  memcpy(&bits, halves, sizeof(bits));
  *reinterpret_cast<uint2*>(to) = bits;
}

__device__ inline float4 relative(const float4& value, const float4& own, float unit) {
  return {(value.x - own.x) * unit, (value.y - own.y) * unit, (value.z - own.z) * unit, (value.w - own.w) * unit};
}

__device__ inline float4 within_halves(const float4& values) {
  const auto clamped = [](float value) { return fminf(fmaxf(value, -largest_half), largest_half); };
  return {clamped(values.x), clamped(values.y), clamped(values.z), clamped(values.w)};
}

/// The open points relative to their centroid in float16; two threads a row, four features each in turn.
__device__ inline void convert_points(const Visit& visit, const Space& space, int width) {
  const float unit = unit_of(visit);
  const int at = threadIdx.x / 2;
  const float* x = space.points + visit.open[min(at, visit.open_count - 1)] * space.stride;
  __half* half = space.half_points + at * space.half_stride;
#pragma unroll 4
  for (int j = threadIdx.x % 2 * 4; j < space.steps * step_features; j += 8) {
    float4 value{0, 0, 0, 0};
    if (j < width) value = relative(*reinterpret_cast<const float4*>(x + j), *reinterpret_cast<const float4*>(space.own + j), unit);
    store_halves(half + j, value);
  }
}

/// A round of candidates relative to the own centroid in float16, with what their scores start from; two threads a row. README.md,
/// "The screen", has the constants.
__device__ inline void convert_centroids(const Arguments& to, Visit& visit, const Space& space, int first) {
  const float unit = unit_of(visit), farthest = __uint_as_float(visit.farthest) * unit;
  const float share = 1.01f * 0x1p-10f + 1.25f * static_cast<float>(space.steps * step_features + 16) * 0x1p-23f + 0x1p-19f;
  const int at = threadIdx.x / 2;
  const bool real = first + at < visit.candidates;
  const float* row = to.rows + static_cast<size_t>(space.list[real ? first + at : 0]) * to.width;
  __half* half = space.half_centroids + at * space.half_stride;
  float squares = 0;
#pragma unroll 8
  for (int j = threadIdx.x % 2 * 4; j < space.steps * step_features; j += 8) {
    float4 value{0, 0, 0, 0};
    if (j < to.width) value = relative(__ldg(reinterpret_cast<const float4*>(row + j)), *reinterpret_cast<const float4*>(space.own + j), unit);
    squares = fmaf(value.x, value.x, fmaf(value.y, value.y, fmaf(value.z, value.z, fmaf(value.w, value.w, squares))));
    store_halves(half + j, within_halves(value));
  }
  squares += __shfl_xor_sync(full_warp, squares, 1);
  if (threadIdx.x % 2 != 0) return;
  const float norm = sqrtf(squares) * (1 + 0x1p-16f);
  const float error = share * farthest * norm + 0x1p-20f * (farthest + norm) + 0x1p-15f * squares;
  // Some turn out to be too far away, perhaps for float16, too.
  const bool matters = real && !(norm > visit.limit * unit * (1 + 0x1p-8f));
  visit.half_norms[at] = matters ? 0.5f * squares - error : no_score;
  visit.slacks[at] = matters ? 2.001f * error : 0;
}

__device__ inline void multiply(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/// Scores of a warp's sixteen points and a round of centroids: lane 4 r + t sees points r and r + 8.
__device__ inline void score_round(const Visit& visit, const Space& space, int first, Least (&least)[2], float (&slack)[2]) {
  const int lane = threadIdx.x % 32, row = lane / 4, pair = lane % 4 * 2;
  const auto word = [](const __half* from) { return *reinterpret_cast<const unsigned*>(from); };
  const __half* upper = space.half_points + (threadIdx.x / 32 * warp_points + row) * space.half_stride + pair;
  const __half* lower = upper + 8 * space.half_stride;
  const __half* others = space.half_centroids + row * space.half_stride + pair;
  float sums[column_tiles][4] = {};
  for (int step = 0; step < space.steps; step++) {
    const int j = step * step_features;
    const unsigned a[4] = {word(upper + j), word(lower + j), word(upper + j + 8), word(lower + j + 8)};
#pragma unroll
    for (int tile = 0; tile < column_tiles; tile++) {
      const __half* b = others + tile * columns * space.half_stride + j;
      multiply(sums[tile], a, word(b), word(b + 8));
    }
  }
#pragma unroll
  for (int tile = 0; tile < column_tiles; tile++) {
#pragma unroll
    for (int at = 0; at < 4; at++) {
      const int column = tile * columns + pair + at % 2;
      const float before = least[at / 2].first;
      least[at / 2].offer(visit.half_norms[column] - sums[tile][at], first + column);
      if (least[at / 2].first != before) slack[at / 2] = visit.slacks[column];
    }
  }
}

/// What the scores say of an open point: its label and bounds, or that distances must decide.
__device__ inline void judge(const Arguments& to, Visit& visit, const Space& space, int cluster, int at, const Least& least, float slack) {
  const int row = visit.open[at];
  const int label = space.list[least.candidate];
  const float unit = unit_of(visit), old = visit.upper[row];
  const float outer = old * unit, inner = below(visit.squared[row], to.d) * unit;
  // Centroids that were not looked at are this far from the old label's.
  const float limit = __fsub_rd(visit.limit, old);
  const auto at_least = [&](float score) {
    const float far = inner * inner * (1 - 0x1p-20f) + 2 * score - 0x1p-21f * fabsf(score);
    return fminf(far > 0 ? sqrtf(far) * (1 - 0x1p-20f) / unit : 0.0f, limit);
  };
  float upper = old;
  if (label != cluster) {
    const float near = outer * outer * (1 + 0x1p-20f) + 2 * (least.first + slack) + 0x1p-21f * fabsf(least.first);
    upper = sqrtf(fmaxf(near, 0.0f)) * (1 + 0x1p-20f) / unit + tiny_distance;
  }
  const float lower = at_least(least.second);
  if (surely_nearer(upper, lower, to.d)) {
    keep(to.records, visit.point[row], static_cast<unsigned>(label), upper, lower);
    if (label == cluster) return;
    visit.label[row] = label;
    visit.moves = 1;
    return;
  }
  const float beyond = at_least(least.third);
  if (surely_nearer(fminf(upper, old), beyond, to.d)) {
    visit.contests[atomicAdd(&visit.contest_count, 1)] = {row, {label, space.list[least.other]}, beyond};
  } else {
    visit.unclear[atomicAdd(&visit.unclear_count, 1)] = row;
  }
}

/// All open points against all candidates by matrix units; by all threads.
__device__ inline void screen(const Arguments& to, Visit& visit, const Space& space, int cluster) {
  const bool busy = static_cast<int>(threadIdx.x) / 32 * warp_points < visit.open_count;
  Least least[2];
  float slack[2] = {};
  convert_points(visit, space, to.width);
  for (int first = 0; first < visit.candidates; first += screen_centroids) {
    __syncthreads();
    convert_centroids(to, visit, space, first);
    __syncthreads();
    if (busy) score_round(visit, space, first, least, slack);
  }
  if (busy) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
      for (int step = 1; step < 4; step *= 2) {
        const float its_slack = __shfl_xor_sync(full_warp, slack[i], step), before = least[i].first;
        least[i].merge(step);
        if (least[i].first != before) slack[i] = its_slack;
      }
      const int at = static_cast<int>(threadIdx.x) / 32 * warp_points + static_cast<int>(threadIdx.x) % 32 / 4 + 8 * i;
      if (threadIdx.x % 4 == 0 && at < visit.open_count) judge(to, visit, space, cluster, at, least[i], slack[i]);
    }
  }
  __syncthreads();
}

}  // namespace centroid_lab::cuda::point_bounds

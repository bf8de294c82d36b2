// Labels of a chunk's points by distances to the centroids of its list, float32 first, exact where that leaves doubts.
#pragma once

#include <algorithm>
#include <climits>

#include "chunk_sums.cuh"

namespace centroid_lab::cuda::neighbour_boxes {

/// Centroids that a warp's own list has room for, at most: chunks with more take that of their stretch.
constexpr int max_listed = 1024;

struct ChunkJob {
  Chunks points;
  std::size_t n;
  int d;
  const float* scale;
  int copies;
  /// (stretches, list_stride) and (stretches).
  std::uint16_t* lists;
  unsigned* listed;
  int list_stride;
  /// Stretches whose points may have several nearest centroids, and how many they are, at either end. The last block of a pass
  /// leaves `open` and `arrived` zero.
  unsigned* work;
  unsigned* open;
  unsigned* arrived;
  /// Nothing is wanted of points but their sums: those of stretches and chunks with one centroid are known.
  bool sums_only;
  /// The stretches of this pass: a slow one is cut.
  unsigned first_stretch;
  unsigned end_stretch;
  /// Where distances of chunks that are looked at are counted; null mostly.
  unsigned long long* pairs;
};

__device__ __forceinline__ int smallest_of_three(int a, int b, int c) { return __vimin3_s32(a, b, c); }

/// The nearest of the lane's points by distances to the centroids of the list, after those of lists before it.
template <int D, int P>
__device__ __forceinline__ void search(const float (&x)[P][D], const float* rows, const std::uint16_t* list, int listed,
                                       NearestWithGap (&nearest)[P]) {
#pragma unroll 2
  for (int i = 0; i < listed; i++) {
    const int c = list[i];
    float row[D];
    load_row<D>(rows + c * row_words<D>, row);
#pragma unroll
    for (int p = 0; p < P; p++) nearest[p].offer(c, squared_distance<D>(x[p], row));
  }
}

/// The same in the plane, where a distance is so little work that what is kept of it counts: its bits with the position in the list in the
/// lowest ones, of which the two smallest are kept.
/// @param bits of a position.
template <int D, int P>
__device__ __forceinline__ void search_numbered(const float (&x)[P][D], const float* rows, const std::uint16_t* list, int listed, int bits,
                                                int (&first)[P], int (&second)[P]) {
  const int mask = (1 << bits) - 1;
  const auto offer = [&](int p, int a, int b) {
    const int less = min(a, b);
    second[p] = smallest_of_three(second[p], max(a, b), max(first[p], less));
    first[p] = min(first[p], less);
  };
  const auto numbered = [&](float distance, int i) { return (__float_as_int(distance) & ~mask) | i; };
  int i = 0;
#pragma unroll 1
  for (; i + 1 < listed; i += 2) {
    float row[D], next[D];
    load_row<D>(rows + list[i] * row_words<D>, row);
    load_row<D>(rows + list[i + 1] * row_words<D>, next);
#pragma unroll
    for (int p = 0; p < P; p++) offer(p, numbered(squared_distance<D>(x[p], row), i), numbered(squared_distance<D>(x[p], next), i + 1));
  }
  if (i == listed) return;
  float row[D];
  load_row<D>(rows + list[i] * row_words<D>, row);
#pragma unroll
  for (int p = 0; p < P; p++) offer(p, numbered(squared_distance<D>(x[p], row), i), INT_MAX);
}

/// What a warp knows of a chunk.
struct Chunk {
  const float* centroids;
  const float* scale;
  /// In shared memory; empty where there was no room for it.
  std::uint16_t* list;
  int listed;
  /// That of the stretch.
  const std::uint16_t* longer;
  int of_longer;
  unsigned number;

  /// Lists in shared memory, one after the other, that hold all centroids in question; by a warp.
  template <class Use>
  __device__ __forceinline__ void for_each_list(const Use& use) const {
    if (listed > 0) return use(listed);
    for (int done = 0; done < of_longer; done += max_listed) {
      const int count = min(max_listed, of_longer - done);
      __syncwarp();
      for (int i = static_cast<int>(threadIdx.x % 32); i < count; i += 32) list[i] = longer[done + i];
      __syncwarp();
      use(count);
    }
  }
};

/// A list of clusters.
struct Listed {
  const std::uint16_t* list;

  __device__ __forceinline__ int operator()(int i) const { return list[i]; }
};

/// Labels of a lane's points. @returns a bit for each that is in doubt.
template <int D, int P>
__device__ __forceinline__ unsigned label_with_gaps(const float (&x)[P][D], const Chunk& chunk, int (&labels)[P]) {
  NearestWithGap nearest[P];
  chunk.for_each_list([&](int listed) { search<D, P>(x, chunk.centroids, chunk.list, listed, nearest); });
  constexpr TieMargin margin(D);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    labels[p] = nearest[p].cluster;
    doubts |= margin.is_doubtful(nearest[p].distance, nearest[p].gap) ? 1U << p : 0;
  }
  return doubts;
}

/// The same by the chunk's own list. A distance with a number in b bits is off by less than 2^(b - 23) of itself, two of them by less
/// than 2^(b - 21) of the smaller one where they are close at all.
template <int D, int P>
__device__ __forceinline__ unsigned label_numbered(const float (&x)[P][D], const Chunk& chunk, int (&labels)[P]) {
  int first[P], second[P];
#pragma unroll
  for (int p = 0; p < P; p++) first[p] = second[p] = INT_MAX;
  const int bits = 32 - __clz(chunk.listed - 1);
  search_numbered<D, P>(x, chunk.centroids, chunk.list, chunk.listed, bits, first, second);
  constexpr TieMargin margin(D);
  // The least of normal numbers covers numbers in those that are not.
  const float share = margin.share + __int_as_float((127 - 21 + bits) << 23);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    const float smallest = __int_as_float(first[p]);
    labels[p] = chunk.list[first[p] & ((1 << bits) - 1)];
    doubts |= __int_as_float(second[p]) > fmaf(smallest, share, smallest + margin.least) ? 0 : 1U << p;
  }
  return doubts;
}

/// The same where the list has two clusters, as most have that points of the plane are compared with.
template <int D, int P>
__device__ __forceinline__ unsigned label_by_two(const float (&x)[P][D], const Chunk& chunk, int (&labels)[P]) {
  constexpr TieMargin margin(D);
  const int a = chunk.list[0], b = chunk.list[1];
  float first[D], second[D];
  load_row<D>(chunk.centroids + a * row_words<D>, first);
  load_row<D>(chunk.centroids + b * row_words<D>, second);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    const float to_first = squared_distance<D>(x[p], first), to_second = squared_distance<D>(x[p], second);
    labels[p] = to_second < to_first ? b : a;
    doubts |= margin.is_doubtful(fminf(to_first, to_second), fabsf(to_first - to_second)) ? 1U << p : 0;
  }
  return doubts;
}

/// Labels of a lane's points that float32 leaves in doubt, those with a bit in `doubts`; by a warp.
template <int D, int P>
__device__ __forceinline__ void decide_labels(const ChunkJob& job, const Chunk& chunk, int slot, unsigned doubts, int (&labels)[P]) {
  constexpr int points = 32 * lane_points(D), bits = 12, together = P < 4 ? P : 4;
  static_assert(max_clusters <= 1 << bits, "labels fit into their bits");
  const float* const values = job.points.values + static_cast<std::size_t>(chunk.number) * points * D;
  const bool is_short = chunk.listed > 0;
  const Listed listed{is_short ? chunk.list : chunk.longer};
#pragma unroll
  for (int first = 0; first < P; first += together) {
    PackedLabels<bits> packed;
#pragma unroll
    for (int p = 0; p < together; p++) packed.put(p, labels[first + p]);
    packed = decide_points<together, bits>(job.d, PointsOfChunk<D>{values, slot + first * 32}, RowsApart{chunk.centroids, row_words<D>},
                                           is_short ? chunk.listed : chunk.of_longer, listed, doubts >> first, packed);
#pragma unroll
    for (int p = 0; p < together; p++) labels[first + p] = packed.at(p);
  }
}

/// Labels rows first .. first + P - 1 of a chunk and adds them up. @returns how many labels of the lane's points have changed.
template <int D, int P>
__device__ __forceinline__ unsigned label_points(const ChunkJob& job, const Pass& pass, const BlockSums& sums, const Chunk& chunk, int first) {
  constexpr int points = 32 * lane_points(D);
  const int slot = first * 32 + static_cast<int>(threadIdx.x % 32);
  float x[P][D];
#pragma unroll
  for (int p = 0; p < P; p++) load_point<D>(job.points.values + static_cast<std::size_t>(chunk.number) * points * D, slot + p * 32, x[p]);
  int labels[P];
  unsigned doubts;
  if (D == 2 && chunk.listed == 2) doubts = label_by_two<D, P>(x, chunk, labels);
  else if (D == 2 && chunk.listed > 0) doubts = label_numbered<D, P>(x, chunk, labels);
  else doubts = label_with_gaps<D, P>(x, chunk, labels);
  if (__any_sync(everyone, doubts != 0)) {
    decide_labels<D, P>(job, chunk, slot, doubts, labels);
    // Read once more: kept across the call they would leave the registers for everybody.
#pragma unroll
    for (int p = 0; p < P; p++) load_point<D>(job.points.values + static_cast<std::size_t>(chunk.number) * points * D, slot + p * 32, x[p]);
  }
  const std::size_t point = static_cast<std::size_t>(chunk.number) * points + slot;
  unsigned valid = 0, changed = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    if (point + p * 32 < job.n) valid |= 1U << p;
  }
  if (pass.labels != nullptr) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (valid >> p & 1) changed += note_label(pass, job.points.rows[point + p * 32], labels[p]);
    }
  }
  if (pass.accumulate) add_points<D, P>(sums, chunk.scale, job.d, x, labels, valid);
  return changed;
}

}  // namespace centroid_lab::cuda::neighbour_boxes

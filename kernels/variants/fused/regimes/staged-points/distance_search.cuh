// The nearest centroids of staged points by distances, float32 first: to all centroids, which lie in shared memory by fours.
#pragma once

#include <climits>
#include <cmath>

#include "matrix_search.cuh"
#include "nearest.cuh"
#include "settle.cuh"

namespace centroid_lab::cuda::staged_points {

/// Centroids that lie together: [four][feature][4], and between fours a vector more, which spreads them over the banks.
constexpr int four = 4;
__host__ __device__ constexpr int floats_of_four(int d) { return four * (d + 1); }

/// Squared distances of P points, rows `apart` floats apart, read in vectors of V, to `Clusters` of which the first is that of a four.
template <int V, int P, int Clusters>
__device__ __forceinline__ void measure(const float* row, int apart, const float* from, int d, float (&distance)[P][Clusters]) {
#pragma unroll
  for (int p = 0; p < P; p++) {
#pragma unroll
    for (int c = 0; c < Clusters; c++) distance[p][c] = 0;
  }
#pragma unroll 1
  for (int j = 0; j < d; j += V) {
    float x[P][V];
#pragma unroll
    for (int p = 0; p < P; p++) load_row<V>(row + p * apart + j, x[p]);
#pragma unroll
    for (int l = 0; l < V; l++) {
#pragma unroll
      for (int part = 0; part < Clusters; part += four) {
        float centroid[four];
        load_row<four>(from + part / four * floats_of_four(d) + (j + l) * four, centroid);
#pragma unroll
        for (int c = 0; c < four; c++) {
          if (part + c >= Clusters) break;
#pragma unroll
          for (int p = 0; p < P; p++) {
            const float difference = x[p][l] - centroid[c];
            distance[p][part + c] = fmaf(difference, difference, distance[p][part + c]);
          }
        }
      }
    }
  }
}

/// Offers `Fours` fours of clusters, of which `first` is the first, to P points.
template <int V, int P, int Fours>
__device__ __forceinline__ void offer(const float* row, int apart, const float* centroids, int d, int first, NearestWithGap (&best)[P]) {
  float distance[P][Fours * four];
  measure<V, P>(row, apart, centroids + first / four * floats_of_four(d), d, distance);
#pragma unroll
  for (int c = 0; c < Fours * four; c++) {
#pragma unroll
    for (int p = 0; p < P; p++) best[p].offer(first + c, distance[p][c]);
  }
}

/// The nearest of k clusters.
template <int V, int P>
__device__ __forceinline__ void search(const float* row, int apart, const float* centroids, int d, int k, NearestWithGap (&best)[P]) {
  int begin = 0;
#pragma unroll 1
  for (; begin + four < k; begin += 2 * four) offer<V, P, 2>(row, apart, centroids, d, begin, best);
  if (begin < k) offer<V, P, 1>(row, apart, centroids, d, begin, best);
}

/// The nearest to each lane's row `own` by distances to all centroids where `open` has the lane: the whole warp for one after another,
/// or, where many are open, each lane for its own.
__device__ __forceinline__ NearestWithGap search_open(const float* own, const float* centroids, int k, int d, unsigned open) {
  constexpr int many = 12;
  const int lane = static_cast<int>(threadIdx.x % 32);
  NearestWithGap nearest;
  if (__popc(open) > many) {
    NearestWithGap best[1];
    search<1, 1>(own, 0, centroids, d, k, best);
    return best[0];
  }
  for (; open != 0; open &= open - 1) {
    const int owner = __ffs(static_cast<int>(open)) - 1;
    const auto* row = reinterpret_cast<const float*>(__shfl_sync(whole_warp, reinterpret_cast<unsigned long long>(own), owner));
    NearestWithGap best;
    for (int c = lane; c < k; c += 32) {
      const float* centroid = centroids + c / four * floats_of_four(d) + c % four;
      float distance = 0;
      for (int j = 0; j < d; j++) {
        const float difference = row[j] - centroid[j * four];
        distance = fmaf(difference, difference, distance);
      }
      best.offer(c, distance);
    }
    for (int step = 16; step > 0; step /= 2) {
      const float distance = __shfl_xor_sync(whole_warp, best.distance, step);
      const int cluster = __shfl_xor_sync(whole_warp, best.cluster, step);
      const float gap = fminf(best.gap, __shfl_xor_sync(whole_warp, best.gap, step));
      best.gap = fminf(gap, fabsf(distance - best.distance));
      if (distance < best.distance) best.distance = distance, best.cluster = cluster;
    }
    // Of equal distances lanes may have different clusters here, all of them in doubt.
    if (lane == owner) nearest = best;
  }
  return nearest;
}

/// The two smallest of some distances as bits, which are ordered as they are; the number of its cluster stands in the lowest ones.
struct TwoNumbered {
  int first, second;

  template <int Clusters>
  static __device__ __forceinline__ TwoNumbered of(const float (&distance)[Clusters]) {
    constexpr int mask = mask_for(Clusters);
    int bits[Clusters];
#pragma unroll
    for (int c = 0; c < Clusters; c++) bits[c] = (__float_as_int(distance[c]) & ~mask) | c;
    TwoNumbered found{min(bits[0], bits[1]), max(bits[0], bits[1])};
#pragma unroll
    for (int c = 2; c + 1 < Clusters; c += 2) found.join(min(bits[c], bits[c + 1]), max(bits[c], bits[c + 1]));
    if constexpr (Clusters % 2 != 0) found.join(bits[Clusters - 1], INT_MAX);
    return found;
  }
  static constexpr int mask_for(int clusters) { return clusters <= 2 ? 1 : clusters <= four ? 3 : 7; }

 private:
  __device__ __forceinline__ void join(int its_first, int its_second) {
    second = __vimin3_s32(max(first, its_first), second, its_second);
    first = min(first, its_first);
  }
};

/// Labels of a lane's points where there are up to eight clusters. @returns a bit for each that is in doubt. A distance with a number in b
/// bits is off by less than 2^(b - 23) of itself, two of them by less than 2^(b - 21) of the smaller one where they are close at all.
template <int V, int P, int Clusters>
__device__ __forceinline__ unsigned label_numbered(const float* row, int apart, const float* centroids, int d, int (&labels)[P]) {
  constexpr int mask = TwoNumbered::mask_for(Clusters);
  float distance[P][Clusters];
  measure<V, P>(row, apart, centroids, d, distance);
  const TieMargin margin(d);
  // The least of normal numbers covers numbers in those that are not.
  const float share = margin.share + static_cast<float>(mask + 1) * 0x1p-21F;
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    const TwoNumbered nearest = TwoNumbered::of(distance[p]);
    const float smallest = __int_as_float(nearest.first);
    labels[p] = nearest.first & mask;
    doubts |= __int_as_float(nearest.second) > fmaf(smallest, share, smallest + margin.least) ? 0 : 1U << p;
  }
  return doubts;
}

/// Labels of a lane's points. @returns a bit for each that is in doubt.
template <int V, int P>
__device__ __forceinline__ unsigned label_with_gaps(const float* row, int apart, const float* centroids, int d, int k, int (&labels)[P]) {
  NearestWithGap best[P];
  search<V, P>(row, apart, centroids, d, k, best);
  const TieMargin margin(d);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    labels[p] = best[p].cluster;
    doubts |= margin.is_doubtful(best[p].distance, best[p].gap) ? 1U << p : 0;
  }
  return doubts;
}

/// Centroids as they lie in shared memory.
struct RowsOfFours {
  const float* centroids;
  int d;

  __device__ __forceinline__ Strided operator()(int c) const { return {centroids + c / four * floats_of_four(d) + c % four, four}; }
};

/// A lane's points of a tile, `apart` floats apart.
struct RowsOfTile {
  const float* first;
  int apart;

  __device__ __forceinline__ Strided operator()(int p) const { return {first + p * apart, 1}; }
};

}  // namespace centroid_lab::cuda::staged_points

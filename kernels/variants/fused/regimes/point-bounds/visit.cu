// Visits of open points, up to 64 of one cluster at a time: their own distance first; matrix units then say of those still open
// which of the centroids near enough is the nearest; distances in float32 decide where they cannot. Labels that change move sums.
#include <algorithm>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "screen.cuh"
#include "settle.cuh"

namespace centroid_lab::cuda::point_bounds {
namespace {

/// Distances where two centroids are in question: a thread each; by all threads.
__device__ void decide_contests(const Arguments& to, Visit& visit, const Space& space) {
  const int number = threadIdx.x / 2;
  if (threadIdx.x / 32 * 16 >= visit.contest_count) return;
  const Contest& contest = visit.contests[min(number, visit.contest_count - 1)];
  const int cluster = contest.clusters[threadIdx.x % 2];
  const float* x = space.points + contest.row * space.stride;
  const float* centroid = to.rows + static_cast<size_t>(cluster) * to.width;
  float distance = 0;
#pragma unroll 8
  for (int j = 0; j < to.width; j += 4) {
    distance = add_squares(distance, *reinterpret_cast<const float4*>(x + j), __ldg(reinterpret_cast<const float4*>(centroid + j)));
  }
  const unsigned long long own = key_of(distance, static_cast<unsigned>(cluster)), other = __shfl_xor_sync(full_warp, own, 1);
  if (threadIdx.x % 2 != 0 || number >= visit.contest_count) return;
  const TieMargin margin(to.d);
  unsigned long long first = min(own, other), second = max(own, other);
  if (!(distance_of(second) > margin.limit(distance_of(first)))) {
    const int a = static_cast<int>(cluster_of(first)), b = static_cast<int>(cluster_of(second));
    if (a != b && truly_nearer(to.d, Strided{x, 1}, RowsApart{to.rows, to.width}, a, b) == b) first = second, second = min(own, other);
  }
  const unsigned label = cluster_of(first);
  const float lower = fminf(below(distance_of(second), to.d), contest.beyond);
  keep(to.records, visit.point[contest.row], label, above(distance_of(first), to.d), lower);
  if (static_cast<int>(label) == visit.label[contest.row]) return;
  visit.label[contest.row] = static_cast<int>(label);
  visit.moves = 1;
}

/// Compares the unclear points, 16 * Rows at most, with all candidates. Thread t: points t / 8 + 16 i, centroids t % 8 + 8 j of each
/// round.
template <int Rows>
__device__ void compare(const Arguments& to, const Visit& visit, const Space& space, Two (&best)[max_rows]) {
  const int lane = threadIdx.x % lanes, group = threadIdx.x / lanes;
  const float* own[Rows];
#pragma unroll
  for (int i = 0; i < Rows; i++) {
    own[i] = space.points + visit.unclear[min(group + row_groups * i, visit.unclear_count - 1)] * space.stride;
  }
  const float* others = space.centroids + lane * space.stride;
  for (int first = 0; first < visit.candidates; first += round_centroids) {
    const int count = min(round_centroids, visit.candidates - first);
    __syncthreads();
    load_rows(space.centroids, space.stride, count, to.width, to.width,
              [&](int row) { return to.rows + static_cast<size_t>(space.list[first + row]) * to.width; });
    wait_for_rows();
    float distance[Rows][own_centroids] = {};
#pragma unroll 2
    for (int j = 0; j < to.width; j += 4) {
      float4 centroid[own_centroids];
#pragma unroll
      for (int c = 0; c < own_centroids; c++) {
        centroid[c] = *reinterpret_cast<const float4*>(others + c * lanes * space.stride + j);
      }
#pragma unroll
      for (int i = 0; i < Rows; i++) {
        const float4 x = *reinterpret_cast<const float4*>(own[i] + j);
#pragma unroll
        for (int c = 0; c < own_centroids; c++) distance[i][c] = add_squares(distance[i][c], x, centroid[c]);
      }
    }
#pragma unroll
    for (int c = 0; c < own_centroids; c++) {
      const int at = lane + lanes * c;
      if (at >= count) continue;
      const unsigned cluster = space.list[first + at];
#pragma unroll
      for (int i = 0; i < Rows; i++) best[i].offer(key_of(distance[i][c], cluster));
    }
  }
}

/// The centroids that a visit looks at.
struct Candidates {
  const unsigned short* list;

  __device__ __forceinline__ int operator()(int i) const { return list[i]; }
};

/// What the lanes of a point have found becomes its label and bounds; by all threads.
__device__ void conclude(const Arguments& to, Visit& visit, const Space& space, Two (&best)[max_rows]) {
  const TieMargin margin(to.d);
#pragma unroll
  for (int i = 0; i < max_rows; i++) {
    for (int step = lanes / 2; step > 0; step /= 2) {
      const unsigned long long key = __shfl_xor_sync(full_warp, best[i].key, step);
      const float second = __shfl_xor_sync(full_warp, best[i].second, step);
      best[i].offer(key);
      best[i].second = fminf(best[i].second, second);
    }
    const int at = threadIdx.x / lanes + row_groups * i;
    const bool is_mine = threadIdx.x % lanes == 0 && at < visit.unclear_count;
    const int row = visit.unclear[min(at, visit.unclear_count - 1)];
    const float limit = margin.limit(distance_of(best[i].key));
    const unsigned doubtful = __ballot_sync(full_warp, is_mine && !(best[i].second > limit));
    unsigned label = cluster_of(best[i].key);
    if (doubtful != 0) {
      label = static_cast<unsigned>(decide(to.d, Strided{space.points + row * space.stride, 1}, RowsApart{to.rows, to.width}, visit.candidates,
                                           Candidates{space.list}, doubtful, static_cast<int>(label), limit));
    }
    if (!is_mine) continue;
    const bool is_first = label == cluster_of(best[i].key);
    const float far = __fsub_rd(visit.limit, visit.upper[row]), lower = is_first ? best[i].second : distance_of(best[i].key);
    keep(to.records, visit.point[row], label, above(is_first ? distance_of(best[i].key) : limit, to.d), fminf(below(lower, to.d), far));
    if (static_cast<int>(label) == visit.label[row]) continue;
    visit.label[row] = static_cast<int>(label);
    visit.moves = 1;
  }
}

/// Distances where the screen could not decide; by all threads.
__device__ void accumulate_moves(const Arguments& to, Visit& visit, const Space& space) {
  if (visit.unclear_count == 0) return;
  Two best[max_rows];
  switch ((visit.unclear_count + row_groups - 1) / row_groups) {
    case 1: compare<1>(to, visit, space, best); break;
    case 2: compare<2>(to, visit, space, best); break;
    case 3: compare<3>(to, visit, space, best); break;
    default: compare<max_rows>(to, visit, space, best);
  }
  conclude(to, visit, space, best);
}

__device__ inline void add_sum(const Arguments& to, int label, int feature, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to.sums) + static_cast<size_t>(label) * to.d + feature,
            static_cast<unsigned long long>(value));
}

/// Points whose label has changed leave one sum and come into another; a thread a feature.
__device__ void move_sums(const Arguments& to, const Visit& visit, const Space& space, int cluster, int count) {
  for (int j = threadIdx.x; j < to.d; j += threads) {
    const float scale = to.scale[j];
    long long left = 0;
    for (int row = 0; row < count; row++) {
      if (visit.label[row] == cluster) continue;
      const long long value = __float2ll_rn(space.points[row * space.stride + j] * scale);
      add_sum(to, visit.label[row], j, value);
      left += value;
    }
    if (left != 0) add_sum(to, cluster, j, -left);
  }
  const int row = threadIdx.x;
  if (row < count && visit.label[row] != cluster) {
    atomicAdd(to.counts + visit.label[row], 1u);
    atomicAdd(to.counts + cluster, ~0u);
  }
}

__device__ void make_visit(const Arguments& to, const Pass& pass, Visit& visit, const Space& space, const VisitOf& of) {
  const int cluster = static_cast<int>(of.cluster), count = static_cast<int>(of.count);
  const bool has = static_cast<int>(threadIdx.x) < count;
  unsigned point = 0;
  if (has) {
    visit.point[threadIdx.x] = point = to.order[of.first + threadIdx.x];
    visit.label[threadIdx.x] = cluster;
  }
  if (threadIdx.x == 0) visit.open_count = visit.unclear_count = visit.contest_count = visit.moves = 0, visit.farthest = 0;
  __syncthreads();
  load_rows(space.points, space.stride, count, to.width, to.d,
            [&](int row) { return to.x + static_cast<size_t>(visit.point[row]) * to.d; });
  load_rows(space.own, space.stride, 1, to.width, to.width,
            [&](int) { return to.rows + static_cast<size_t>(cluster) * to.width; });
  const float lower = has ? __fsub_rd(to.records.kept[point].lower, to.approached[cluster]) : 0.0f;
  wait_for_rows();
  tighten(to, visit, space, cluster, count, lower);
  if (visit.open_count == 0) return;
  gather(to, visit, space, cluster, pass.k);
  screen(to, visit, space, cluster);
  decide_contests(to, visit, space);
  accumulate_moves(to, visit, space);
  __syncthreads();
  if (visit.moves != 0) move_sums(to, visit, space, cluster, count);
}

__host__ __device__ inline int steps_of(const Arguments& to) { return (to.d + step_features - 1) / step_features; }
__host__ __device__ inline int half_stride_of(const Arguments& to) { return steps_of(to) * step_features + half_padding; }
/// Floats of the room that candidates share in either form.
__host__ __device__ inline int centroid_room(const Arguments& to) {
  const int whole = round_centroids * (to.width + padding), half = screen_centroids * half_stride_of(to) / 2;
  return whole > half ? whole : half;
}

__global__ void __launch_bounds__(threads, 5) visit_open(Arguments to, Pass pass) {
  extern __shared__ __align__(16) float features[];
  __shared__ Visit visit;
  const PassState& state = *to.state;
  if (state.skip_visits != 0) return;
  Space space;
  space.stride = to.width + padding;
  space.half_stride = half_stride_of(to);
  space.steps = steps_of(to);
  space.points = features;
  space.own = features + visit_points * space.stride;
  space.centroids = space.own + space.stride;
  space.half_centroids = reinterpret_cast<__half*>(space.centroids);
  space.half_points = reinterpret_cast<__half*>(space.centroids + centroid_room(to));
  space.list = reinterpret_cast<unsigned short*>(space.half_points + visit_points * space.half_stride);
  for (unsigned number = blockIdx.x; number < state.visits; number += gridDim.x) {
    make_visit(to, pass, visit, space, to.visits[number]);
    __syncthreads();
  }
}

std::size_t shared_bytes(const Arguments& to) {
  const int floats = (visit_points + 1) * (to.width + padding) + centroid_room(to);
  const int halves = visit_points * half_stride_of(to) + to.k;
  return sizeof(float) * static_cast<std::size_t>(floats) + sizeof(__half) * static_cast<std::size_t>(halves);
}

}  // namespace

unsigned visiting_blocks(const Arguments& to, const cudaDeviceProp& device) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, visit_open), "cudaFuncGetAttributes");
  if (attributes.sharedSizeBytes + shared_bytes(to) > device.sharedMemPerBlockOptin) return 0;
  allow_dynamic_shared(visit_open, shared_bytes(to));
  int each = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, visit_open, threads, shared_bytes(to)),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<unsigned>(std::max(1, each) * device.multiProcessorCount);
}

void enqueue_visits(const Arguments& to, const Pass& pass, unsigned blocks) {
  visit_open<<<blocks, threads, shared_bytes(to), pass.stream>>>(to, pass);
  check_launch("fused: visit_open");
}

}  // namespace centroid_lab::cuda::point_bounds

// Which points may have another label now, sorted by the one they have; and whether to visit them or to make a pass by brute force.
#include <algorithm>

#include "check.hpp"
#include "kernels.cuh"

namespace centroid_lab::cuda::point_bounds {
namespace {

constexpr int threads = 256;
constexpr int points_per_thread = 4;
constexpr int block_points = threads * points_per_thread;
/// Visits must be expected to take this share of brute force.
constexpr float worthwhile = 0.85f;
/// Looks at bounds in a row that led to brute force until bounds rest: for a pass, then two, at most so many, or so many where visits
/// would take not much longer than brute force.
constexpr int max_failures = 4;
constexpr int max_backoff = 32;
constexpr int short_patience = 4;
constexpr float nearly = 1.5f;
constexpr float hopeless = 3.0f;
/// Cycles of a visit, and of 64 centroids in it by features.
constexpr float visit_cycles = 1500;
constexpr float round_cycles = 20;

/// What `threads` threads before this one have, and all of them.
__device__ inline unsigned sum_before(unsigned own, unsigned& total, unsigned* warps) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = own;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(full_warp, sum, step);
    if (lane >= step) sum += other;
  }
  __syncthreads();
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  unsigned before = sum - own;
  total = 0;
  for (int other = 0; other < threads / 32; other++) {
    if (other < warp) before += warps[other];
    total += warps[other];
  }
  return before;
}

__device__ void decide(PassState& state, const Arguments& to, float work, unsigned visits) {
  const float rate = state.visit_rate > 0 ? state.visit_rate : to.expected_rate;
  const float expected = work * rate + fixed_time;
  const bool visiting = to.always || expected < worthwhile * state.brute_time;
  state.work = work;
  state.visits = visits;
  state.skip_brute = visiting;
  state.skip_visits = !visiting;
  // Where there is little hope a look counts twice, and so does the first rest.
  const int weight = expected > hopeless * state.brute_time ? 2 : 1;
  state.failures = visiting ? 0 : state.failures + weight;
  if (state.failures < max_failures) {
    state.backoff = 0;
  } else {
    state.backoff = min(max(weight, 2 * state.backoff), expected < nearly * state.brute_time ? short_patience : max_backoff);
    state.resting = state.backoff;
    state.noting = 0;
  }
  state.ticket = 0;
  state.measured = 1;
  state.began = nanoseconds();
}

/// Where the open points of each cluster start; by the block that comes last.
__device__ void find_starts(const Arguments& to, const Pass& pass) {
  __shared__ unsigned warps[threads / 32];
  __shared__ float works[threads / 32];
  const int share = (pass.k + threads - 1) / threads;
  const int first = min(pass.k, static_cast<int>(threadIdx.x) * share), last = min(pass.k, first + share);
  unsigned points = 0, visits = 0;
  float work = 0;
  for (int cluster = first; cluster < last; cluster++) {
    const unsigned count = __ldcg(&to.open_counts[cluster].value);
    const unsigned own = (count + visit_points - 1) / visit_points;
    points += count;
    visits += own;
    const float rounds = static_cast<float>((to.neighbours[cluster] + 63) / 64 * to.d);
    work += static_cast<float>(own) * (visit_cycles + round_cycles * rounds);
  }
  for (int step = 16; step > 0; step /= 2) work += __shfl_xor_sync(full_warp, work, step);
  if (threadIdx.x % 32 == 0) works[threadIdx.x / 32] = work;
  unsigned all_points, all_visits;
  unsigned point = sum_before(points, all_points, warps);
  unsigned visit = sum_before(visits, all_visits, warps);
  for (int cluster = first; cluster < last; cluster++) {
    const unsigned count = __ldcg(&to.open_counts[cluster].value);
    to.open_starts[cluster] = point;
    to.visit_starts[cluster] = visit;
    point += count;
    visit += (count + visit_points - 1) / visit_points;
  }
  if (threadIdx.x != 0) return;
  work = 0;
  for (const float other : works) work += other;
  decide(*to.state, to, work, all_visits);
}

/// Whether the label of a point is certain as centroids lie now; one that `says` so tells its bound. Where bounds of far centroids have become the least, they are
/// kept.
__device__ inline bool is_certain(const Arguments& to, unsigned i, const Kept& kept, bool says) {
  const int label = kept.label;
  const float upper = __fadd_ru(kept.upper, to.travelled[label]);
  float lower = __fsub_rd(kept.lower, to.approached[label]);
  const float far = __fsub_rd(to.nearby[label], upper);
  if (far < lower) {
    lower = far;
    to.records.kept[i].lower = __fadd_rd(far, to.approached[label]);
  }
  if (!surely_nearer(upper, lower, to.d)) return false;
  if (says) raise(to.reach + label, upper);
  return true;
}

__global__ void __launch_bounds__(threads) scan(Arguments to, Pass pass) {
  __shared__ unsigned found, start;
  __shared__ bool is_last;
  PassState& state = *to.state;
  if (state.scanning == 0) return;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  unsigned points[points_per_thread], slots[points_per_thread];
  Kept kept[points_per_thread];
  bool certain[points_per_thread];
#pragma unroll
  for (int i = 0; i < points_per_thread; i++) {
    const size_t point = static_cast<size_t>(blockIdx.x) * block_points + i * threads + threadIdx.x;
    points[i] = static_cast<unsigned>(point);
    kept[i] = to.records.kept[min(point, to.n - 1)];
  }
#pragma unroll
  for (int i = 0; i < points_per_thread; i++) certain[i] = points[i] >= to.n || is_certain(to, points[i], kept[i], i == 0);
#pragma unroll
  for (int i = 0; i < points_per_thread; i++) {
    const bool open = !certain[i];
    const unsigned all = __ballot_sync(full_warp, open);
    unsigned base = 0;
    if (threadIdx.x % 32 == 0 && all != 0) base = atomicAdd(&found, static_cast<unsigned>(__popc(all)));
    base = __shfl_sync(full_warp, base, 0);
    slots[i] = open ? base + static_cast<unsigned>(__popc(all & ((1u << threadIdx.x % 32) - 1))) : ~0u;
  }
  __syncthreads();
  if (threadIdx.x == 0 && found > 0) start = atomicAdd(&state.open, found);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < points_per_thread; i++) {
    if (slots[i] == ~0u) continue;
    const auto label = static_cast<unsigned>(kept[i].label);
    to.open[start + slots[i]] = {points[i], atomicAdd(&to.open_counts[label].value, 1u), label};
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(&state.ticket, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) find_starts(to, pass);
}

/// Open points to the places of their clusters.
__global__ void __launch_bounds__(threads) scatter_open(Arguments to) {
  const PassState& state = *to.state;
  if (state.skip_visits != 0) return;
  const unsigned count = state.open;
  for (unsigned at = blockIdx.x * threads + threadIdx.x; at < count; at += gridDim.x * threads) {
    const Open open = to.open[at];
    const unsigned label = open.cluster;
    to.order[to.open_starts[label] + open.rank] = open.point;
    if (open.rank % visit_points != 0) continue;
    to.visits[to.visit_starts[label] + open.rank / visit_points] = {
        label, to.open_starts[label] + open.rank,
        min(static_cast<unsigned>(visit_points), to.open_counts[label].value - open.rank), 0};
  }
}

}  // namespace

void enqueue_scan(const Arguments& to, const Pass& pass) {
  scan<<<static_cast<unsigned>((to.n + block_points - 1) / block_points), threads, 0, pass.stream>>>(to, pass);
  check_launch("fused: scan");
  const std::size_t blocks = std::min<std::size_t>(1024, (to.n + threads - 1) / threads);
  scatter_open<<<static_cast<unsigned>(blocks), threads, 0, pass.stream>>>(to);
  check_launch("fused: scatter_open");
}

}  // namespace centroid_lab::cuda::point_bounds

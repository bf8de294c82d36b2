// Before a pass: how centroids have moved, their copies as the tiles want them, and how the pass is made.
#include "check.hpp"
#include "finish.cuh"
#include "tiles.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;

/// The share of brute force's cost below which tiles are entered, and above which they are left.
constexpr double share_to_enter = 0.5;
constexpr double share_to_leave = 1.0;
/// Passes without pilots after some that did not pay.
constexpr int first_backoff = 8;
constexpr int max_backoff = 32;

struct Decision {
  Mode mode;
  int age;
  int waiting;
  int backoff;
};

/// By what the pass before has counted; the same for every block until the last of them writes it down.
__device__ Decision decide(const PassState& state, const TileArguments& to) {
  if (state.passes == 0) return {to.begins_brute ? Mode::brute : Mode::tiles, 0, 0, first_backoff};
  if (state.waiting > 0) return {Mode::brute, 0, state.waiting - 1, state.backoff};
  // The first pass of either kind looks at everything.
  const double share = static_cast<double>(state.work) / to.brute_cost * (state.mode == Mode::brute ? pilot_stride : 1);
  if (state.age < 2) return {state.mode, state.age + 1, 0, state.backoff};
  if (state.mode == Mode::brute && share < share_to_enter) return {Mode::tiles, 0, 0, state.backoff};
  if (state.mode == Mode::tiles && share < share_to_leave) return {Mode::tiles, state.age + 1, 0, state.backoff};
  return {Mode::brute, 0, state.backoff, min(2 * state.backoff, max_backoff)};
}

/// One cluster, by one warp: its shift, its copies, and the sums kept handed out.
__device__ void prepare_cluster(const TileArguments& to, const Pass& pass, int cluster, const Decision& decision) {
  const bool by_tiles = decision.mode == Mode::tiles, fresh = decision.age == 0;
  const int lane = threadIdx.x % 32;
  double squared = 0;
  for (int j = lane; j < to.d; j += 32) {
    const size_t at = static_cast<size_t>(cluster) * to.d + j;
    const float now = pass.centroids[at];
    const double change = static_cast<double>(now) - static_cast<double>(to.before[at]);
    squared += change * change;
    to.before[at] = now;
    to.rows[static_cast<size_t>(cluster) * to.width + j] = now;
    to.columns[static_cast<size_t>(j) * to.k + cluster] = now;
    if (!by_tiles) continue;
    if (fresh) to.sums[at] = 0;
    else pass.fixed_sums[at] = to.sums[at];
  }
  squared = warp_sum(squared);
  if (lane != 0) return;
  const float shift = __double2float_ru(sqrt(squared) * (1 + 1e-12));
  to.shift[cluster] = shift;
  to.travelled[cluster] = __fadd_ru(to.travelled[cluster], shift);
  if (!by_tiles) return;
  if (fresh) to.counts[cluster] = 0;
  else pass.counts[cluster] = to.counts[cluster];
}

/// By the block that comes last.
__device__ void write_state(const TileArguments& to, const Pass& pass, const Decision& decision) {
  __shared__ float warps[threads / 32];
  PassState& state = *to.state;
  float largest = 0;
  for (int cluster = threadIdx.x; cluster < pass.k; cluster += threads) largest = fmaxf(largest, to.shift[cluster]);
  for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffU, largest, step));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = largest;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (const float warp : warps) largest = fmaxf(largest, warp);
  state.largest_shift = largest;
  state.mode = decision.mode;
  state.age = decision.age;
  state.waiting = decision.waiting;
  state.backoff = decision.backoff;
  state.fresh = decision.age == 0;
  state.skip_brute = decision.mode == Mode::tiles;
  state.skip_tiles = decision.waiting > 0;
  state.work = 0;
  state.passes++;
  state.ticket = 0;
}

__global__ void __launch_bounds__(threads) prepare(TileArguments to, Pass pass) {
  __shared__ bool is_last;
  PassState& state = *to.state;
  if (*pass.halted != 0) {
    // Until a pass is wanted again neither way of making it may do anything.
    if (blockIdx.x == 0 && threadIdx.x == 0) state.skip_brute = state.skip_tiles = 1;
    return;
  }
  const Decision decision = decide(state, to);
  const int cluster = (blockIdx.x * threads + threadIdx.x) / 32;
  // Nothing is kept over passes without pilots: the next ones begin anew.
  if (cluster < pass.k && decision.waiting == 0) prepare_cluster(to, pass, cluster, decision);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(&state.ticket, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) write_state(to, pass, decision);
}

}  // namespace

void enqueue_pass_mode(const TileArguments& to, const Pass& pass) {
  prepare<<<(pass.k * 32 + threads - 1) / threads, threads, 0, pass.stream>>>(to, pass);
  check_launch("fused: prepare");
}

}  // namespace centroid_lab::cuda

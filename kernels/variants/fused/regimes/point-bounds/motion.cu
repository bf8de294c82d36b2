// Before a pass: how centroids have moved, and how much nearer others may have come to the points of a cluster.
#include "check.hpp"
#include "finish.cuh"
#include "kernels.cuh"

namespace centroid_lab::cuda::point_bounds {
namespace {

constexpr int threads = 256;
/// Every so many passes distances between centroids are measured anew where they are near.
constexpr int renewal = 8;

/// What the next pass does, by the block that comes last.
__device__ void begin_pass(PassState& state) {
  state.scanning = state.known && state.resting == 0;
  state.noting = state.resting <= 1;
  if (state.resting > 0) state.resting--;
  state.skip_brute = 0;
  state.skip_visits = 1;
  state.largest_shift = __ldcg(&state.next_shift);
  state.next_shift = 0;
  state.open = 0;
  state.visits = 0;
  state.passes++;
  state.ticket = 0;
  state.began = nanoseconds();
}

/// One warp a cluster.
__global__ void __launch_bounds__(threads) measure_motion(Arguments to, Pass pass) {
  PassState& state = *to.state;
  if (is_over(pass)) {
    // Until a pass is wanted again nothing may be done.
    if (blockIdx.x == 0 && threadIdx.x == 0) state.skip_brute = state.skip_visits = 1, state.scanning = 0;
    return;
  }
  const int cluster = static_cast<int>(blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  // While bounds rest nobody asks; what is missed comes to light afterwards.
  if (cluster < pass.k && state.resting <= 1) {
    double squared = 0;
    for (int j = lane; j < to.d; j += 32) {
      const size_t at = static_cast<size_t>(cluster) * to.d + j;
      const float now = pass.centroids[at];
      const double change = static_cast<double>(now) - static_cast<double>(to.before[at]);
      squared += change * change;
      to.before[at] = now;
      to.rows[static_cast<size_t>(cluster) * to.width + j] = now;
    }
    squared = warp_sum(squared);
    if (lane == 0) {
      const float shift = __double2float_ru(sqrt(squared) * (1 + 1e-12));
      to.shift[cluster] = shift;
      to.travelled[cluster] = __fadd_ru(to.travelled[cluster], shift);
      to.nearby[cluster] = __fmul_ru(__fadd_ru(to.reach[cluster], shift), far_enough);
      // Only some members say how far they are.
      to.reach[cluster] *= 0.9f;
      to.open_counts[cluster].value = 0;
      raise(&state.next_shift, shift);
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&state.ticket, 1) != gridDim.x - 1) return;
  __threadfence();
  begin_pass(state);
}

/// The distances of row a from those of rows base .. base + 31 that are named, from below: to each lane its own. By a warp,
/// four rows at a time.
__device__ inline float measure_apart(const Arguments& to, int a, int base, unsigned named) {
  constexpr int at_once = 4;
  const int lane = threadIdx.x % 32;
  const float* own = to.rows + static_cast<size_t>(a) * to.width;
  float mine = 0;
  while (named != 0) {
    int from[at_once];
    const float* others[at_once];
    float squared[at_once] = {};
#pragma unroll
    for (int i = 0; i < at_once; i++) {
      from[i] = named != 0 ? __ffs(static_cast<int>(named)) - 1 : from[0];
      named &= named - 1;
      others[i] = to.rows + static_cast<size_t>(base + from[i]) * to.width;
    }
    for (int j = lane; j < to.d; j += 32) {
#pragma unroll
      for (int i = 0; i < at_once; i++) squared[i] = add_square(squared[i], own[j], others[i][j]);
    }
#pragma unroll
    for (int i = 0; i < at_once; i++) {
      for (int step = 16; step > 0; step /= 2) squared[i] += __shfl_xor_sync(full_warp, squared[i], step);
      if (lane == from[i]) mine = squared[i];
    }
  }
  return below(mine, to.d);
}

/// A block a cluster: the largest motion among those near enough to matter to its points. Of the others there are none nearer
/// than `nearby`.
__global__ void __launch_bounds__(threads) look_around(Arguments to, Pass pass) {
  __shared__ float largest_of[threads / 32];
  __shared__ unsigned count_of[threads / 32];
  const PassState& state = *to.state;
  if (state.scanning == 0) return;
  const int a = static_cast<int>(blockIdx.x), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float nearby = to.nearby[a];
  const bool all = state.measured == 0, moves = state.largest_shift > 0;
  float largest = 0;
  unsigned count = 0;
  for (int base = warp * 32; base < pass.k; base += threads) {
    const int c = base + lane;
    const bool other = c < pass.k && c != a;
    float apart = other && !all ? apart_now(to, a, c) : 0;
    const bool near = other && apart < nearby;
    const bool renews = all || (moves && (state.passes + a + c) % renewal == 0);
    const unsigned measured = __ballot_sync(full_warp, renews && other && (all || near));
    if (measured != 0) {
      const float now = measure_apart(to, a, base, measured);
      if (measured >> lane & 1) {
        apart = now;
        to.apart[static_cast<size_t>(a) * to.k + c] = __fadd_rd(__fadd_rd(now, to.travelled[a]), to.travelled[c]);
      }
    }
    if (other && apart < nearby) {
      largest = fmaxf(largest, to.shift[c]);
      count++;
    }
  }
  largest = static_cast<float>(warp_max(largest));
  count = sum_of_lanes(count);
  if (lane == 0) largest_of[warp] = largest, count_of[warp] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int other = 1; other < threads / 32; other++) {
    largest = fmaxf(largest, largest_of[other]);
    count += count_of[other];
  }
  to.approached[a] = __fadd_ru(to.approached[a], largest);
  to.neighbours[a] = count + 1;
}

}  // namespace

void enqueue_motion(const Arguments& to, const Pass& pass) {
  measure_motion<<<static_cast<unsigned>((pass.k * 32 + threads - 1) / threads), threads, 0, pass.stream>>>(to, pass);
  check_launch("fused: measure_motion");
  look_around<<<static_cast<unsigned>(pass.k), threads, 0, pass.stream>>>(to, pass);
  check_launch("fused: look_around");
}

}  // namespace centroid_lab::cuda::point_bounds

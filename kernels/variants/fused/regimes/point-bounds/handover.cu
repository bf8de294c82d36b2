// After a pass: sums and labels of visits to those who asked, sums of brute force to be kept, and the time that it took.
#include "check.hpp"
#include "kernels.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda::point_bounds {
namespace {

constexpr int threads = 256;

/// Sums to those who asked, or from them; labels where they are wanted.
__global__ void __launch_bounds__(threads) hand_over(Arguments to, Pass pass) {
  __shared__ bool is_last;
  PassState& state = *to.state;
  if (is_over(pass)) return;
  const bool visited = state.skip_visits == 0, noted = state.noting != 0;
  const size_t first = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x, step = static_cast<size_t>(gridDim.x) * threads;
  const size_t numbers = static_cast<size_t>(pass.k) * to.d, clusters = static_cast<size_t>(pass.k);
  if (visited) {
    for (size_t at = first; at < numbers; at += step) pass.fixed_sums[at] = to.sums[at];
    for (size_t at = first; at < clusters; at += step) pass.counts[at] = to.counts[at];
    unsigned changes = 0;
    for (size_t at = first; pass.labels != nullptr && at < to.n; at += step) changes += note_label(pass, at, to.records.kept[at].label);
    changes = sum_of_lanes(changes);
    if (threadIdx.x % 32 == 0 && changes > 0) atomicAdd(pass.changed, changes);
  } else if (noted) {
    for (size_t at = first; at < numbers; at += step) to.sums[at] = pass.fixed_sums[at];
    for (size_t at = first; at < clusters; at += step) to.counts[at] = pass.counts[at];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(&state.ticket, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  const float taken = static_cast<float>(nanoseconds() - state.began);
  if (visited && state.work > 0) {
    // Others may have had the device for a while: longer times are believed slowly.
    const float before = state.visit_rate > 0 ? state.visit_rate : to.expected_rate;
    state.visit_rate = 0.5f * (before + fminf(fmaxf(0.0f, taken - fixed_time) / state.work, 1.5f * before));
  } else if (!visited) {
    state.brute_time = state.brute_time > 0 ? fminf(taken, 1.1f * state.brute_time) : taken;
    state.known = noted;
  }
  state.ticket = 0;
}

}  // namespace

void enqueue_handover(const Arguments& to, const Pass& pass) {
  constexpr unsigned blocks = 264;
  hand_over<<<blocks, threads, 0, pass.stream>>>(to, pass);
  check_launch("fused: hand_over");
}

}  // namespace centroid_lab::cuda::point_bounds

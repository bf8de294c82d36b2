#include "bounds.cuh"

#include "check.hpp"
#include "finish.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
constexpr int threads_of_plan = 1024;
constexpr int list_threads = 128;
/// Shared memory that every device gives a block without being asked.
constexpr size_t most_shared_bytes = 48 * 1024;
/// Floats of centroids staged at a time.
constexpr int staged_floats = 8192;

/// Squared distance of two rows of any d.
__device__ float distance_between(const float* a, const float* b, int d) {
  float distance = 0;
  for (int j = 0; j < d; j++) {
    const float difference = a[j] - b[j];
    distance = fmaf(difference, difference, distance);
  }
  return distance;
}

/// Relative error of a computed distance and its root, with room: |x - c|^2 in float32 is off by at most d + 2 roundings.
__device__ float slack_of(int d) { return static_cast<float>(d + 8) * 0x1p-23F; }
/// Absolute slack in distances: squares under 2^-126 lose digits. The contract leaves out d * 2^-120 in squares.
constexpr float tiny = 0x1p-58F;

__device__ float upper_of(float squared, float slack) {
  return __fadd_ru(__fmul_ru(sqrtf(squared), 1.0F + slack), tiny);
}

__device__ float lower_of(float squared, float slack) {
  return fmaxf(0.0F, __fsub_rd(__fmul_rd(sqrtf(squared), 1.0F - slack), tiny));
}

/// Bounds decide a label when the float32 distances could not order the two centroids otherwise.
__device__ bool is_decided(float upper, float lower, float slack) {
  return __fmul_rd(lower, 1.0F - 2 * slack) > __fadd_ru(__fmul_ru(upper, 1.0F + 2 * slack), 2 * tiny);
}

/// Half the distance from each centroid to the nearest other one; a block a centroid.
__global__ void __launch_bounds__(threads) measure_gaps(BoundsArguments to, Pass pass) {
  __shared__ float warps[threads / 32];
  if (*pass.halted != 0) return;
  const float* mine = pass.centroids + static_cast<size_t>(blockIdx.x) * to.d;
  float smallest = 4.0F * static_cast<float>(to.d);
  for (int other = threadIdx.x; other < to.k; other += threads) {
    if (other == static_cast<int>(blockIdx.x)) continue;
    smallest = fminf(smallest, distance_between(mine, pass.centroids + static_cast<size_t>(other) * to.d, to.d));
  }
  for (int step = 16; step > 0; step /= 2) smallest = fminf(smallest, __shfl_xor_sync(0xffffffffu, smallest, step));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = smallest;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (float warp : warps) smallest = fminf(smallest, warp);
  to.gap[blockIdx.x] = 0.5F * lower_of(smallest, slack_of(to.d));
}

/// How far each centroid has moved since the pass before, rounded up; a warp a centroid.
__global__ void __launch_bounds__(threads) measure_shifts(BoundsArguments to, Pass pass) {
  if (*pass.halted != 0) return;
  const int cluster = (blockIdx.x * threads + threadIdx.x) / 32;
  if (cluster >= to.k) return;
  double squared = 0;
  for (int j = threadIdx.x % 32; j < to.d; j += 32) {
    const size_t at = static_cast<size_t>(cluster) * to.d + j;
    const double change = static_cast<double>(pass.centroids[at]) - static_cast<double>(to.before[at]);
    squared += change * change;
  }
  squared = warp_sum(squared);
  if (threadIdx.x % 32 == 0) to.shift[cluster] = __double2float_ru(sqrt(squared) * (1 + 1e-12));
}

struct Motion {
  float first;
  float second;
  int fastest;
  float gaps;
};

__device__ Motion joined(Motion a, Motion b) {
  const bool swap = b.first > a.first || (b.first == a.first && b.fastest < a.fastest);
  const Motion& ahead = swap ? b : a;
  const Motion& behind = swap ? a : b;
  return {ahead.first, fmaxf(ahead.second, behind.first), ahead.fastest, a.gaps + b.gaps};
}

/// The two largest shifts, the mean gap, and what is to be done; one block.
__global__ void __launch_bounds__(threads_of_plan) decide(BoundsArguments to, Pass pass) {
  __shared__ Motion shared[threads_of_plan];
  Plan& plan = *to.plan;
  if (*pass.halted != 0) {
    // Until a pass is wanted again neither way of making it may do anything.
    if (threadIdx.x == 0) plan.skip_brute = plan.skip_bounds = 1;
    return;
  }
  Motion mine{0, 0, to.k, 0};
  for (int cluster = threadIdx.x; cluster < to.k; cluster += threads_of_plan) {
    mine = joined(mine, {to.shift[cluster], 0, cluster, to.gap[cluster]});
  }
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = threads_of_plan / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  const Motion all = shared[0];
  plan.largest_shift = all.first;
  plan.second_shift = all.second;
  plan.fastest = all.fastest;
  plan.mean_gap = all.gaps / static_cast<float>(to.k);
  plan.listed = 0;
  plan.evaluated = 0;
  if (plan.mode == Mode::brute && plan.passes > 0) {
    // Bounds of points grow old as fast as centroids move: only slow ones leave most labels decided.
    const bool is_slow = 8 * plan.largest_shift < plan.mean_gap;
    if (plan.waiting > 0) plan.waiting--;
    else if (is_slow) plan.mode = Mode::entering;
  }
  plan.skip_brute = plan.mode == Mode::bounded;
  plan.skip_bounds = plan.mode == Mode::brute;
}

/// Appends the open points of a warp to the list.
__device__ void append(const BoundsArguments& to, bool is_open, size_t point) {
  const unsigned voters = __ballot_sync(0xffffffffu, is_open);
  if (voters == 0) return;
  const int lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(&to.plan->listed, __popc(voters));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (is_open) to.list[first + __popc(voters & ((1u << lane) - 1))] = static_cast<unsigned>(point);
}

/// Moves the bounds of the points and lists those that stay open.
__global__ void __launch_bounds__(threads) check_bounds(BoundsArguments to, Pass pass) {
  const Plan& plan = *to.plan;
  if (plan.skip_bounds != 0) return;
  const bool entering = plan.mode == Mode::entering;
  const float slack = slack_of(to.d);
  const size_t stride = static_cast<size_t>(gridDim.x) * threads;
  const size_t rounds = (pass.count + stride - 1) / stride;
  for (size_t round = 0; round < rounds; round++) {
    const size_t index = round * stride + static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
    const size_t i = pass.first + index;
    bool is_open = index < pass.count;
    if (is_open && !entering) {
      const int label = to.labels[i];
      float upper = __fadd_ru(to.upper[i], to.shift[label]);
      const float drift = label == plan.fastest ? plan.second_shift : plan.largest_shift;
      const float lower = fmaxf(0.0F, __fsub_rd(to.lower[i], drift));
      const float threshold = fmaxf(lower, to.gap[label]);
      if (!is_decided(upper, threshold, slack)) {
        const float* own = pass.centroids + static_cast<size_t>(label) * to.d;
        upper = upper_of(distance_between(to.x + i * to.d, own, to.d), slack);
      }
      is_open = !is_decided(upper, threshold, slack);
      to.upper[i] = upper;
      to.lower[i] = lower;
    }
    append(to, is_open, i);
  }
}

/// Takes a point out of one cluster's sums and into another's.
__device__ void move_point(const BoundsArguments& to, const float* point, int from, int into) {
  for (int j = 0; j < to.d; j++) {
    const long long value = llrintf(point[j] * to.scale[j]);
    atomicAdd(reinterpret_cast<unsigned long long*>(to.sums + static_cast<size_t>(into) * to.d + j),
              static_cast<unsigned long long>(value));
    atomicAdd(reinterpret_cast<unsigned long long*>(to.sums + static_cast<size_t>(from) * to.d + j),
              static_cast<unsigned long long>(-value));
  }
  atomicAdd(to.counts + into, 1u);
  atomicSub(to.counts + from, 1u);
}

/// All distances of the listed points, in registers; `width` is d rounded up, the rest are zeros.
template <int width>
__global__ void __launch_bounds__(list_threads) evaluate(BoundsArguments to, Pass pass) {
  __shared__ float staged[staged_floats];
  const Plan& plan = *to.plan;
  if (plan.skip_bounds != 0) return;
  constexpr int tile = staged_floats / width;
  const bool entering = plan.mode == Mode::entering;
  const unsigned listed = plan.listed;
  const float slack = slack_of(to.d);
  for (unsigned start = blockIdx.x * list_threads; start < listed; start += gridDim.x * list_threads) {
    const bool is_mine = start + threadIdx.x < listed;
    const size_t i = to.list[is_mine ? start + threadIdx.x : start];
    float point[width];
#pragma unroll
    for (int j = 0; j < width; j++) point[j] = j < to.d ? to.x[i * to.d + j] : 0.0F;
    float smallest = INFINITY, second = INFINITY;
    int nearest = 0;
    for (int first = 0; first < to.k; first += tile) {
      const int rows = min(tile, to.k - first);
      __syncthreads();
      for (int at = threadIdx.x; at < rows * width; at += list_threads) {
        const int j = at % width;
        staged[at] = j < to.d ? pass.centroids[static_cast<size_t>(first + at / width) * to.d + j] : 0.0F;
      }
      __syncthreads();
      for (int row = 0; row < rows; row++) {
        float distance = 0;
#pragma unroll
        for (int j = 0; j < width; j++) {
          const float difference = point[j] - staged[row * width + j];
          distance = fmaf(difference, difference, distance);
        }
        second = fminf(second, fmaxf(distance, smallest));
        if (distance < smallest) {
          smallest = distance;
          nearest = first + row;
        }
      }
    }
    if (!is_mine) continue;
    const int old = entering ? nearest : to.labels[i];
    to.upper[i] = upper_of(smallest, slack);
    to.lower[i] = lower_of(second, slack);
    to.labels[i] = nearest;
    if (nearest == old) continue;
    move_point(to, to.x + i * to.d, old, nearest);
    if (pass.write_labels && note_label(pass, i, nearest) != 0) atomicAdd(pass.changed, 1u);
  }
}

/// Adds a value to a 64-bit sum of two shared words: shared memory has no 64-bit addition of its own.
__device__ void add_shared(unsigned* words, long long value) {
  const unsigned low = static_cast<unsigned>(value);
  const unsigned before = atomicAdd(words, low);
  const unsigned high = static_cast<unsigned>(value >> 32) + (before + low < before ? 1u : 0u);
  if (high != 0) atomicAdd(words + 1, high);
}

/// Sums and counts of `labels` from nothing, when bounds are entered: those of the brute-force pass may rest on other
/// labels where two centroids are equally near but for rounding. `words` of shared memory, or 0 where it is too small.
__global__ void __launch_bounds__(threads) sum_members(BoundsArguments to, Pass pass, int words) {
  extern __shared__ unsigned shared[];
  const Plan& plan = *to.plan;
  if (plan.skip_bounds != 0 || plan.mode != Mode::entering) return;
  for (int at = threadIdx.x; at < words; at += threads) shared[at] = 0;
  __syncthreads();
  const size_t stride = static_cast<size_t>(gridDim.x) * threads;
  for (size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; at < pass.count; at += stride) {
    const size_t i = pass.first + at;
    const int label = to.labels[i];
    for (int j = 0; j < to.d; j++) {
      const long long value = llrintf(to.x[i * to.d + j] * to.scale[j]);
      const size_t entry = static_cast<size_t>(label) * to.d + j;
      if (words > 0) add_shared(shared + 2 * entry, value);
      else atomicAdd(reinterpret_cast<unsigned long long*>(to.sums + entry), static_cast<unsigned long long>(value));
    }
    atomicAdd(words > 0 ? shared + 2 * to.k * to.d + label : to.counts + label, 1u);
  }
  if (words == 0) return;
  __syncthreads();
  for (int entry = threadIdx.x; entry < to.k * to.d; entry += threads) {
    const unsigned long long sum = shared[2 * entry] | static_cast<unsigned long long>(shared[2 * entry + 1]) << 32;
    if (sum != 0) atomicAdd(reinterpret_cast<unsigned long long*>(to.sums + entry), sum);
  }
  for (int cluster = threadIdx.x; cluster < to.k; cluster += threads) {
    const unsigned members = shared[2 * to.k * to.d + cluster];
    if (members != 0) atomicAdd(to.counts + cluster, members);
  }
}

/// Empties the sums kept before they are made anew; with the first piece of the pass that enters.
__global__ void __launch_bounds__(threads) empty_sums(BoundsArguments to) {
  const Plan& plan = *to.plan;
  if (plan.skip_bounds != 0 || plan.mode != Mode::entering) return;
  const int at = blockIdx.x * threads + threadIdx.x;
  if (at < to.k * to.d) to.sums[at] = 0;
  if (at < to.k) to.counts[at] = 0;
}

/// Counts the piece's list and empties it.
__global__ void close_piece(BoundsArguments to) {
  Plan& plan = *to.plan;
  if (plan.skip_bounds != 0) return;
  plan.evaluated += plan.listed;
  plan.listed = 0;
}

/// Hands out the sums kept where no brute-force pass made them, and keeps the centroids.
__global__ void __launch_bounds__(threads) hand_over(BoundsArguments to, Pass pass) {
  if (*pass.halted != 0) return;
  const Mode mode = to.plan->mode;
  const int at = blockIdx.x * threads + threadIdx.x;
  if (at < to.k * to.d) {
    to.before[at] = pass.centroids[at];
    if (mode == Mode::bounded) pass.fixed_sums[at] = to.sums[at];
  }
  if (at < to.k && mode == Mode::bounded) pass.counts[at] = to.counts[at];
}

/// Whether the next pass goes on with bounds: not where they leave so much open that brute force costs less.
__global__ void look_back(BoundsArguments to, Pass pass) {
  if (*pass.halted != 0) return;
  Plan& plan = *to.plan;
  plan.passes++;
  if (plan.mode == Mode::entering) {
    plan.mode = Mode::bounded;
  } else if (plan.mode == Mode::bounded && plan.evaluated * 10 > to.n * 3) {
    plan.mode = Mode::brute;
    plan.patience = plan.patience == 0 ? 8 : min(2 * plan.patience, 256);
    plan.waiting = plan.patience;
  }
}

/// For a block's own sums: two words a coordinate and one a count.
size_t shared_bytes(const BoundsArguments& to) {
  return sizeof(unsigned) * static_cast<size_t>(to.k) * (2 * static_cast<size_t>(to.d) + 1);
}

template <int width>
void enqueue_evaluate(const BoundsArguments& to, const Pass& pass, unsigned blocks) {
  evaluate<width><<<blocks, list_threads, 0, pass.stream>>>(to, pass);
  check_launch("pruned: evaluate");
}

}  // namespace

void enqueue_plan(const BoundsArguments& to, const Pass& pass) {
  measure_gaps<<<to.k, threads, 0, pass.stream>>>(to, pass);
  check_launch("pruned: measure_gaps");
  measure_shifts<<<(to.k * 32 + threads - 1) / threads, threads, 0, pass.stream>>>(to, pass);
  check_launch("pruned: measure_shifts");
  decide<<<1, threads_of_plan, 0, pass.stream>>>(to, pass);
  check_launch("pruned: decide");
  empty_sums<<<(to.k * to.d + threads - 1) / threads, threads, 0, pass.stream>>>(to);
  check_launch("pruned: empty_sums");
}

void enqueue_bounded_pass(const BoundsArguments& to, const Pass& pass, unsigned blocks) {
  check_bounds<<<blocks, threads, 0, pass.stream>>>(to, pass);
  check_launch("pruned: check_bounds");
  if (to.d <= 2) enqueue_evaluate<2>(to, pass, blocks);
  else if (to.d <= 4) enqueue_evaluate<4>(to, pass, blocks);
  else if (to.d <= 8) enqueue_evaluate<8>(to, pass, blocks);
  else if (to.d <= 16) enqueue_evaluate<16>(to, pass, blocks);
  else enqueue_evaluate<32>(to, pass, blocks);
  const size_t bytes = shared_bytes(to);
  const size_t used = bytes <= most_shared_bytes ? bytes : 0;
  sum_members<<<blocks, threads, used, pass.stream>>>(to, pass, static_cast<int>(used / sizeof(unsigned)));
  check_launch("pruned: sum_members");
  close_piece<<<1, 1, 0, pass.stream>>>(to);
  check_launch("pruned: close_piece");
}

void enqueue_publish(const BoundsArguments& to, const Pass& pass) {
  hand_over<<<(to.k * to.d + threads - 1) / threads, threads, 0, pass.stream>>>(to, pass);
  check_launch("pruned: hand_over");
  look_back<<<1, 1, 0, pass.stream>>>(to, pass);
  check_launch("pruned: look_back");
}

}  // namespace centroid_lab::cuda

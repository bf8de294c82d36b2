// Chunks of neighbouring points and the balls around them, once, when the session opens.
#include <type_traits>

#include "../../fused.hpp"
#include "check.hpp"
#include "ball_candidates.cuh"
#include "methods/ordering/hilbert_order.hpp"
#include "methods/ordering/neighbour_order.hpp"

namespace centroid_lab::cuda::neighbour_boxes {
namespace {

constexpr int threads = 32 * stretch_chunks;
/// Steps of a centre towards the farthest point, after Badoiu & Clarkson (2003): smaller balls than around the mean.
constexpr int centring_steps = 8;
/// More than rounding can take off a distance, of up to 32 features.
constexpr float radius_slack = 1.00001F;

template <int D>
struct Measured {
  static constexpr int lane_points = neighbour_boxes::lane_points(D);
  static constexpr int points = 32 * lane_points;
  const float* x;
  std::size_t n;
  int d;
  const float* scale;
  const unsigned* rows;
  float* values;
  float* centres;
  float* radii;
  long long* sums;
  float* stretch_centres;
  float* stretch_radii;
  long long* stretch_sums;
  unsigned chunks;
};

__device__ float sum_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
}

/// The largest squared distance of the warp's points from `centre`; `from` and `which`: the lane that has it, and which of its points.
template <int D, int P>
__device__ __forceinline__ float farthest(const float (&x)[P][D], const float (&centre)[D], int& from, int& which) {
  float own = -1;
  which = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    const float distance = squared_distance<D>(x[p], centre);
    if (distance > own) {
      own = distance;
      which = p;
    }
  }
  const float largest = largest_of_warp(own);
  from = __ffs(static_cast<int>(__ballot_sync(everyone, own == largest))) - 1;
  return largest;
}

/// The ball around the points of a warp.
template <int D, int P>
__device__ __forceinline__ float ball_of(const float (&x)[P][D], float (&centre)[D]) {
#pragma unroll
  for (int j = 0; j < D; j++) {
    float sum = 0;
#pragma unroll
    for (int p = 0; p < P; p++) sum += x[p][j];
    centre[j] = sum_of_warp(sum) / (32 * P);
  }
  int from, which;
  for (int step = 2; step < 2 + centring_steps; step++) {
    farthest<D, P>(x, centre, from, which);
    which = __shfl_sync(everyone, which, from);
#pragma unroll
    for (int j = 0; j < D; j++) {
      float value = x[0][j];
#pragma unroll
      for (int p = 1; p < P; p++) value = which == p ? x[p][j] : value;
      centre[j] += (__shfl_sync(everyone, value, from) - centre[j]) / static_cast<float>(4 * step);
    }
  }
  return farthest<D, P>(x, centre, from, which);
}

/// The chunk's sums, in fixed-point numbers.
template <int D, int P>
__device__ __forceinline__ void add_up(const Measured<D>& to, unsigned chunk, const float (&x)[P][D], long long (&sums)[D]) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < D; j++) {
    if (j >= to.d) break;
    long long sum = 0;
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (static_cast<std::size_t>(chunk) * Measured<D>::points + p * 32 + lane < to.n) sum += __float2ll_rn(x[p][j] * to.scale[j]);
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(everyone, sum, step);
    if (lane == 0) to.sums[static_cast<std::size_t>(chunk) * to.d + j] = sums[j] = sum;
  }
}

__device__ float radius_of(float squared) { return fmaf(sqrtf(squared), radius_slack, 0x1p-58F); }

/// A block a stretch, a warp a chunk of it.
template <int D>
__global__ void __launch_bounds__(threads) measure_chunks(Measured<D> to) {
  using Of = Measured<D>;
  constexpr int P = Of::lane_points;
  __shared__ float centres[stretch_chunks][D], largest[stretch_chunks];
  __shared__ long long sums[stretch_chunks][D];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned chunk = blockIdx.x * stretch_chunks + warp;
  const int here = static_cast<int>(min(static_cast<unsigned>(stretch_chunks), to.chunks - blockIdx.x * stretch_chunks));
  float x[P][D], centre[D];
  if (warp < here) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      const std::size_t slot = static_cast<std::size_t>(chunk) * Of::points + p * 32 + lane;
      const float* row = to.x + static_cast<std::size_t>(to.rows[min(slot, to.n - 1)]) * to.d;
#pragma unroll
      for (int j = 0; j < D; j++) x[p][j] = j < to.d ? row[j] : 0.0F;
      store_point<D>(to.values + static_cast<std::size_t>(chunk) * Of::points * D, p * 32 + lane, x[p]);
    }
    add_up<D, P>(to, chunk, x, sums[warp]);
    const float radius = radius_of(ball_of<D, P>(x, centre));
    if (lane == 0) {
      to.radii[chunk] = radius;
#pragma unroll
      for (int j = 0; j < D; j++) to.centres[chunk * D + j] = centres[warp][j] = centre[j];
    }
  }
  __syncthreads();
  if (warp < here) {
#pragma unroll
    for (int j = 0; j < D; j++) {
      centre[j] = 0;
      for (int other = 0; other < here; other++) centre[j] += centres[other][j];
      centre[j] /= static_cast<float>(here);
    }
    int from, which;
    const float squared = farthest<D, P>(x, centre, from, which);
    if (lane == 0) largest[warp] = squared;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  float most = 0;
  for (int other = 0; other < here; other++) most = fmaxf(most, largest[other]);
  to.stretch_radii[blockIdx.x] = radius_of(most);
  for (int j = 0; j < to.d; j++) {
    long long sum = 0;
    for (int other = 0; other < here; other++) sum += sums[other][j];
    to.stretch_sums[static_cast<std::size_t>(blockIdx.x) * to.d + j] = sum;
  }
#pragma unroll
  for (int j = 0; j < D; j++) to.stretch_centres[blockIdx.x * D + j] = centre[j];
}

template <class Use>
void with_width(int d, const Use& use) {
  switch (width_of(d)) {
    case 2: return use(std::integral_constant<int, 2>{});
    case 4: return use(std::integral_constant<int, 4>{});
    case 8: return use(std::integral_constant<int, 8>{});
    case 16: return use(std::integral_constant<int, 16>{});
    default: return use(std::integral_constant<int, 32>{});
  }
}

}  // namespace

ChunkBuffers::ChunkBuffers(const Problem& problem) : rows_(problem.n) {
  if (problem.order == nullptr) {
    if (problem.d <= max_on_curve) ordering::order_on_curve(problem, rows_.get());
    else ordering::order_neighbours(problem, make_labeller, rows_.get());
  } else {
    check(cudaMemcpy(rows_.get(), problem.order, rows_.bytes(), cudaMemcpyDeviceToDevice), "cudaMemcpy of an order");
  }
  with_width(problem.d, [&](auto width) {
    constexpr int D = width;
    constexpr std::size_t points = Measured<D>::points;
    const std::size_t chunks = (problem.n + points - 1) / points;
    const std::size_t stretches = (chunks + stretch_chunks - 1) / stretch_chunks;
    values_ = Buffer<float>(chunks * points * D);
    sums_ = Buffer<long long>((chunks + stretches) * static_cast<std::size_t>(problem.d));
    balls_ = Buffer<float>((chunks + stretches) * (D + 1));
    float* const centres = balls_.get();
    float* const stretch_centres = centres + chunks * D;
    float* const radii = stretch_centres + stretches * D;
    float* const stretch_radii = radii + chunks;
    long long* const stretch_sums = sums_.get() + chunks * static_cast<std::size_t>(problem.d);
    const Measured<D> to{problem.x, problem.n, problem.d, problem.scale, rows_.get(), values_.get(), centres, radii, sums_.get(),
                         stretch_centres, stretch_radii, stretch_sums, static_cast<unsigned>(chunks)};
    measure_chunks<D><<<static_cast<unsigned>(stretches), threads>>>(to);
    check_launch("fused: measure_chunks");
    chunks_ = {values_.get(), rows_.get(), centres, radii, sums_.get(), stretch_centres, stretch_radii, stretch_sums,
               static_cast<unsigned>(chunks), static_cast<unsigned>(stretches)};
  });
  check(cudaStreamSynchronize(nullptr), "fused: chunks");
}

}  // namespace centroid_lab::cuda::neighbour_boxes

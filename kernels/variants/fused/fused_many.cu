// `fused` for many clusters of few features, bound by multiply-adds: centroids in shared memory in groups of eight, several
// points a thread in registers, sums in shared memory. Scores choose the group and the centroid in it; what they leave
// open is settled by distances (fused_score.cuh).
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "fused_regimes.hpp"
#include "fused_score.cuh"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int group_size = 8;
constexpr int index_range = 64;
constexpr unsigned everyone = 0xffffffffU;

/// Registers decide: points a thread holds and threads of a block, one block a multiprocessor.
template <int D>
struct Shape {
  static constexpr int points = D <= 8 ? 8 : D <= 16 ? 6 : 4;
  static constexpr int threads = D <= 4 ? 512 : D <= 16 ? 384 : 256;
  /// Words from one group to the next: coordinates, starts, and a pad that spreads groups over the banks.
  static constexpr int group_stride = group_size * (D + 1) + 4;
};

struct ManyJob {
  const float* x;
  int d;
  const float* scale;
  /// Upper bound of |x|.
  float reach;
  /// Sums do not fit shared memory: every point goes to the global ones.
  bool sums_global;
};

/// Shared memory of a block: groups, scales, then the two halves of the sums and the counts.
template <int D>
struct Staged {
  float* groups;
  float* scale;
  unsigned* low;
  unsigned* high;
  unsigned* counts;
  float margin;

  __device__ Staged(float* memory, int k, int d) {
    groups = memory;
    scale = groups + (k + group_size - 1) / group_size * Shape<D>::group_stride;
    low = reinterpret_cast<unsigned*>(scale + D);
    high = low + k * d;
    counts = high + k * d;
  }
  __device__ float* row(int c) const { return groups + c / group_size * Shape<D>::group_stride + c % group_size * D; }
  __device__ float& start(int c) const {
    return groups[c / group_size * Shape<D>::group_stride + group_size * D + c % group_size];
  }
};

/// Centroids into groups, rows past k with a score of infinity; features past d are zero. Synchronises.
template <int D>
__device__ void stage(const ManyJob& job, const Pass& pass, Staged<D>& to) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const int rows = (pass.k + group_size - 1) / group_size * group_size;
  for (int c = threadIdx.x; c < rows; c += blockDim.x) {
    double squared = 0;
    for (int j = 0; j < D; j++) {
      const float value = c < pass.k && j < job.d ? pass.centroids[c * job.d + j] : 0.0F;
      to.row(c)[j] = value;
      squared = fma(static_cast<double>(value), static_cast<double>(value), squared);
    }
    atomicMax(&largest, __float_as_uint(static_cast<float>(squared)));
  }
  for (int j = threadIdx.x; j < D; j += blockDim.x) to.scale[j] = j < job.d ? job.scale[j] : 0.0F;
  if (!job.sums_global) {
    for (int at = threadIdx.x; at < pass.k * (2 * job.d + 1); at += blockDim.x) to.low[at] = 0;
  }
  __syncthreads();
  const ScoreBounds bounds = score_bounds(D, job.reach, __uint_as_float(largest));
  to.margin = bounds.margin;
  for (int c = threadIdx.x; c < rows; c += blockDim.x) {
    double squared = 0;
    for (int j = 0; j < D; j++) {
      const double value = to.row(c)[j];
      squared = fma(value, value, squared);
    }
    to.start(c) = c < pass.k ? static_cast<float>(bounds.offset + squared / 2) : INFINITY;
  }
  __syncthreads();
}

template <int D>
__device__ __forceinline__ void load_row(const float* row, float (&to)[D]) {
  if constexpr (D % 4 == 0) {
#pragma unroll
    for (int j = 0; j < D; j += 4) {
      const float4 four = *reinterpret_cast<const float4*>(row + j);
      to[j] = four.x;
      to[j + 1] = four.y;
      to[j + 2] = four.z;
      to[j + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int j = 0; j < D; j += 2) {
      const float2 two = *reinterpret_cast<const float2*>(row + j);
      to[j] = two.x;
      to[j + 1] = two.y;
    }
  }
}

template <int D>
__device__ __forceinline__ float score_of(const float (&x)[D], const float (&centroid)[D], float start) {
  float score = start;
#pragma unroll
  for (int j = 0; j < D; j++) score = fmaf(-x[j], centroid[j], score);
  return score;
}

/// For each point the group with the smallest score, that score and the smallest one outside of the group.
template <int D, int P>
__device__ __forceinline__ void scan_groups(const Staged<D>& staged, int groups, const float (&x)[P][D],
                                            float (&best)[P], float (&second)[P], int (&group)[P]) {
#pragma unroll
  for (int p = 0; p < P; p++) {
    best[p] = second[p] = INFINITY;
    group[p] = 0;
  }
  const float* from = staged.groups;
  for (int g = 0; g < groups; g++, from += Shape<D>::group_stride) {
    float least[P];
    float start[group_size];
    load_row<group_size>(from + group_size * D, start);
#pragma unroll
    for (int c = 0; c < group_size; c += 2) {
      float one[D], other[D];
      load_row<D>(from + c * D, one);
      load_row<D>(from + c * D + D, other);
#pragma unroll
      for (int p = 0; p < P; p++) {
        const float a = score_of<D>(x[p], one, start[c]);
        const float b = score_of<D>(x[p], other, start[c + 1]);
        least[p] = c == 0 ? fminf(a, b) : smallest_of(least[p], a, b);
      }
    }
#pragma unroll
    for (int p = 0; p < P; p++) {
      second[p] = fminf(second[p], fmaxf(best[p], least[p]));
      group[p] = least[p] < best[p] ? g : group[p];
      best[p] = fminf(best[p], least[p]);
    }
  }
}

/// The one centroid of the group whose score is at most `most`, or -1.
template <int D>
__device__ __forceinline__ int only_candidate(const Staged<D>& staged, const float (&x)[D], int group, float most) {
  const float* from = staged.groups + group * Shape<D>::group_stride;
  float start[group_size];
  load_row<group_size>(from + group_size * D, start);
  float found = 0x1p23F;
#pragma unroll
  for (int c = 0; c < group_size; c++) {
    float centroid[D];
    load_row<D>(from + c * D, centroid);
    found = fmaf(at_most(score_of<D>(x, centroid, start[c]), most), static_cast<float>(index_range + c), found);
  }
  const int index = __float_as_int(found) - (__float_as_int(0x1p23F) + index_range);
  return static_cast<unsigned>(index) < index_range ? group * group_size + index : -1;
}

template <int D>
__device__ __forceinline__ float distance_of(const float (&x)[D], const float* centroid) {
  float row[D];
  load_row<D>(centroid, row);
  float distance = 0;
#pragma unroll
  for (int j = 0; j < D; j++) distance = fmaf(x[j] - row[j], x[j] - row[j], distance);
  return distance;
}

template <int D>
__device__ __forceinline__ void load_point(const float* from, int d, float (&x)[D]) {
  if (D % 2 == 0 && d == D) return load_row<D>(from, x);
#pragma unroll
  for (int j = 0; j < D; j++) x[j] = j < d ? from[j] : 0.0F;
}

template <int D>
__device__ __forceinline__ const float* row_of(const float* groups, int c) {
  return groups + c / group_size * Shape<D>::group_stride + c % group_size * D;
}

/// Nearest of centroids first, first + step, .. by distances to all of them; the lower index on equal ones.
template <int D>
__device__ __forceinline__ int nearest_from(const float* groups, int k, const float (&x)[D], int first, int step,
                                            float& smallest) {
  int nearest = min(first, k - 1);
  smallest = distance_of<D>(x, row_of<D>(groups, nearest));
  for (int c = nearest + step; c < k; c += step) {
    const float distance = distance_of<D>(x, row_of<D>(groups, c));
    if (distance < smallest) {
      smallest = distance;
      nearest = c;
    }
  }
  return nearest;
}

/// Settles the lanes whose label is -1, each that of its `point (d)`, by distances to all centroids: the whole
/// warp for one lane after another, or, where many are open, each lane for itself. Called by whole warps. The points
/// are read again: the registers that hold them must not be addressed.
template <int D>
__device__ __noinline__ int settle(const float* groups, int k, const float* point, int d, int label) {
  float x[D];
  float smallest;
  unsigned open = __ballot_sync(everyone, label < 0);
  if (__popc(open) > 16) {
    load_point<D>(point, d, x);
    return nearest_from<D>(groups, k, x, 0, 1, smallest);
  }
  for (; open != 0; open &= open - 1) {
    const int owner = __ffs(open) - 1;
    const auto address = __shfl_sync(everyone, reinterpret_cast<unsigned long long>(point), owner);
    load_point<D>(reinterpret_cast<const float*>(address), d, x);
    int nearest = nearest_from<D>(groups, k, x, static_cast<int>(threadIdx.x % 32), 32, smallest);
    for (int step = 16; step > 0; step /= 2) {
      const float distance = __shfl_xor_sync(everyone, smallest, step);
      const int index = __shfl_xor_sync(everyone, nearest, step);
      if (distance < smallest || (distance == smallest && index < nearest)) {
        smallest = distance;
        nearest = index;
      }
    }
    if (static_cast<int>(threadIdx.x % 32) == owner) label = nearest;
  }
  return label;
}

/// Adds a point to the sums of its cluster: 64-bit numbers in two halves, the carry by hand.
template <int D>
__device__ __forceinline__ void add_point(const ManyJob& job, const Pass& pass, const Staged<D>& staged,
                                          const float (&x)[D], int label) {
  if (job.sums_global) {
#pragma unroll
    for (int j = 0; j < D; j++) {
      if (j >= job.d) break;
      const auto value = static_cast<unsigned long long>(__float2ll_rn(x[j] * staged.scale[j]));
      atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + static_cast<size_t>(label) * job.d + j, value);
    }
    atomicAdd(pass.counts + label, 1U);
    return;
  }
#pragma unroll
  for (int j = 0; j < D; j++) {
    if (j >= job.d) break;
    const long long value = __float2ll_rn(x[j] * staged.scale[j]);
    const auto low = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(staged.low + j * pass.k + label, low);
    const unsigned carry = before + low < low ? 1 : 0;
    atomicAdd(staged.high + j * pass.k + label, static_cast<unsigned>(value >> 32) + carry);
  }
  atomicAdd(staged.counts + label, 1U);
}

/// The block's sums into the global ones.
template <int D>
__device__ void flush(const ManyJob& job, const Pass& pass, const Staged<D>& staged) {
  for (int at = threadIdx.x; at < pass.k * job.d; at += blockDim.x) {
    const unsigned long long sum = static_cast<unsigned long long>(staged.high[at]) << 32 | staged.low[at];
    const int feature = at / pass.k;
    const int cluster = at - feature * pass.k;
    if (sum == 0) continue;
    atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + cluster * job.d + feature, sum);
  }
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    if (staged.counts[c] != 0) atomicAdd(pass.counts + c, staged.counts[c]);
  }
}

template <int D>
__global__ void __launch_bounds__(Shape<D>::threads, 1) many(ManyJob job, Pass pass) {
  if (*pass.halted != 0) return;
  constexpr int P = Shape<D>::points;
  constexpr unsigned chunk_points = 32 * P;
  extern __shared__ float4 shared[];
  __shared__ unsigned next_chunk;
  Staged<D> staged(reinterpret_cast<float*>(shared), pass.k, job.d);
  if (threadIdx.x == 0) next_chunk = 0;
  stage<D>(job, pass, staged);
  // Each block has a stretch of the points; its warps take chunks of it as they come.
  const size_t share = (pass.count + gridDim.x - 1) / gridDim.x;
  const size_t begin = pass.first + min(pass.count, share * blockIdx.x);
  const size_t end = pass.first + min(pass.count, share * (blockIdx.x + 1));
  const int lane = threadIdx.x % 32;
  const int groups = (pass.k + group_size - 1) / group_size;
  unsigned changed = 0;
  for (;;) {
    unsigned chunk = lane == 0 ? atomicAdd(&next_chunk, 1U) : 0;
    chunk = __shfl_sync(everyone, chunk, 0);
    const size_t first = begin + static_cast<size_t>(chunk) * chunk_points;
    if (first >= end) break;
    float x[P][D];
#pragma unroll
    for (int p = 0; p < P; p++) load_point<D>(job.x + min(first + p * 32 + lane, end - 1) * job.d, job.d, x[p]);
    float best[P], second[P];
    int label[P];
    scan_groups<D, P>(staged, groups, x, best, second, label);
#pragma unroll
    for (int p = 0; p < P; p++) {
      const float most = best[p] + staged.margin;
      const int only = only_candidate<D>(staged, x[p], label[p], most);
      label[p] = second[p] > most ? only : -1;
      const size_t point = first + p * 32 + lane;
      if (__any_sync(everyone, label[p] < 0)) {
        label[p] = settle<D>(staged.groups, pass.k, job.x + min(point, end - 1) * job.d, job.d, label[p]);
      }
      if (point >= end) continue;
      changed += note_label(pass, point, label[p]);
      if (pass.accumulate) add_point<D>(job, pass, staged, x[p], label[p]);
    }
  }
  if (pass.count_changes && changed > 0) atomicAdd(pass.changed, changed);
  __syncthreads();
  if (pass.accumulate && !job.sums_global) flush<D>(job, pass, staged);
}

template <int D>
class Many final : public DeviceVariant {
 public:
  Many(const Problem& problem, std::size_t bytes, bool sums_global) : problem_(problem), bytes_(bytes) {
    double squared = 0;
    for (int j = 0; j < problem.d; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
    job_ = {problem.x, problem.d, problem.scale, static_cast<float>(1.000001 * std::sqrt(squared)), sums_global};
    check(cudaFuncSetAttribute(many<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return 0.3; }

  void enqueue_assign(const Pass& pass) override {
    const std::size_t wanted = (pass.count + 31) / 32;
    const auto blocks = static_cast<unsigned>(
        std::min(wanted, static_cast<std::size_t>(problem_.device.multiProcessorCount)));
    many<D><<<blocks, Shape<D>::threads, bytes_, pass.stream>>>(job_, pass);
    check_launch("fused, many");
  }

 private:
  Problem problem_;
  std::size_t bytes_;
  ManyJob job_{};
};

template <int D>
std::unique_ptr<DeviceVariant> make(const Problem& problem) {
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t groups = (k + group_size - 1) / group_size;
  const std::size_t staged = (groups * Shape<D>::group_stride + D) * sizeof(float);
  const std::size_t sums = k * (2 * static_cast<std::size_t>(problem.d) + 1) * sizeof(unsigned);
  const std::size_t limit = problem.device.sharedMemPerBlockOptin - 1024;
  if (staged > limit) return nullptr;
  const bool sums_global = staged + sums > limit;
  return std::make_unique<Many<D>>(problem, sums_global ? staged : staged + sums, sums_global);
}

}  // namespace

std::unique_ptr<DeviceVariant> make_fused_many(const Problem& problem) {
  if (problem.d <= 2) return make<2>(problem);
  if (problem.d <= 4) return make<4>(problem);
  if (problem.d <= 8) return make<8>(problem);
  if (problem.d <= 16) return make<16>(problem);
  if (problem.d <= 32) return make<32>(problem);
  return nullptr;
}

}  // namespace centroid_lab::cuda

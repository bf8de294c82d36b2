// Within a group of 256 points, atomic counters give each point a place among the members of its cluster; members that
// lie side by side are summed in log steps. See README.md.
#include <algorithm>

#include "check.hpp"
#include "columns.hpp"
#include "memory.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int group = 256;
/// Clusters whose counters and offsets stand in shared memory at once; more are taken a range after the other.
constexpr int max_clusters = 2048;
/// Coordinates summed at once.
constexpr int features_at_once = 8;
/// Bytes of partial sums beyond which groups take several tiles of points each.
constexpr size_t max_partial_bytes = size_t{256} << 20;
/// Groups beyond which more of them only cost memory, for each multiprocessor.
constexpr int groups_per_multiprocessor = 16;

/// Where a group keeps its clusters' members.
struct SlotCounters {
  /// Members of each cluster, and where they begin.
  int counts[max_clusters];
  int offsets[max_clusters];
  /// Places taken, and the members of the largest cluster.
  int taken;
  int largest;
};

/// The place of a thread's point: among the members of its cluster, and in the group.
struct Slot {
  int member = 0;
  int at = 0;
};

/// Members of a cluster become consecutive. `cluster` is negative for a thread that has no point here. By all threads.
__device__ Slot take_slot(SlotCounters& counters, int cluster, int clusters) {
  for (int c = threadIdx.x; c < clusters; c += group) counters.counts[c] = 0;
  if (threadIdx.x == 0) counters.taken = counters.largest = 0;
  __syncthreads();
  Slot mine;
  if (cluster >= 0) mine.member = atomicAdd(&counters.counts[cluster], 1);
  __syncthreads();
  if (cluster >= 0 && mine.member == 0) {
    counters.offsets[cluster] = atomicAdd(&counters.taken, counters.counts[cluster]);
    atomicMax(&counters.largest, counters.counts[cluster]);
  }
  __syncthreads();
  if (cluster >= 0) mine.at = counters.offsets[cluster] + mine.member;
  return mine;
}

/// Log-step sums of members that lie side by side: the first member's place gets them. By all threads.
__device__ void sum_in_steps(long long (&values)[features_at_once][group], int features, const SlotCounters& counters,
                             Slot mine, int members) {
  for (int step = 1; step < counters.largest; step *= 2) {
    __syncthreads();
    if (mine.member % (2 * step) != 0 || mine.member + step >= members) continue;
    for (int j = 0; j < features; j++) values[j][mine.at] += values[j][mine.at + step];
  }
  __syncthreads();
}

/// One tile of 256 points: adds its sums and counts to the group's partial (k, d + 1).
__device__ void add_tile(const float* columns, size_t n, int d, const float* scale, size_t i, int cluster, int clusters,
                         long long* partial) {
  __shared__ SlotCounters counters;
  __shared__ long long values[features_at_once][group];
  const Slot mine = take_slot(counters, cluster, clusters);
  const int members = cluster >= 0 ? counters.counts[cluster] : 0;
  long long* to = cluster >= 0 && mine.member == 0 ? partial + static_cast<size_t>(cluster) * (d + 1) : nullptr;
  for (int from = 0; from < d; from += features_at_once) {
    const int features = min(features_at_once, d - from);
    for (int j = 0; cluster >= 0 && j < features; j++) {
      values[j][mine.at] = __float2ll_rn(columns[(from + j) * n + i] * scale[from + j]);
    }
    sum_in_steps(values, features, counters, mine, members);
    for (int j = 0; to != nullptr && j < features; j++) to[from + j] += values[j][mine.at];
    __syncthreads();
  }
  if (to != nullptr) to[d] += members;
  __syncthreads();
}

/// partial (groups, k, d + 1).
__global__ void __launch_bounds__(group)
    reduce_groups(const float* columns, size_t n, int d, const float* scale, Pass pass, long long* partial) {
  if (*pass.halted != 0) return;
  const size_t sums = static_cast<size_t>(pass.k) * (d + 1);
  long long* mine = partial + blockIdx.x * sums;
  for (size_t at = threadIdx.x; at < sums; at += group) mine[at] = 0;
  __syncthreads();
  for (size_t tile = blockIdx.x; tile * group < n; tile += gridDim.x) {
    const size_t i = tile * group + threadIdx.x;
    const std::int32_t label = i < n ? pass.labels[i] : -1;
    for (int first = 0; first < pass.k; first += max_clusters) {
      const int clusters = min(max_clusters, pass.k - first);
      const bool is_here = label >= first && label < first + clusters;
      add_tile(columns, n, d, scale, i, is_here ? label - first : -1, clusters,
               mine + static_cast<size_t>(first) * (d + 1));
    }
  }
}

/// One group per cluster adds the partials. Integers: any order gives the same sum.
__global__ void __launch_bounds__(group) add_groups(const long long* partial, unsigned groups, int d, Pass pass) {
  __shared__ long long lanes[group];
  if (*pass.halted != 0) return;
  const int cluster = blockIdx.x;
  const size_t sums = static_cast<size_t>(pass.k) * (d + 1);
  const int width = min(d + 1, group);
  const int slices = group / width;
  const int slice = threadIdx.x / width;
  for (int from = 0; from <= d; from += width) {
    const int j = from + threadIdx.x % width;
    const long long* own = partial + static_cast<size_t>(cluster) * (d + 1) + j;
    long long sum = 0;
    if (slice < slices && j <= d) {
#pragma unroll 4
      for (unsigned g = slice; g < groups; g += slices) sum += own[g * sums];
    }
    __syncthreads();
    lanes[threadIdx.x] = sum;
    __syncthreads();
    if (slice != 0 || j > d) continue;
    for (int other = 1; other < slices; other++) sum += lanes[other * width + threadIdx.x];
    if (j < d) pass.fixed_sums[static_cast<size_t>(cluster) * d + j] += sum;
    else pass.counts[cluster] += static_cast<unsigned>(sum);
  }
}

unsigned groups_for(const Problem& problem) {
  const size_t tiles = (problem.n + group - 1) / group;
  const size_t bytes = sizeof(long long) * static_cast<size_t>(problem.k) * (problem.d + 1);
  const size_t enough = static_cast<size_t>(problem.device.multiProcessorCount) * groups_per_multiprocessor;
  return static_cast<unsigned>(std::clamp<size_t>(max_partial_bytes / bytes, 1, std::min(tiles, enough)));
}

class IrregularReduction final : public DeviceVariant {
 public:
  explicit IrregularReduction(const Problem& problem)
      : columns_(problem), scale_(problem.scale), n_(problem.n), d_(problem.d), groups_(groups_for(problem)),
        partial_(static_cast<size_t>(groups_) * problem.k * (problem.d + 1)) {}

  SumKind sums() const override { return SumKind::fixed; }

  void enqueue_assign(const Pass& pass) override { columns_.enqueue_assign(pass); }

  void enqueue_update(const Pass& pass) override {
    reduce_groups<<<groups_, group, 0, pass.stream>>>(columns_.get(), n_, d_, scale_, pass, partial_.get());
    check_launch("irregular-reduction: reduce groups");
    add_groups<<<pass.k, group, 0, pass.stream>>>(partial_.get(), groups_, d_, pass);
    check_launch("irregular-reduction: add groups");
  }

 private:
  Columns columns_;
  const float* scale_;
  size_t n_;
  int d_;
  unsigned groups_;
  Buffer<long long> partial_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<IrregularReduction>(problem); }

const Registration registration({"irregular-reduction", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

// One kernel assigns a group of 256 points and reduces it: atomic counters give each point a place among the members of
// its cluster, and members that lie side by side are summed in log steps. See README.md.
#include <algorithm>
#include <mutex>
#include <set>

#include "check.hpp"
#include "columns.cuh"
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
/// Partial sums may take so many bytes, or this share of a card's memory; then groups take several tiles each.
constexpr size_t min_partial_budget = size_t{256} << 20;
constexpr size_t partial_share = 64;
/// Groups for each multiprocessor that hide how long memory takes.
constexpr double full_groups = 4;

/// What a module may have of constant memory, less what a wide load may read past the end.
constexpr size_t constant_floats = 64 * 1024 / sizeof(float) - 4;
/// (k, d) of the session that has it.
__constant__ __align__(16) float constant_centroids[64 * 1024 / sizeof(float)];

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

/// One tile of 256 points: adds its sums and counts to the group's partial (k, d + 1). By all threads.
template <int D>
__device__ void add_tile(const ColumnPoint<D>& point, int d, const float* scale, int cluster, int clusters,
                         long long* partial) {
  __shared__ SlotCounters counters;
  __shared__ long long values[features_at_once][group];
  constexpr int rounds = D > 0 ? (D + features_at_once - 1) / features_at_once : 1;
  const int features = D > 0 ? D : d;
  const Slot mine = take_slot(counters, cluster, clusters);
  const int members = cluster >= 0 ? counters.counts[cluster] : 0;
  long long* to = cluster >= 0 && mine.member == 0 ? partial + static_cast<size_t>(cluster) * (d + 1) : nullptr;
#pragma unroll rounds
  for (int from = 0; from < features; from += features_at_once) {
    const int width = min(features_at_once, features - from);
#pragma unroll
    for (int j = 0; j < features_at_once; j++) {
      if (cluster >= 0 && j < width) values[j][mine.at] = __float2ll_rn(point[from + j] * scale[from + j]);
    }
    sum_in_steps(values, width, counters, mine, members);
    for (int j = 0; to != nullptr && j < width; j++) to[from + j] += values[j][mine.at];
    __syncthreads();
  }
  if (to != nullptr) to[d] += members;
  __syncthreads();
}

/// The study's one kernel: map and reduction within the group. partial (groups, k, d + 1).
template <int D, bool centroids_are_constant>
__global__ void __launch_bounds__(group)
    assign_and_reduce(const float* columns, size_t n, int d, const float* scale, Pass pass, long long* partial) {
  if (*pass.halted != 0) return;
  const size_t sums = static_cast<size_t>(pass.k) * (d + 1);
  long long* mine = partial + blockIdx.x * sums;
  for (size_t at = threadIdx.x; pass.accumulate && at < sums; at += group) mine[at] = 0;
  __syncthreads();
  for (size_t tile = blockIdx.x; tile * group < pass.count; tile += gridDim.x) {
    const size_t index = tile * group + threadIdx.x;
    // Threads past the last point work on a copy of it, so that nobody misses a barrier.
    const bool is_point = index < pass.count;
    const size_t i = pass.first + min(index, pass.count - 1);
    const ColumnPoint<D> point(columns, n, d, i);
    std::int32_t label;
    if constexpr (centroids_are_constant) label = point.nearest(constant_centroids, pass.k);
    else label = point.nearest(pass.centroids, pass.k);
    report_changes(pass, is_point && note_label(pass, i, label) != 0);
    for (int first = 0; pass.accumulate && first < pass.k; first += max_clusters) {
      const int clusters = min(max_clusters, pass.k - first);
      const bool is_here = is_point && label >= first && label < first + clusters;
      add_tile(point, d, scale, is_here ? label - first : -1, clusters, mine + static_cast<size_t>(first) * (d + 1));
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

size_t tiles_of(size_t points) { return (points + group - 1) / group; }

/// As many as a card works on at once: more of them would only cost memory, and leave it half idle at the end.
size_t resident_groups(const Problem& problem) {
  int resident = 0;
  with_features(problem.d, [&](auto features) {
    const auto kernel = assign_and_reduce<features.value, true>;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, group, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  });
  return static_cast<size_t>(std::max(1, resident)) * problem.device.multiProcessorCount;
}

unsigned groups_for(const Problem& problem) {
  const size_t bytes = sizeof(long long) * static_cast<size_t>(problem.k) * (problem.d + 1);
  const size_t affordable = std::max(min_partial_budget, problem.device.totalGlobalMem / partial_share);
  const size_t enough = resident_groups(problem);
  return static_cast<unsigned>(std::clamp<size_t>(affordable / bytes, 1, std::min(tiles_of(problem.n), enough)));
}

/// The right to constant memory, which is one for all sessions of a process on a device: the first whose centroids fit
/// there has it until it closes. The others read theirs through the caches, with the same results.
class ConstantCentroids {
 public:
  explicit ConstantCentroids(size_t floats) {
    if (floats > constant_floats) return;
    void* address = nullptr;
    check(cudaGetDevice(&device_), "cudaGetDevice");
    check(cudaGetSymbolAddress(&address, constant_centroids), "cudaGetSymbolAddress");
    const std::lock_guard<std::mutex> lock(one_at_a_time());
    if (taken().insert(device_).second) address_ = address;
  }
  ConstantCentroids(const ConstantCentroids&) = delete;
  ConstantCentroids& operator=(const ConstantCentroids&) = delete;
  ~ConstantCentroids() {
    const std::lock_guard<std::mutex> lock(one_at_a_time());
    if (address_ != nullptr) taken().erase(device_);
  }

  bool are_mine() const { return address_ != nullptr; }

  void enqueue_copy(const float* centroids, size_t floats, cudaStream_t stream) const {
    check(cudaMemcpyAsync(address_, centroids, floats * sizeof(float), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync to constant memory");
  }

 private:
  static std::mutex& one_at_a_time() {
    static std::mutex mutex;
    return mutex;
  }
  /// Devices whose constant memory a session has.
  static std::set<int>& taken() {
    static std::set<int> devices;
    return devices;
  }

  int device_ = 0;
  void* address_ = nullptr;
};

class IrregularReduction final : public DeviceVariant {
 public:
  explicit IrregularReduction(const Problem& problem)
      : columns_(problem), scale_(problem.scale), n_(problem.n), d_(problem.d), groups_(groups_for(problem)),
        busy_(std::min(1.0, groups_ / (full_groups * problem.device.multiProcessorCount))),
        constant_(static_cast<size_t>(problem.k) * problem.d),
        partial_(static_cast<size_t>(groups_) * problem.k * (problem.d + 1)) {}

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return DeviceVariant::speed() * busy_; }

  void enqueue_assign(const Pass& pass) override {
    const unsigned groups = static_cast<unsigned>(std::min<size_t>(groups_, tiles_of(pass.count)));
    if (constant_.are_mine()) {
      constant_.enqueue_copy(pass.centroids, static_cast<size_t>(pass.k) * d_, pass.stream);
      launch<true>(pass, groups);
    } else {
      launch<false>(pass, groups);
    }
    if (!pass.accumulate) return;
    add_groups<<<pass.k, group, 0, pass.stream>>>(partial_.get(), groups, d_, pass);
    check_launch("irregular-reduction: add groups");
  }

 private:
  template <bool centroids_are_constant>
  void launch(const Pass& pass, unsigned groups) const {
    with_features(d_, [&](auto features) {
      assign_and_reduce<features.value, centroids_are_constant>
          <<<groups, group, 0, pass.stream>>>(columns_.get(), n_, d_, scale_, pass, partial_.get());
    });
    check_launch("irregular-reduction: assign and reduce");
  }

  Columns columns_;
  const float* scale_;
  size_t n_;
  int d_;
  unsigned groups_;
  /// Share of a card that so many groups keep busy.
  double busy_;
  ConstantCentroids constant_;
  Buffer<long long> partial_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<IrregularReduction>(problem); }

const Registration registration({"irregular-reduction", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

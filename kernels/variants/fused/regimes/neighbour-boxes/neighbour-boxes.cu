// `fused` for points of 3 to 32 features that lie together. Points stand in an order in which neighbours follow each other; in every
// iteration the centroids that can be nearest to a point of a stretch of it are listed, then those of the list that can be for a chunk,
// and distances to these give the labels (ball_candidates.cuh). Sums in shared memory, in several copies.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "check.hpp"
#include "chunk_labels.cuh"
#include "dynamic_shared.hpp"
#include "finish_few.cuh"
#include "../../fused.hpp"
#include "../../regimes.hpp"
#include "launch_early.cuh"
#include "methods/ordering/neighbour_order.hpp"

namespace centroid_lab::cuda {
namespace neighbour_boxes {
namespace {

constexpr int listing_threads = 128;
/// As many as leave registers for the points.
template <int D>
constexpr int threads = D == 2 || D == 32 ? 512 : 768;
template <int D>
constexpr int warps = threads<D> / 32;
/// Of the sums in shared memory, at most: lanes of one copy wait for each other.
constexpr int max_copies = 8;
/// Static shared memory of the kernels, generously.
constexpr std::size_t spare_shared = 1024;
/// Of all distances; above it the matrix units are as fast.
constexpr double max_share = 0.25;
constexpr unsigned nothing = ~0U;
/// With more centroids, and more than half of all, which is so where an outlier makes a ball wide, points of a stretch take long.
constexpr int longest_list = 48;
/// They are the exception where one stretch in more than this has such a list.
constexpr unsigned few_long = 16;
/// For the estimate one chunk in so many is looked at.
constexpr unsigned sampled_apart = 16;

int list_stride_of(int k) { return (k + 7) / 8 * 8; }
__host__ __device__ constexpr int list_room(int k) { return k < max_listed ? k + k % 2 : max_listed; }

/// Lists of neighbouring stretches, a warp for some of them. Stretches with one centroid are decided, the others noted for `label_chunks`: those
/// with long lists from the end of `work`, to be the first.
template <int D>
__global__ void __launch_bounds__(listing_threads) list_stretches(ChunkJob job, Pass pass) {
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  extern __shared__ float4 shared[];
  float* rows = reinterpret_cast<float*>(shared);
  stage_centroids<D>(pass, job.d, rows);
  __syncthreads();
  constexpr std::size_t points = static_cast<std::size_t>(stretch_chunks) * 32 * lane_points(D);
  const unsigned stretches = job.points.stretches, listing_warps = gridDim.x * listing_threads / 32;
  const unsigned each = (job.end_stretch - job.first_stretch + listing_warps - 1) / listing_warps;
  const unsigned first = job.first_stretch + (blockIdx.x * listing_threads + threadIdx.x) / 32 * each;
  KnownSums known{pass, job.d};
  for (unsigned stretch = first; stretch < min(job.end_stretch, first + each); stretch++) {
    float centre[D];
    load_row<D>(job.points.stretch_centres + static_cast<std::size_t>(stretch) * D, centre);
    std::uint16_t* list = job.lists + static_cast<std::size_t>(stretch) * job.list_stride;
    const int listed = list_nearest<D, (D <= 8 ? 4 : 1)>(centre, job.points.stretch_radii[stretch], rows, pass.k,
                                                         [](int i) { return static_cast<unsigned>(i); }, list, pass.k);
    if (listed > 1 || !job.sums_only) {
      if (threadIdx.x % 32 != 0) continue;
      job.listed[stretch] = listed;
      if (listed > longest_list && 2 * listed > pass.k) job.work[stretches - 1 - atomicAdd(job.open + 1, 1U)] = stretch;
      else job.work[atomicAdd(job.open, 1U)] = stretch;
    } else if (pass.accumulate) {
      known.add(list[0], job.points.stretch_sums + static_cast<std::size_t>(stretch) * job.d,
                  static_cast<unsigned>(min(points, job.n - stretch * points)));
    }
  }
  known.hand_over();
}

/// A chunk's points into the second cache, by a warp.
template <int D>
__device__ __forceinline__ void fetch_chunk(const ChunkJob& job, unsigned chunk) {
  constexpr int line = 128 / sizeof(float), lines = lane_points(D) * D;
  if (chunk >= job.points.chunks) return;
  const float* from = job.points.values + static_cast<std::size_t>(chunk) * lines * line;
#pragma unroll
  for (int at = 0; at < lines; at += 32) asm volatile("prefetch.global.L2 [%0];" ::"l"(from + (at + threadIdx.x % 32) * line));
}

/// The sums of a whole chunk, which are known.
__device__ __forceinline__ void add_chunk(const ChunkJob& job, const BlockSums& sums, unsigned chunk, unsigned points, int label) {
  const int lane = threadIdx.x % 32;
  unsigned* at = sums.of(label);
  if (lane < job.d) sums.add(at + lane * sums.feature, job.points.sums[static_cast<std::size_t>(chunk) * job.d + lane]);
  const std::size_t first = static_cast<std::size_t>(chunk) * points;
  if (lane == 0) sums.count(label, static_cast<unsigned>(min(static_cast<std::size_t>(points), job.n - first)));
}

/// Filled up to vectors of 16 bytes.
__host__ __device__ constexpr std::size_t whole_vectors(std::size_t bytes) { return (bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4); }

template <int D>
struct Layout {
  std::size_t sums, lists, bytes;

  __host__ __device__ Layout(int k, int d, int copies) {
    sums = whole_vectors(sizeof(float) * (static_cast<std::size_t>(k) * row_words<D> + D));
    lists = whole_vectors(sums + sizeof(unsigned) * static_cast<std::size_t>(k) * (2 * d + 1) * copies);
    bytes = lists + sizeof(std::uint16_t) * warps<D> * list_room(k);
  }
};

template <int D>
__global__ void __launch_bounds__(threads<D>, 1) label_chunks(ChunkJob job, Pass pass, FinishArguments finish) {
  let_next_begin();
  constexpr int P = lane_points(D), chunk_points = 32 * P;
  extern __shared__ float4 shared[];
  __shared__ unsigned next_turn;
  const Layout<D> layout(pass.k, job.d, job.copies);
  char* start = reinterpret_cast<char*>(shared);
  float* rows = reinterpret_cast<float*>(shared);
  float* scale = rows + pass.k * row_words<D>;
  const BlockSums sums(reinterpret_cast<unsigned*>(start + layout.sums), pass.k, job.d, job.copies);
  const int room = list_room(pass.k);
  std::uint16_t* list = reinterpret_cast<std::uint16_t*>(start + layout.lists) + threadIdx.x / 32 * room;
  if (threadIdx.x == 0) next_turn = 0;
  if (threadIdx.x < D) scale[threadIdx.x] = static_cast<int>(threadIdx.x) < job.d ? job.scale[threadIdx.x] : 0.0F;
  for (auto at = layout.sums + threadIdx.x * sizeof(uint4); at < layout.lists; at += threads<D> * sizeof(uint4)) {
    *reinterpret_cast<uint4*>(start + at) = make_uint4(0, 0, 0, 0);
  }
  await_earlier();
  if (*pass.halted != 0) return;
  stage_centroids<D>(pass, job.d, rows);
  __syncthreads();
  const int lane = threadIdx.x % 32;
  // Long lists, where they are the exception: a row of a chunk at a time.
  const unsigned with_long = __ldcg(job.open + 1);
  const bool by_rows = with_long * few_long < job.points.stretches;
  const unsigned rows_of_stretch = stretch_chunks * (by_rows ? P : 1), long_turns = with_long * rows_of_stretch;
  const unsigned turns = long_turns + __ldcg(job.open) * stretch_chunks;
  // The next one's stretch is on its way while this one is worked on.
  const auto take = [&](unsigned& stretch) {
    unsigned turn = lane == 0 ? atomicAdd(&next_turn, 1U) : 0;
    turn = __shfl_sync(everyone, turn, 0) * gridDim.x + blockIdx.x;
    if (turn >= turns) return nothing;
    const unsigned slot = turn < long_turns ? job.points.stretches - 1 - turn / rows_of_stretch : (turn - long_turns) / stretch_chunks;
    stretch = __ldcg(job.work + slot);
    return turn;
  };
  const auto chunk_of = [&](unsigned turn, unsigned stretch) {
    return stretch * stretch_chunks + (turn >= long_turns ? turn - long_turns : by_rows ? turn / P : turn) % stretch_chunks;
  };
  unsigned changed = 0, next_stretch = 0;
  for (unsigned next = take(next_stretch); next != nothing;) {
    const unsigned turn = next, stretch = next_stretch, chunk = chunk_of(turn, stretch);
    next = take(next_stretch);
    __syncwarp();
    if (chunk >= job.points.chunks || (job.pairs != nullptr && chunk % sampled_apart != 0)) continue;
    const bool is_row = by_rows && turn < long_turns;
    const int row = is_row ? static_cast<int>(turn % P) : 0;
    int listed, of_stretch;
    const std::uint16_t* const longer = job.lists + static_cast<std::size_t>(stretch) * job.list_stride;
    {
      float centre[D];
      load_row<D>(job.points.centres + static_cast<std::size_t>(chunk) * D, centre);
      of_stretch = static_cast<int>(__ldcg(job.listed + stretch));
      listed = list_nearest<D, 1>(centre, job.points.radii[chunk], rows, of_stretch,
                                  [&](int i) { return static_cast<unsigned>(longer[i]); }, list, room);
    }
    if (job.pairs != nullptr) {
      if (lane == 0 && row == 0 && listed > 1) atomicAdd(job.pairs, static_cast<unsigned long long>(listed));
      continue;
    }
    if (listed == 1 && job.sums_only) {
      if (row == 0) add_chunk(job, sums, chunk, chunk_points, list[0]);
      continue;
    }
    if (D > 2 && next != nothing) fetch_chunk<D>(job, chunk_of(next, next_stretch));
    const Chunk here{rows, scale, list, listed <= room ? listed : 0, longer, of_stretch, chunk};
    changed += is_row ? label_points<D, 1>(job, pass, sums, here, row) : label_points<D, P>(job, pass, sums, here, 0);
  }
  if (pass.count_changes && changed > 0) atomicAdd(pass.changed, changed);
  __syncthreads();
  // All have read it.
  if (threadIdx.x == 0 && atomicInc(job.arrived, gridDim.x - 1) == gridDim.x - 1) job.open[0] = job.open[1] = 0;
  if (pass.accumulate) flush(pass, sums, job.d);
  if constexpr (D == 2) {
    if (job.d == 1) finish_few<1>(finish, reinterpret_cast<RowTotals*>(shared));
    else finish_few<2>(finish, reinterpret_cast<RowTotals*>(shared));
  }
  if constexpr (D == 4) finish_few<4>(finish, reinterpret_cast<RowTotals*>(shared));
}

template <int D>
class NeighbourBoxes final : public DeviceVariant, public LeavesOut {
 public:
  /// The most copies of sums that shared memory holds; 0: none.
  static int copies_for(const Problem& problem) {
    const std::size_t limit = problem.device.sharedMemPerBlockOptin - spare_shared;
    for (int copies = max_copies; copies > 0; copies /= 2) {
      if (Layout<D>(problem.k, problem.d, copies).bytes <= limit) return copies;
    }
    return 0;
  }

  NeighbourBoxes(const Problem& problem, int copies)
      : problem_(problem), points_(problem),
        lists_(static_cast<std::size_t>(points_.chunks().stretches) * static_cast<std::size_t>(list_stride_of(problem.k))),
        work_(2 * static_cast<std::size_t>(points_.chunks().stretches) + 3) {
    allow_dynamic_shared(list_stretches<D>, row_bytes(problem.k));
    allow_dynamic_shared(label_chunks<D>, Layout<D>(problem.k, problem.d, copies).bytes);
    work_.clear(nullptr);
    const unsigned stretches = points_.chunks().stretches;
    unsigned* const counters = work_.get() + 2 * static_cast<std::size_t>(stretches);
    job_ = {points_.chunks(), problem.n, problem.d, problem.scale, copies, lists_.get(), work_.get(), list_stride_of(problem.k),
            work_.get() + stretches, counters, counters + 2, true, 0, stretches, nullptr};
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  bool leaves_copies_out() const override { return true; }
  double speed() const override { return others_->speed(); }
  double share_of_distances() const override { return share_; }
  void restart(cudaStream_t stream) override { others_->restart(stream); }

  void enqueue_assign(const Pass& pass) override {
    prepare(pass);
    if (job_.first_stretch == job_.end_stretch) return;
    launch(pass, job_, {});
  }

  bool completes() const override { return D <= 4 && problem_.k * D <= few_turns * threads<D> && can_launch_early(problem_.device); }

  void enqueue_complete(const Pass& pass, const FinishArguments& finish) override {
    prepare(pass);
    launch(pass, job_, finish);
  }

  /// Finds the share of all distances that lists leave, with points at even distances as centroids; waits.
  void estimate_share() {
    const Buffer<float> centroids(static_cast<std::size_t>(problem_.k) * problem_.d);
    const std::size_t row = static_cast<std::size_t>(problem_.d) * sizeof(float);
    // A copy takes no rows farther apart.
    const std::size_t apart = std::min(problem_.n / problem_.k, problem_.device.memPitch / row);
    check(cudaMemcpy2D(centroids.get(), row, problem_.x, apart * row, row, problem_.k, cudaMemcpyDeviceToDevice),
          "cudaMemcpy2D");
    const Buffer<unsigned long long> pairs(1);
    const Buffer<int> running(1);
    pairs.clear(nullptr);
    running.clear(nullptr);
    Pass pass;
    pass.centroids = centroids.get();
    pass.k = problem_.k;
    pass.accumulate = false;
    pass.halted = running.get();
    ChunkJob counting = job_;
    counting.pairs = pairs.get();
    launch(pass, counting, {});
    unsigned long long found = 0;
    pairs.read(&found, 1);
    const unsigned looked_at = (job_.points.chunks + sampled_apart - 1) / sampled_apart;
    share_ = static_cast<double>(found) / (static_cast<double>(looked_at) * problem_.k);
  }

  void take_others(std::unique_ptr<DeviceVariant> others) { others_ = std::move(others); }

 private:
  static std::size_t row_bytes(int k) { return static_cast<std::size_t>(k) * row_words<D> * sizeof(float); }

  /// Of a part the stretches that begin in it, in the order of neighbours: all parts of a pass are all points.
  void prepare(const Pass& pass) {
    constexpr std::size_t points = static_cast<std::size_t>(stretch_chunks) * 32 * lane_points(D);
    job_.sums_only = pass.accumulate && pass.labels == nullptr;
    job_.first_stretch = static_cast<unsigned>((pass.first + points - 1) / points);
    job_.end_stretch = static_cast<unsigned>((pass.first + pass.count + points - 1) / points);
  }

  void launch(const Pass& pass, const ChunkJob& job, const FinishArguments& finish) const {
    constexpr unsigned listing_warps = listing_threads / 32;
    const auto multiprocessors = static_cast<unsigned>(problem_.device.multiProcessorCount);
    const unsigned listing_blocks = std::min((job.points.stretches + listing_warps - 1) / listing_warps, 4 * multiprocessors);
    const bool early = can_launch_early(problem_.device);
    launch_in_turn(early, list_stretches<D>, listing_blocks, listing_threads, row_bytes(pass.k), pass.stream, job, pass);
    const auto blocks = std::min(multiprocessors, (job.points.chunks + warps<D> - 1) / warps<D>);
    launch_in_turn(early, label_chunks<D>, blocks, threads<D>, Layout<D>(pass.k, job.d, job.copies).bytes, pass.stream, job, pass, finish);
  }

  Problem problem_;
  std::unique_ptr<DeviceVariant> others_;
  ChunkBuffers points_;
  Buffer<std::uint16_t> lists_;
  /// How many clusters each list has, open stretches, and three counters.
  Buffer<unsigned> work_;
  ChunkJob job_{};
  double share_ = 1;
};

template <int D>
std::unique_ptr<DeviceVariant> make_of(const Problem& problem, fused::Probes& probes) {
  auto made = std::make_unique<NeighbourBoxes<D>>(problem, NeighbourBoxes<D>::copies_for(problem));
  made->estimate_share();
  if (!probes.find("neighbours-together", made->share_of_distances() <= max_share)) return nullptr;
  made->take_others(make_other_passes(problem));
  return made;
}

/// Calls `use` with the width that rows are filled up to, as a type.
template <class Use>
auto with_width(int d, const Use& use) {
  switch (width_of(d)) {
    case 2: return use(std::integral_constant<int, 2>{});
    case 4: return use(std::integral_constant<int, 4>{});
    case 8: return use(std::integral_constant<int, 8>{});
    case 16: return use(std::integral_constant<int, 16>{});
    default: return use(std::integral_constant<int, 32>{});
  }
}

std::string refusal(const Problem& problem) {
  if (problem.d > 32) return "Chunks of neighbours hold points of up to 32 features.";
  if (problem.device.major < 8) return "Chunks of neighbours need compute capability 8.0.";
  if (problem.streamed) return "Points that pass through the device cannot be put in order.";
  if (problem.n < ordering::min_ordered || problem.n >> 31 != 0) return "Neighbours are found among 2049 to 2147483647 points.";
  if (problem.k > max_clusters) return "Lists of centroids number up to 4096.";
  const bool holds = with_width(problem.d, [&](auto width) { return NeighbourBoxes<width.value>::copies_for(problem) > 0; });
  return holds ? "" : "Centroids and sums do not fit into the shared memory of a block.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes& probes) {
  return with_width(problem.d, [&](auto width) { return make_of<width.value>(problem, probes); });
}

}  // namespace
}  // namespace neighbour_boxes

namespace fused {
const Regime neighbour_boxes{"neighbour-boxes", centroid_lab::cuda::neighbour_boxes::refusal, centroid_lab::cuda::neighbour_boxes::make};
}

}  // namespace centroid_lab::cuda

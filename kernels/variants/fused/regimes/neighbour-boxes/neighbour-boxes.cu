// `fused` for points of 3 to 32 features that lie together. Points stand in an order in which neighbours follow each other; in every
// iteration the centroids that can be nearest to a point of a stretch of it are listed, then those of the list that can be for a chunk,
// and distances to these give the labels (ball_candidates.cuh). Sums in shared memory, in several copies.
#include <algorithm>
#include <climits>
#include <type_traits>
#include <utility>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "finish_few.cuh"
#include "chunk_sums.cuh"
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
/// Centroids that a warp's own list has room for, at most: chunks with more take that of their stretch.
constexpr int max_listed = 1024;
/// For the estimate one chunk in so many is looked at.
constexpr unsigned sampled_apart = 16;

struct ChunkJob {
  Chunks points;
  std::size_t n;
  int d;
  const float* scale;
  int copies;
  /// (stretches, list_stride) and (stretches).
  std::uint16_t* lists;
  unsigned* listed;
  int list_stride;
  /// Stretches whose points may have several nearest centroids, and how many they are, at either end. The last block of a pass
  /// leaves `open` and `arrived` zero.
  unsigned* work;
  unsigned* open;
  unsigned* arrived;
  /// Nothing is wanted of points but their sums: those of stretches and chunks with one centroid are known.
  bool sums_only;
  /// The stretches of this pass: a slow one is cut.
  unsigned first_stretch;
  unsigned end_stretch;
  /// Where distances of chunks that are looked at are counted; null mostly.
  unsigned long long* pairs;
};

__device__ __forceinline__ int smallest_of_three(int a, int b, int c) { return __vimin3_s32(a, b, c); }

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

/// The nearest of the lane's points by distances to the centroids of the list, after those of lists before it.
template <int D, int P>
__device__ __forceinline__ void search(const float (&x)[P][D], const float* rows, const std::uint16_t* list, int listed,
                                       NearestWithGap (&nearest)[P]) {
#pragma unroll 2
  for (int i = 0; i < listed; i++) {
    const int c = list[i];
    float row[D];
    load_row<D>(rows + c * row_words<D>, row);
#pragma unroll
    for (int p = 0; p < P; p++) nearest[p].offer(c, squared_distance<D>(x[p], row));
  }
}

/// The same in the plane, where a distance is so little work that what is kept of it counts: its bits with the position in the list in the
/// lowest ones, of which the two smallest are kept.
/// @param bits of a position.
template <int D, int P>
__device__ __forceinline__ void search_numbered(const float (&x)[P][D], const float* rows, const std::uint16_t* list, int listed, int bits,
                                                int (&first)[P], int (&second)[P]) {
  const int mask = (1 << bits) - 1;
  const auto offer = [&](int p, int a, int b) {
    const int less = min(a, b);
    second[p] = smallest_of_three(second[p], max(a, b), max(first[p], less));
    first[p] = min(first[p], less);
  };
  const auto numbered = [&](float distance, int i) { return (__float_as_int(distance) & ~mask) | i; };
  int i = 0;
#pragma unroll 1
  for (; i + 1 < listed; i += 2) {
    float row[D], next[D];
    load_row<D>(rows + list[i] * row_words<D>, row);
    load_row<D>(rows + list[i + 1] * row_words<D>, next);
#pragma unroll
    for (int p = 0; p < P; p++) offer(p, numbered(squared_distance<D>(x[p], row), i), numbered(squared_distance<D>(x[p], next), i + 1));
  }
  if (i == listed) return;
  float row[D];
  load_row<D>(rows + list[i] * row_words<D>, row);
#pragma unroll
  for (int p = 0; p < P; p++) offer(p, numbered(squared_distance<D>(x[p], row), i), INT_MAX);
}

/// What a warp knows of a chunk.
struct Chunk {
  const float* centroids;
  const float* scale;
  /// In shared memory; empty where there was no room for it.
  std::uint16_t* list;
  int listed;
  /// That of the stretch.
  const std::uint16_t* longer;
  int of_longer;
  unsigned number;

  /// Lists in shared memory, one after the other, that hold all centroids in question; by a warp.
  template <class Use>
  __device__ __forceinline__ void for_each_list(const Use& use) const {
    if (listed > 0) return use(listed);
    for (int done = 0; done < of_longer; done += max_listed) {
      const int count = min(max_listed, of_longer - done);
      __syncwarp();
      for (int i = static_cast<int>(threadIdx.x % 32); i < count; i += 32) list[i] = longer[done + i];
      __syncwarp();
      use(count);
    }
  }
};

/// A list of clusters.
struct Listed {
  const std::uint16_t* list;

  __device__ __forceinline__ int operator()(int i) const { return list[i]; }
};

/// Labels of a lane's points. @returns a bit for each that is in doubt.
template <int D, int P>
__device__ __forceinline__ unsigned label_with_gaps(const float (&x)[P][D], const Chunk& chunk, int (&labels)[P]) {
  NearestWithGap nearest[P];
  chunk.for_each_list([&](int listed) { search<D, P>(x, chunk.centroids, chunk.list, listed, nearest); });
  constexpr TieMargin margin(D);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    labels[p] = nearest[p].cluster;
    doubts |= margin.is_doubtful(nearest[p].distance, nearest[p].gap) ? 1U << p : 0;
  }
  return doubts;
}

/// The same by the chunk's own list. A distance with a number in b bits is off by less than 2^(b - 23) of itself, two of them by less
/// than 2^(b - 21) of the smaller one where they are close at all.
template <int D, int P>
__device__ __forceinline__ unsigned label_numbered(const float (&x)[P][D], const Chunk& chunk, int (&labels)[P]) {
  int first[P], second[P];
#pragma unroll
  for (int p = 0; p < P; p++) first[p] = second[p] = INT_MAX;
  const int bits = 32 - __clz(chunk.listed - 1);
  search_numbered<D, P>(x, chunk.centroids, chunk.list, chunk.listed, bits, first, second);
  constexpr TieMargin margin(D);
  // The least of normal numbers covers numbers in those that are not.
  const float share = margin.share + __int_as_float((127 - 21 + bits) << 23);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    const float smallest = __int_as_float(first[p]);
    labels[p] = chunk.list[first[p] & ((1 << bits) - 1)];
    doubts |= __int_as_float(second[p]) > fmaf(smallest, share, smallest + margin.least) ? 0 : 1U << p;
  }
  return doubts;
}

/// The same where the list has two clusters, as most have that points of the plane are compared with.
template <int D, int P>
__device__ __forceinline__ unsigned label_by_two(const float (&x)[P][D], const Chunk& chunk, int (&labels)[P]) {
  constexpr TieMargin margin(D);
  const int a = chunk.list[0], b = chunk.list[1];
  float first[D], second[D];
  load_row<D>(chunk.centroids + a * row_words<D>, first);
  load_row<D>(chunk.centroids + b * row_words<D>, second);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    const float to_first = squared_distance<D>(x[p], first), to_second = squared_distance<D>(x[p], second);
    labels[p] = to_second < to_first ? b : a;
    doubts |= margin.is_doubtful(fminf(to_first, to_second), fabsf(to_first - to_second)) ? 1U << p : 0;
  }
  return doubts;
}

/// Labels of a lane's points that float32 leaves in doubt, those with a bit in `doubts`; by a warp.
template <int D, int P>
__device__ __forceinline__ void decide_labels(const ChunkJob& job, const Chunk& chunk, int slot, unsigned doubts, int (&labels)[P]) {
  constexpr int points = 32 * lane_points(D), bits = 12, together = P < 4 ? P : 4;
  static_assert(max_clusters <= 1 << bits, "labels fit into their bits");
  const float* const values = job.points.values + static_cast<std::size_t>(chunk.number) * points * D;
  const bool is_short = chunk.listed > 0;
  const Listed listed{is_short ? chunk.list : chunk.longer};
#pragma unroll
  for (int first = 0; first < P; first += together) {
    PackedLabels<bits> packed;
#pragma unroll
    for (int p = 0; p < together; p++) packed.put(p, labels[first + p]);
    packed = decide_points<together, bits>(job.d, PointsOfChunk<D>{values, slot + first * 32}, RowsApart{chunk.centroids, row_words<D>},
                                           is_short ? chunk.listed : chunk.of_longer, listed, doubts >> first, packed);
#pragma unroll
    for (int p = 0; p < together; p++) labels[first + p] = packed.at(p);
  }
}

/// Labels rows first .. first + P - 1 of a chunk and adds them up. @returns how many labels of the lane's points have changed.
template <int D, int P>
__device__ __forceinline__ unsigned label_points(const ChunkJob& job, const Pass& pass, const BlockSums& sums, const Chunk& chunk, int first) {
  constexpr int points = 32 * lane_points(D);
  const int slot = first * 32 + static_cast<int>(threadIdx.x % 32);
  float x[P][D];
#pragma unroll
  for (int p = 0; p < P; p++) load_point<D>(job.points.values + static_cast<std::size_t>(chunk.number) * points * D, slot + p * 32, x[p]);
  int labels[P];
  unsigned doubts;
  if (D == 2 && chunk.listed == 2) doubts = label_by_two<D, P>(x, chunk, labels);
  else if (D == 2 && chunk.listed > 0) doubts = label_numbered<D, P>(x, chunk, labels);
  else doubts = label_with_gaps<D, P>(x, chunk, labels);
  if (__any_sync(everyone, doubts != 0)) {
    decide_labels<D, P>(job, chunk, slot, doubts, labels);
    // Read once more: kept across the call they would leave the registers for everybody.
#pragma unroll
    for (int p = 0; p < P; p++) load_point<D>(job.points.values + static_cast<std::size_t>(chunk.number) * points * D, slot + p * 32, x[p]);
  }
  const std::size_t point = static_cast<std::size_t>(chunk.number) * points + slot;
  unsigned valid = 0, changed = 0;
#pragma unroll
  for (int p = 0; p < P; p++) {
    if (point + p * 32 < job.n) valid |= 1U << p;
  }
  if (pass.labels != nullptr) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (valid >> p & 1) changed += note_label(pass, job.points.rows[point + p * 32], labels[p]);
    }
  }
  if (pass.accumulate) add_points<D, P>(sums, chunk.scale, job.d, x, labels, valid);
  return changed;
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
  if constexpr (D == 2) finish_few<2>(finish, reinterpret_cast<RowTotals*>(shared));
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
  double speed() const override { return others_->speed(); }
  double share_of_distances() const override { return share_; }
  void restart(cudaStream_t stream) override { others_->restart(stream); }

  void enqueue_assign(const Pass& pass) override {
    prepare(pass);
    if (job_.first_stretch == job_.end_stretch) return;
    launch(pass, job_, {});
  }

  bool completes() const override { return D == 2 && problem_.d == 2 && problem_.k <= threads<D> && problem_.device.major >= 9; }

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

  template <class... Arguments>
  void start(void (*kernel)(Arguments...), unsigned blocks, unsigned its_threads, std::size_t bytes, cudaStream_t stream,
             Arguments... arguments) const {
    if (problem_.device.major >= 9) return launch_early(kernel, blocks, its_threads, bytes, stream, arguments...);
    kernel<<<blocks, its_threads, bytes, stream>>>(arguments...);
    check_launch("fused, neighbour boxes");
  }

  void launch(const Pass& pass, const ChunkJob& job, const FinishArguments& finish) const {
    constexpr unsigned listing_warps = listing_threads / 32;
    const auto multiprocessors = static_cast<unsigned>(problem_.device.multiProcessorCount);
    const unsigned listing_blocks = std::min((job.points.stretches + listing_warps - 1) / listing_warps, 4 * multiprocessors);
    start(list_stretches<D>, listing_blocks, listing_threads, row_bytes(pass.k), pass.stream, job, pass);
    const auto blocks = std::min(multiprocessors, (job.points.chunks + warps<D> - 1) / warps<D>);
    start(label_chunks<D>, blocks, threads<D>, Layout<D>(pass.k, job.d, job.copies).bytes, pass.stream, job, pass, finish);
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

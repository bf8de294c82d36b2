// `fused` for few clusters of up to 64 features, bound by memory: each warp has tiles of points in shared memory, copied several
// ahead, so that each point is read once, no thread waits for it and no warp for another. Few clusters by distances, several points a
// thread; more by scores on matrix units (matrix_search.cuh).
//
// Sums are kept from pass to pass: what a pass adds is where a point came to and takes away where it left, which in whole numbers
// leaves the same sums as adding all points anew.
//
// A coordinate costs 2 k operations for distances, or about 6 for its halves and 4 k / d for the smallest score; that of a point that
// moved about 30. Floor: 4 bytes of memory a coordinate, and one a point for its cluster.
#include <algorithm>
#include <cmath>

#include "../../regimes.hpp"
#include "check.hpp"
#include "dynamic_shared.hpp"
#include "distance_search.cuh"
#include "launch_early.cuh"
#include "matrix_search.cuh"
#include "moved_points.cuh"
#include "point_copies.cuh"

namespace centroid_lab::cuda {
namespace {

using namespace staged_points;

/// Threads of a block: of those that compute distances several share a multiprocessor, one that scores has it. Fewer where shared
/// memory is small.
constexpr int threads_by_distances = 256, blocks_by_distances = 4, threads_by_scores = 512;
constexpr int min_threads = 128;
/// Features that are scored together.
constexpr int eight = 8;
constexpr int max_features = 64;
/// Of a label among those that distances choose from: see max_products_by_distances.
constexpr int label_bits = 8;
/// Beyond those many features fewer clusters.
constexpr int max_clusters = 128, max_narrow = 32, max_clusters_beyond = 64;
/// Static shared memory, generously.
constexpr std::size_t spare_bytes = 1024;

/// Parts: eights of features that are scored on matrix units; 0 where distances to all centroids are computed.
constexpr int threads_for(int parts) { return parts > 0 ? threads_by_scores : threads_by_distances; }

struct StagedPointsJob {
  const float* x;
  const float* scale;
  int d;
  /// Tiles of a warp in shared memory.
  int stages;
  /// Points of a tile.
  int tile_points;
  /// Vectors of centroids as products want them; none where distances to all are computed.
  int image_vectors;
  /// Upper bound of |x|.
  float reach;
  Kept kept;
};

/// Shared memory of a block, in floats: tiles, centroids, their image, sums, points that moved.
struct Layout {
  Rows rows;
  int tile;
  int centroids;
  int sums;

  __host__ __device__ Layout(const StagedPointsJob& job, int k)
      : rows(job.d), tile(rows.tile_floats(job.tile_points)), centroids((k + four - 1) / four * floats_of_four(job.d)),
        sums(BlockSums::words(k, job.d)) {}
  __host__ __device__ int floats(const StagedPointsJob& job, int warps) const {
    return warps * (job.stages * tile + job.tile_points) + centroids + 4 * job.image_vectors + sums;
  }
};

struct Shared {
  /// Of the thread's warp.
  float* tiles;
  unsigned* moved;
  float* centroids;
  uint4* image;
  unsigned* sums;

  __device__ Shared(float* memory, const StagedPointsJob& job, const Layout& layout) {
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    tiles = memory + warp * job.stages * layout.tile;
    centroids = memory + warps * job.stages * layout.tile;
    image = reinterpret_cast<uint4*>(centroids + layout.centroids);
    sums = reinterpret_cast<unsigned*>(image + job.image_vectors);
    moved = sums + layout.sums + warp * job.tile_points;
  }
};

/// Those past k or left out are infinitely far.
__device__ void stage_centroids(const StagedPointsJob& job, const Pass& pass, const Layout& layout, const Shared& to) {
  for (int at = threadIdx.x; at < layout.centroids; at += blockDim.x) {
    const int feature = at / four % (job.d + 1), cluster = at / floats_of_four(job.d) * four + at % four;
    const float value = cluster < pass.k && feature < job.d ? pass.centroids[cluster * job.d + feature] : INFINITY;
    to.centroids[at] = isnan(value) ? INFINITY : value;
  }
}

/// A tile whose points are labelled: those `first` .. `first` + `count` - 1, rows `stride` floats apart.
struct Tile {
  const float* rows;
  int stride;
  std::size_t first;
  int count;
};

/// The cluster that a point of the tile had, as kept.
__device__ __forceinline__ unsigned kept_cluster(const StagedPointsJob& job, const Pass& pass, const Tile& tile, int point) {
  return job.kept.clusters != nullptr && pass.accumulate && point < tile.count ? job.kept.clusters[tile.first + point] : 0;
}

/// Notes the cluster of each lane's point of the tile, and that it moved; by whole warps.
/// @param before see `kept_cluster`. @returns changed labels.
__device__ __forceinline__ unsigned note_and_keep(const StagedPointsJob& job, const Pass& pass, MovedPoints& moved, const Tile& tile,
                                                  int point, bool is_mine, int cluster, unsigned before) {
  const unsigned now = static_cast<unsigned>(cluster) + 1;
  const bool is_point = is_mine && point < tile.count;
  const bool moves = is_point && pass.accumulate && now != before;
  moved.append(moves, point * tile.stride, now, before);
  if (moves && job.kept.clusters != nullptr) job.kept.clusters[tile.first + point] = static_cast<unsigned char>(now);
  return is_point ? note_label(pass, tile.first + point, cluster) : 0;
}

/// Labels of a tile by distances, P points a lane. @returns changed labels.
template <int V, int P>
__device__ __forceinline__ unsigned label_by_distances(const StagedPointsJob& job, const Pass& pass, const Shared& shared,
                                                       const Tile& tile, MovedPoints& moved) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  unsigned before[P];
#pragma unroll
  for (int p = 0; p < P; p++) before[p] = kept_cluster(job, pass, tile, lane + p * 32);
  const float* const own = tile.rows + lane * tile.stride;
  const int apart = 32 * tile.stride;
  int labels[P];
  unsigned doubts = 0;
  if (pass.k <= four - 1) doubts = label_numbered<V, P, four - 1>(own, apart, shared.centroids, job.d, labels);
  else if (pass.k <= four) doubts = label_numbered<V, P, four>(own, apart, shared.centroids, job.d, labels);
  else if (pass.k <= 2 * four) doubts = label_numbered<V, P, 2 * four>(own, apart, shared.centroids, job.d, labels);
  else doubts = label_with_gaps<V, P>(own, apart, shared.centroids, job.d, pass.k, labels);
  // Past the last point lies what was there before; where there is one cluster nothing comes second.
#pragma unroll
  for (int p = 0; p < P; p++) doubts &= lane + p * 32 < tile.count && pass.k > 1 ? ~0U : ~(1U << p);
  if (doubts != 0) {
    PackedLabels<label_bits> packed;
#pragma unroll
    for (int p = 0; p < P; p++) packed.put(p, labels[p]);
    packed = decide_points_by_lane<P, label_bits>(job.d, RowsOfTile{own, apart}, RowsOfFours{shared.centroids, job.d}, pass.k, AllInOrder{},
                                                  doubts, packed);
#pragma unroll
    for (int p = 0; p < P; p++) labels[p] = packed.at(p);
  }
  __syncwarp();
  unsigned changed = 0;
#pragma unroll
  for (int p = 0; p < P; p++) changed += note_and_keep(job, pass, moved, tile, lane + p * 32, true, labels[p], before[p]);
  return changed;
}

/// Label of each lane's row `own` where `open` has the lane.
__device__ __noinline__ int resolve_open(const float* own, const float* centroids, int k, int d, unsigned open, int label) {
  const NearestWithGap nearest = search_open(own, centroids, k, d, open);
  const TieMargin margin(d);
  const bool asked = open >> threadIdx.x % 32 & 1;
  const unsigned doubtful = __ballot_sync(whole_warp, asked && margin.is_doubtful(nearest.distance, nearest.gap));
  if (asked) label = nearest.cluster;
  if (doubtful == 0) return label;
  return decide_here(d, Strided{own, 1}, RowsOfFours{centroids, d}, k, AllInOrder{}, doubtful, label, margin.limit(nearest.distance));
}

/// Labels of a tile by scores. @returns changed labels.
template <int V, int Parts>
__device__ __forceinline__ unsigned label_by_scores(const StagedPointsJob& job, const Pass& pass, const Shared& shared,
                                                    const matrix_units::MatrixBounds& bounds, const Tile& tile, MovedPoints& moved) {
  constexpr int products = products_at_once<Parts>, at_once = 16 * products;
  const int lane = static_cast<int>(threadIdx.x % 32);
  // Of one product two lanes have each point.
  const int mine = products == 2 ? lane : searched_point<1>(0, lane / 2 % 2);
  const bool is_mine = products == 2 || lane % 2 == 0;
  unsigned changed = 0;
#pragma unroll 1
  for (int begin = 0; begin < tile.count; begin += at_once) {
    const unsigned before = kept_cluster(job, pass, tile, begin + mine);
    PointHalves<V, Parts> points;
    split_rows<V, Parts>(tile.rows + begin * tile.stride, tile.stride, job.d, bounds.scale, points);
    TwoSmallest found[2 * products];
    scan_columns<V, Parts>(shared.image, pass.k, points, found);
    const FoundByFour mine_found = share_found<V, Parts>(found, number_mask(pass.k), points);
    const float first_score = mine_found.found.first;
    const float half = fmaxf(0.0F, fmaf(0.5F, mine_found.squared_norm, first_score));
    const float most = first_score + bounds.margins.of(mine_found.squared_norm, half);
    int label = mine_found.cluster;
    const unsigned open = __ballot_sync(whole_warp, !(mine_found.found.second > most) && is_mine && begin + mine < tile.count);
    if (open != 0) label = resolve_open(tile.rows + (begin + mine) * tile.stride, shared.centroids, pass.k, job.d, open, label);
    changed += note_and_keep(job, pass, moved, tile, begin + mine, is_mine, label, before);
  }
  return changed;
}

/// V: floats that a row is read in; P: points a lane, by distances; Parts: see `threads_for`.
template <int V, int P, int Parts>
__global__ void __launch_bounds__(threads_for(Parts), Parts > 0 ? 1 : blocks_by_distances) staged_points_kernel(StagedPointsJob job, Pass pass, FinishArguments finish) {
  let_next_begin();
  extern __shared__ float4 memory[];
  const Layout layout(job, pass.k);
  const Shared shared(reinterpret_cast<float*>(memory), job, layout);
  const size_t tiles = (pass.count + job.tile_points - 1) / job.tile_points;
  const size_t end = pass.first + pass.count;
  const int shift = static_cast<int>(pass.first * job.d % 4);
  const CopyPath path(layout.rows);
  const auto begin_copy = [&](size_t tile, int stage) {
    const size_t first = pass.first + tile * job.tile_points;
    if (tile < tiles) {
      copy_rows(job.x, first * job.d, min(end, first + job.tile_points) * job.d, path, shared.tiles + stage * layout.tile);
    }
    end_of_tile();
  };
  // Neighbours in memory are those of neighbouring warps.
  const size_t warps = static_cast<size_t>(gridDim.x) * (blockDim.x / 32);
  size_t at = static_cast<size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  for (int ahead = 0; ahead + 1 < job.stages; ahead++) begin_copy(at + ahead * warps, ahead);
  // Points are the same in all passes.
  await_earlier();
  if (*pass.halted != 0) return end_of_copies();
  stage_centroids(job, pass, layout, shared);
  const BlockSums sums(shared.sums, pass.k, job.d, job.scale);
  sums.clear();
  matrix_units::MatrixBounds bounds{};
  if constexpr (Parts > 0) {
    bounds = matrix_units::matrix_bounds(job.d, score_error(job.d, pass.k), job.reach, matrix_units::largest_squared_norm(pass, job.d));
    stage_image<V, Parts>(pass, job.d, bounds.scale, shared.image);
  }
  __syncthreads();

  unsigned changed = 0;
  int stage = 0;
  for (; at < tiles; at += warps) {
    await_tile(job.stages - 2);
    // What all lanes copied has arrived, and none reads the tile before this one.
    __syncwarp();
    begin_copy(at + static_cast<size_t>(job.stages - 1) * warps, stage == 0 ? job.stages - 1 : stage - 1);
    const size_t first = pass.first + at * job.tile_points;
    const Tile tile{shared.tiles + stage * layout.tile + shift, layout.rows.stride(), first,
                    static_cast<int>(min(static_cast<size_t>(job.tile_points), end - first))};
    MovedPoints moved(shared.moved);
    if constexpr (Parts > 0) changed += label_by_scores<V, Parts>(job, pass, shared, bounds, tile, moved);
    else changed += label_by_distances<V, P>(job, pass, shared, tile, moved);
    __syncwarp();
    moved.add_to(sums, tile.rows);
    stage = stage + 1 == job.stages ? 0 : stage + 1;
  }
  if (pass.count_changes) {
    for (int step = 16; step > 0; step /= 2) changed += __shfl_xor_sync(whole_warp, changed, step);
    if (threadIdx.x % 32 == 0 && changed > 0) atomicAdd(pass.changed, changed);
  }
  if (!pass.accumulate) return;
  __syncthreads();
  sums.add_to(job.kept, pass);
  if (job.kept.sums != nullptr) hand_over(job.kept, pass, job.d, finish);
}

struct StagedPointsKernel {
  void (*kernel)(StagedPointsJob, Pass, FinishArguments);
  /// 0 where nothing fits.
  std::size_t bytes;
  int threads;
  StagedPointsJob job;
};

/// Clusters, and clusters times features, beyond which scores on matrix units take less time than distances.
constexpr int max_by_distances = 8, max_products_by_distances = 144;
/// Features up to which tiles hold 64 points, two a lane (128 where they are scored), and beyond which they hold sixteen, for scores.
constexpr int max_of_two = 12, max_of_one = 32;

/// Eights of features that are scored, or 0.
int scored_parts(const Problem& problem) {
  const bool many = problem.k > max_by_distances && problem.k * problem.d > max_products_by_distances;
  return many || problem.d > max_of_one ? (problem.d + eight - 1) / eight : 0;
}

StagedPointsJob job_of(const Problem& problem, int parts) {
  StagedPointsJob job{};
  job.x = problem.x;
  job.scale = problem.scale;
  job.d = problem.d;
  job.tile_points = problem.d <= max_of_two ? (parts > 0 ? 128 : 64) : problem.d <= max_of_one ? 32 : 16;
  job.image_vectors = parts > 0 ? columns_of(problem.k) * ((parts + 1) / 2 * 32 + 2) : 0;
  double squared = 0;
  for (int j = 0; j < problem.d; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
  job.reach = static_cast<float>(1.000001 * std::sqrt(squared));
  return job;
}

/// As many warps on a multiprocessor as it can have, the points of a tile as wanted or as few as can be, and as many tiles as fit then;
/// no more than three are on their way. @returns bytes of a block, 0 where nothing fits.
std::size_t fit(const Problem& problem, int parts, StagedPointsJob& job, int& threads) {
  const int wanted = job.tile_points, min_points = std::min(wanted, 32);
  const auto bytes_if_fits = [&](std::size_t blocks) -> std::size_t {
    const std::size_t share = problem.device.sharedMemPerMultiprocessor / blocks;
    const std::size_t limit = std::min<std::size_t>(problem.device.sharedMemPerBlockOptin, share);
    for (const int points : {wanted, min_points}) {
      job.tile_points = points;
      for (job.stages = 4; job.stages >= 2; job.stages--) {
        const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(Layout(job, problem.k).floats(job, threads / 32));
        if (bytes + spare_bytes <= limit) return bytes;
      }
    }
    return 0;
  };
  threads = threads_for(parts);
  for (std::size_t blocks = parts > 0 ? 1 : blocks_by_distances; blocks > 0; blocks--) {
    if (const std::size_t bytes = bytes_if_fits(blocks); bytes > 0) return bytes;
  }
  for (threads /= 2; threads >= min_threads; threads /= 2) {
    if (const std::size_t bytes = bytes_if_fits(1); bytes > 0) return bytes;
  }
  return 0;
}

using Kernel = void (*)(StagedPointsJob, Pass, FinishArguments);

template <int V, int Parts = 1>
Kernel kernel_by_scores(int parts) {
  if constexpr (Parts * eight <= max_features) {
    return parts == Parts ? staged_points_kernel<V, 1, Parts> : kernel_by_scores<V, Parts + 1>(parts);
  }
  return nullptr;
}

template <int V>
Kernel kernel_for_rows(int points, int parts) {
  if (parts > 0) return kernel_by_scores<V>(parts);
  return points == 32 ? staged_points_kernel<V, 1, 0> : staged_points_kernel<V, 2, 0>;
}

StagedPointsKernel kernel_of(const Problem& problem) {
  const int parts = scored_parts(problem);
  StagedPointsKernel made{};
  made.job = job_of(problem, parts);
  made.bytes = fit(problem, parts, made.job, made.threads);
  made.kernel = problem.d % 4 == 0   ? kernel_for_rows<4>(made.job.tile_points, parts)
                : problem.d % 2 == 0 ? kernel_for_rows<2>(made.job.tile_points, parts)
                                     : kernel_for_rows<1>(made.job.tile_points, parts);
  return made;
}

class StagedPoints final : public DeviceVariant {
 public:
  StagedPoints(const Problem& problem, const StagedPointsKernel& made) : made_(made), k_(problem.k), is_early_(can_launch_early(problem.device)) {
    allow_dynamic_shared(made.kernel, made.bytes);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, made.kernel, made.threads, made.bytes), "occupancy of staged points");
    blocks_ = static_cast<std::size_t>(std::max(1, blocks)) * static_cast<std::size_t>(problem.device.multiProcessorCount);
    if (problem.streamed) return;
    kept_ = KeptSums(problem.n, static_cast<std::size_t>(problem.d), static_cast<std::size_t>(problem.k));
    made_.job.kept = kept_.get();
  }

  void restart(cudaStream_t stream) override { kept_.restart(stream); }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  bool leaves_copies_out() const override { return true; }
  double speed() const override { return 0.3; }

  void enqueue_assign(const Pass& pass) override { enqueue_complete(pass, {}); }

  bool completes() const override { return made_.job.kept.sums != nullptr && k_ <= rows_of_warp * made_.threads / 32; }

  void enqueue_complete(const Pass& pass, const FinishArguments& finish) override {
    const auto points = static_cast<std::size_t>(made_.job.tile_points * made_.threads / 32);
    const auto blocks = static_cast<unsigned>(std::min(blocks_, (pass.count + points - 1) / points));
    launch_in_turn(is_early_, made_.kernel, blocks, static_cast<unsigned>(made_.threads), made_.bytes, pass.stream, made_.job, pass, finish);
  }

 private:
  StagedPointsKernel made_;
  int k_;
  bool is_early_;
  std::size_t blocks_ = 0;
  KeptSums kept_;
};

std::string refusal(const Problem& problem) {
  if (problem.device.major < 8) return "Points in shared memory are copied and scored by compute capability 8.0 and later.";
  if (problem.d > max_features || problem.k > (problem.d > max_narrow ? max_clusters_beyond : max_clusters)) {
    return "Points in shared memory have up to 32 features and 128 clusters, or 64 and 64.";
  }
  return kernel_of(problem).bytes > 0 ? "" : "Two tiles of points a warp do not fit into the shared memory of a block.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) {
  return std::make_unique<StagedPoints>(problem, kernel_of(problem));
}

}  // namespace

namespace fused {
const Regime staged_points{"staged-points", refusal, make};
}

}  // namespace centroid_lab::cuda

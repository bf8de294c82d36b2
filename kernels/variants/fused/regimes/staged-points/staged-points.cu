// `fused` for few clusters of up to 64 features, bound by memory: tiles of points in shared memory, copied several ahead, so that each
// point is read once and no thread waits for it. Few clusters by distances, several points a thread; more by scores on matrix units
// (matrix_search.cuh). Sums on integer matrix units (one_hot_sums.cuh), so that few clusters do not make threads wait for each other's
// atomics.
//
// A coordinate costs 2 k operations for distances, or about 6 for its halves and 4 k / d for the smallest score, and about 12 for its
// fixed-point number and bytes. Floor: 4 bytes of memory a coordinate.
#include <algorithm>
#include <cmath>

#include "../../regimes.hpp"
#include "check.hpp"
#include "dynamic_shared.hpp"
#include "matrix_search.cuh"
#include "nearest.cuh"
#include "one_hot_sums.cuh"
#include "point_copies.cuh"

namespace centroid_lab::cuda {
namespace {

using namespace staged_points;

/// Threads of a block that shares a multiprocessor with another, and of one that has it.
constexpr int threads_of_two = 256, threads_of_one = 512;
/// Centroids that lie together: [four][feature][4].
constexpr int four = 4;
constexpr int max_features = 64;
constexpr int max_clusters = 64;
/// Static shared memory, generously.
constexpr std::size_t spare_bytes = 1024;

/// Parts: eights of features that are scored on matrix units; 0 where distances to all centroids are computed.
constexpr int threads_for(int parts) { return parts > 4 ? threads_of_one : threads_of_two; }

struct StagedPointsJob {
  const float* x;
  const float* scale;
  int d;
  /// Tiles in shared memory.
  int stages;
  /// Points of a tile.
  int tile_points;
  /// Eights of features, ranges of clusters for sums, and how many warps share a pair of them.
  int feature_groups;
  int cluster_groups;
  int slices;
  /// Vectors of centroids as products want them; none where distances to all are computed.
  int image_vectors;
  /// Upper bound of |x|.
  float reach;
};

/// Shared memory of a block, in floats.
struct Layout {
  Rows rows;
  int tile;
  int centroids;

  __host__ __device__ Layout(const StagedPointsJob& job, int k)
      : rows(job.d), tile(rows.tile_floats(job.tile_points)), centroids((k + four - 1) / four * four * job.d) {}
  /// Tiles, centroids, their image, labels as bytes.
  __host__ __device__ int floats(const StagedPointsJob& job) const {
    return job.stages * tile + centroids + 4 * job.image_vectors + job.tile_points / 4;
  }
};

struct Shared {
  float* tiles;
  float* centroids;
  uint4* image;
  unsigned char* labels;

  __device__ Shared(float* memory, const StagedPointsJob& job, const Layout& layout) {
    tiles = memory;
    centroids = tiles + job.stages * layout.tile;
    image = reinterpret_cast<uint4*>(centroids + layout.centroids);
    labels = reinterpret_cast<unsigned char*>(image + job.image_vectors);
  }
};

/// Those past k are infinitely far.
__device__ void stage_centroids(const StagedPointsJob& job, const Pass& pass, const Layout& layout, const Shared& to) {
  for (int at = threadIdx.x; at < layout.centroids; at += blockDim.x) {
    const int feature = at / four % job.d, cluster = at / four / job.d * four + at % four;
    to.centroids[at] = cluster < pass.k ? pass.centroids[cluster * job.d + feature] : INFINITY;
  }
}

/// C squared: by all threads, each warp its centroids. Synchronises.
__device__ float largest_squared_norm(const Pass& pass, int d) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  for (int c = threadIdx.x / 32; c < pass.k; c += blockDim.x / 32) {
    double squared = 0;
    for (int j = threadIdx.x % 32; j < d; j += 32) {
      const double value = pass.centroids[static_cast<size_t>(c) * d + j];
      squared = fma(value, value, squared);
    }
    for (int step = 16; step > 0; step /= 2) squared += __shfl_xor_sync(whole_warp, squared, step);
    if (threadIdx.x % 32 == 0) atomicMax(&largest, __float_as_uint(static_cast<float>(squared)));
  }
  __syncthreads();
  return __uint_as_float(largest);
}

/// Offers `Fours` fours of clusters, of which `first` is the first, to P points, rows `apart` floats apart, read in vectors of V.
template <int V, int P, int Fours>
__device__ __forceinline__ void offer(const float* row, int apart, const float* centroids, int d, int first, Nearest (&best)[P]) {
  float distance[P][Fours * four];
#pragma unroll
  for (int p = 0; p < P; p++) {
#pragma unroll
    for (int c = 0; c < Fours * four; c++) distance[p][c] = 0;
  }
  const float* from = centroids + first * d;
#pragma unroll 1
  for (int j = 0; j < d; j += V) {
    float x[P][V];
#pragma unroll
    for (int p = 0; p < P; p++) load_row<V>(row + p * apart + j, x[p]);
#pragma unroll
    for (int l = 0; l < V; l++) {
#pragma unroll
      for (int part = 0; part < Fours; part++) {
        float centroid[four];
        load_row<four>(from + part * four * d + (j + l) * four, centroid);
#pragma unroll
        for (int c = 0; c < four; c++) {
#pragma unroll
          for (int p = 0; p < P; p++) {
            const float difference = x[p][l] - centroid[c];
            distance[p][part * four + c] = fmaf(difference, difference, distance[p][part * four + c]);
          }
        }
      }
    }
  }
#pragma unroll
  for (int c = 0; c < Fours * four; c++) {
#pragma unroll
    for (int p = 0; p < P; p++) best[p].offer(first + c, distance[p][c]);
  }
}

/// The nearest of k clusters.
template <int V, int P>
__device__ __forceinline__ void search(const float* row, int apart, const float* centroids, int d, int k, Nearest (&best)[P]) {
  int begin = 0;
#pragma unroll 1
  for (; begin + four < k; begin += 2 * four) offer<V, P, 2>(row, apart, centroids, d, begin, best);
  if (begin < k) offer<V, P, 1>(row, apart, centroids, d, begin, best);
}

/// Notes the label of a point of the tile, whose first is `first`, and leaves it to the sums. @param slot where labels of its number in
/// 32 lie, see `label_slot`. @returns changed labels.
__device__ __forceinline__ unsigned note_and_keep(const Pass& pass, const Shared& shared, size_t first, int point, int slot, int rows,
                                                  int cluster) {
  const bool is_point = point < rows;
  shared.labels[(point & ~(product_points - 1)) + slot] = static_cast<unsigned char>(is_point ? cluster : static_cast<int>(no_label));
  return is_point ? note_label(pass, first + point, cluster) : 0;
}

/// Labels of a tile by distances. @returns changed labels.
template <int V, int P>
__device__ __forceinline__ unsigned label_by_distances(const StagedPointsJob& job, const Pass& pass, const Shared& shared,
                                                       const float* tile, int stride, size_t first, int rows) {
  const int lane = static_cast<int>(threadIdx.x % 32), slot = label_slot<V>(lane);
  unsigned changed = 0;
#pragma unroll 1
  for (int begin = (static_cast<int>(threadIdx.x) - lane) * P; begin < rows; begin += P * threads_of_two) {
    Nearest best[P];
    search<V, P>(tile + (begin + lane) * stride, 32 * stride, shared.centroids, job.d, pass.k, best);
#pragma unroll
    for (int p = 0; p < P; p++) changed += note_and_keep(pass, shared, first, begin + lane + p * 32, slot, rows, best[p].cluster);
  }
  return changed;
}

/// Label of each lane's row `own` by distances to all centroids where `open` has the lane: the whole warp for one after another, or,
/// where many are open, each lane for its own.
__device__ __noinline__ int resolve_open(const float* own, const float* centroids, int k, int d, unsigned open, int label) {
  constexpr int many = 12;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (__popc(open) > many) {
    Nearest best[1];
    search<1, 1>(own, 0, centroids, d, k, best);
    return open >> lane & 1 ? best[0].cluster : label;
  }
  for (; open != 0; open &= open - 1) {
    const int owner = __ffs(static_cast<int>(open)) - 1;
    const auto* row = reinterpret_cast<const float*>(__shfl_sync(whole_warp, reinterpret_cast<unsigned long long>(own), owner));
    // Nothing finite: the first.
    Nearest best;
    for (int c = lane; c < k; c += 32) {
      const float* centroid = centroids + c / four * four * d + c % four;
      float distance = 0;
      for (int j = 0; j < d; j++) {
        const float difference = row[j] - centroid[j * four];
        distance = fmaf(difference, difference, distance);
      }
      best.offer(c, distance);
    }
    for (int step = 16; step > 0; step /= 2) {
      const float distance = __shfl_xor_sync(whole_warp, best.distance, step);
      const int cluster = __shfl_xor_sync(whole_warp, best.cluster, step);
      if (distance < best.distance || (distance == best.distance && cluster < best.cluster)) best = {cluster, distance};
    }
    if (lane == owner) label = best.cluster;
  }
  return label;
}

/// Labels of a tile by scores. @returns changed labels.
template <int V, int Parts>
__device__ __forceinline__ unsigned label_by_scores(const StagedPointsJob& job, const Pass& pass, const Shared& shared,
                                                    const matrix_units::MatrixBounds& bounds, const float* tile, int stride, size_t first,
                                                    int rows) {
  constexpr int products = products_at_once<Parts>, at_once = 16 * products;
  const int lane = static_cast<int>(threadIdx.x % 32);
  // Of one product two lanes have each point.
  const int mine = products == 2 ? lane : searched_point<1>(0, lane / 2 % 2);
  const bool is_mine = products == 2 || lane % 2 == 0;
  const int slots[2] = {label_slot<V>(mine), label_slot<V>((mine + 16) % product_points)};
  // Sums are of 32 points at a time: what is past the last has no label.
  const int end = (rows + product_points - 1) / product_points * product_points;
  unsigned changed = 0;
#pragma unroll 1
  for (int begin = static_cast<int>(threadIdx.x) / 32 * at_once; begin < end; begin += threads_for(Parts) / 32 * at_once) {
    PointHalves<V, Parts> points;
    split_rows<V, Parts>(tile + begin * stride, stride, job.d, bounds.scale, points);
    TwoSmallest found[2 * products];
    scan_columns<V, Parts>(shared.image, pass.k, points, found);
    const FoundByFour mine_found = share_found<V, Parts>(found, number_mask(pass.k), points);
    const float first_score = mine_found.found.first;
    const float half = fmaxf(0.0F, fmaf(0.5F, mine_found.squared_norm, first_score));
    const float most = first_score + bounds.margins.of(mine_found.squared_norm, half);
    int label = mine_found.cluster;
    const unsigned open = __ballot_sync(whole_warp, !(mine_found.found.second > most) && is_mine && begin + mine < rows);
    if (open != 0) label = resolve_open(tile + (begin + mine) * stride, shared.centroids, pass.k, job.d, open, label);
    if (is_mine) changed += note_and_keep(pass, shared, first, begin + mine, slots[begin / 16 % 2], rows, label);
  }
  return changed;
}

/// The block's sums into the global ones: first those of its warps together, in the memory of the tiles. Synchronises.
template <int Blocks, int Bytes>
__device__ void add_block(ByteSums<Blocks, Bytes>& mine, const StagedPointsJob& job, const Pass& pass, float* memory, bool adding,
                          int first_cluster, int first_feature) {
  auto* sums = reinterpret_cast<unsigned long long*>(memory);
  const int numbers = pass.k * job.d;
  auto* counts = reinterpret_cast<unsigned*>(sums + numbers);
  for (int at = threadIdx.x; at < numbers; at += blockDim.x) sums[at] = 0;
  for (int at = threadIdx.x; at < pass.k; at += blockDim.x) counts[at] = 0;
  __syncthreads();
  if (adding) mine.empty_into(sums, counts, pass.k, job.d, first_cluster, first_feature, first_feature == 0);
  __syncthreads();
  for (int at = threadIdx.x; at < numbers; at += blockDim.x) {
    if (sums[at] != 0) atomicAdd(reinterpret_cast<unsigned long long*>(pass.fixed_sums) + at, sums[at]);
  }
  for (int at = threadIdx.x; at < pass.k; at += blockDim.x) {
    if (counts[at] != 0) atomicAdd(pass.counts + at, counts[at]);
  }
}

/// V: floats that a row is read in; P: points a thread; Blocks: sixteens of clusters a warp has sums of; Bytes: of their summands;
/// Parts: see `threads_for`.
template <int V, int P, int Blocks, int Bytes, int Parts>
__global__ void __launch_bounds__(threads_for(Parts), Parts > 4 ? 1 : 2) staged_points_kernel(StagedPointsJob job, Pass pass) {
  if (*pass.halted != 0) return;
  extern __shared__ float4 memory[];
  const Layout layout(job, pass.k);
  const Shared shared(reinterpret_cast<float*>(memory), job, layout);
  const int stride = layout.rows.stride();
  const size_t tile_points = job.tile_points;
  const size_t tiles = (pass.count + tile_points - 1) / tile_points;
  const size_t end = pass.first + pass.count;
  const int shift = static_cast<int>(pass.first * job.d % 4);
  const CopyPath path(layout.rows);
  const auto begin_copy = [&](size_t tile, int stage) {
    const size_t first = pass.first + tile * tile_points;
    if (tile < tiles) {
      copy_rows(job.x, first * job.d, min(end, first + tile_points) * job.d, path, shared.tiles + stage * layout.tile);
    }
    end_of_tile();
  };
  for (int ahead = 0; ahead + 1 < job.stages; ahead++) begin_copy(blockIdx.x + static_cast<size_t>(ahead) * gridDim.x, ahead);
  stage_centroids(job, pass, layout, shared);
  matrix_units::MatrixBounds bounds{};
  if constexpr (Parts > 0) {
    bounds = matrix_units::matrix_bounds(job.d, score_error(job.d, pass.k), job.reach, largest_squared_norm(pass, job.d));
    stage_image<V, Parts>(pass, job.d, bounds.scale, shared.image);
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int pairs = job.feature_groups * job.cluster_groups;
  const int slice = warp / pairs;
  const int first_feature = warp % pairs % job.feature_groups * product_features;
  const int first_cluster = warp % pairs / job.feature_groups * Blocks * product_clusters;
  const bool adding = pass.accumulate && slice < job.slices;
  // Features past d are those of the last, times zero.
  const int feature = min(first_feature + lane / 4, job.d - 1);
  const float scale = first_feature + lane / 4 < job.d ? job.scale[feature] : 0.0F;
  ByteSums<Blocks, Bytes> sums;
  sums.clear();
  unsigned changed = 0, summed = 0;
  int stage = 0;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    await_tile(job.stages - 2);
    // All copies have arrived, and nobody reads the tile before this one.
    __syncthreads();
    begin_copy(tile + static_cast<size_t>(job.stages - 1) * gridDim.x, stage == 0 ? job.stages - 1 : stage - 1);
    const float* rows = shared.tiles + stage * layout.tile + shift;
    const size_t first = pass.first + tile * tile_points;
    const int count = static_cast<int>(min(tile_points, end - first));
    if constexpr (Parts > 0) changed += label_by_scores<V, Parts>(job, pass, shared, bounds, rows, stride, first, count);
    else changed += label_by_distances<V, P>(job, pass, shared, rows, stride, first, count);
    __syncthreads();
    if (adding) {
      for (int at = slice * product_points; at < count; at += job.slices * product_points) {
        sums.template add<V>(reinterpret_cast<const unsigned*>(shared.labels + at), rows + at * stride + feature, stride, scale,
                             first_cluster, first_feature == 0);
        summed += product_points;
      }
      if (summed > max_points - 1024) {
        sums.empty_into(reinterpret_cast<unsigned long long*>(pass.fixed_sums), pass.counts, pass.k, job.d, first_cluster, first_feature,
                        first_feature == 0);
        summed = 0;
      }
    }
    stage = stage + 1 == job.stages ? 0 : stage + 1;
  }
  if (pass.count_changes) {
    for (int step = 16; step > 0; step /= 2) changed += __shfl_xor_sync(0xffffffffU, changed, step);
    if (lane == 0 && changed > 0) atomicAdd(pass.changed, changed);
  }
  if (!pass.accumulate) return;
  await_tile(0);
  __syncthreads();
  add_block(sums, job, pass, reinterpret_cast<float*>(memory), adding, first_cluster, first_feature);
}

struct StagedPointsKernel {
  void (*kernel)(StagedPointsJob, Pass);
  /// 0 where nothing fits.
  std::size_t bytes;
  int threads;
  StagedPointsJob job;
};

/// Points a thread, by distances: as many as tiles have.
int points_of_thread(int d, int bytes) { return bytes == 8 || d > 16 ? 1 : d > 8 ? 2 : 4; }

/// Clusters, and clusters times features, beyond which scores on matrix units take less time than distances.
constexpr int max_by_distances = 8, max_products_by_distances = 144;

/// Eights of features that are scored, or 0.
int scored_parts(const Problem& problem, int bytes) {
  const bool many = problem.k > max_by_distances && problem.k * problem.d > max_products_by_distances;
  return bytes == 6 && many ? (problem.d + product_features - 1) / product_features : 0;
}

StagedPointsJob job_of(const Problem& problem, int blocks, int parts) {
  StagedPointsJob job{};
  job.x = problem.x;
  job.scale = problem.scale;
  job.d = problem.d;
  job.tile_points = problem.d <= 8 ? 1024 : problem.d <= 16 ? 512 : 256;
  job.feature_groups = (problem.d + product_features - 1) / product_features;
  job.cluster_groups = (problem.k + blocks * product_clusters - 1) / (blocks * product_clusters);
  job.slices = threads_for(parts) / 32 / (job.feature_groups * job.cluster_groups);
  job.image_vectors = parts > 0 ? columns_of(problem.k) * ((parts + 1) / 2 * 32 + 2) : 0;
  double squared = 0;
  for (int j = 0; j < problem.d; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
  job.reach = static_cast<float>(1.000001 * std::sqrt(squared));
  return job;
}

/// As many tiles as let two blocks share a multiprocessor, or one have it; no more than three are on their way.
std::size_t fit_stages(const Problem& problem, StagedPointsJob& job) {
  for (const std::size_t blocks : {2, 1}) {
    const std::size_t share = problem.device.sharedMemPerMultiprocessor / blocks;
    const std::size_t limit = std::min<std::size_t>(problem.device.sharedMemPerBlockOptin, share);
    for (job.stages = 4; job.stages >= 2; job.stages--) {
      const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(Layout(job, problem.k).floats(job));
      if (bytes + spare_bytes <= limit) return bytes;
    }
  }
  return 0;
}

using Kernel = void (*)(StagedPointsJob, Pass);

template <int V, int P, int Bytes, int Parts = 0>
Kernel kernel_for(int blocks) {
  return blocks == 1 ? staged_points_kernel<V, P, 1, Bytes, Parts> : staged_points_kernel<V, P, 2, Bytes, Parts>;
}

template <int V>
Kernel kernel_by_distances(int points, int blocks, int bytes) {
  if (bytes == 8) return kernel_for<V, 1, 8>(blocks);
  return points == 1 ? kernel_for<V, 1, 6>(blocks) : points == 2 ? kernel_for<V, 2, 6>(blocks) : kernel_for<V, 4, 6>(blocks);
}

template <int V, int Parts = 1>
Kernel kernel_by_scores(int parts, int blocks) {
  if constexpr (Parts * product_features <= max_features) {
    return parts == Parts ? kernel_for<V, 1, 6, Parts>(blocks) : kernel_by_scores<V, Parts + 1>(parts, blocks);
  }
  return nullptr;
}

template <int V>
Kernel kernel_for_rows(int points, int blocks, int bytes, int scored) {
  return scored > 0 ? kernel_by_scores<V>(scored, blocks) : kernel_by_distances<V>(points, blocks, bytes);
}

/// @param bytes 6 where fixed-point numbers are below 2^47, else 8.
StagedPointsKernel kernel_of(const Problem& problem, int bytes) {
  const int blocks = problem.k <= product_clusters ? 1 : 2;
  const int points = points_of_thread(problem.d, bytes);
  const int scored = scored_parts(problem, bytes);
  StagedPointsKernel made{};
  made.threads = threads_for(scored);
  made.job = job_of(problem, blocks, scored);
  made.bytes = fit_stages(problem, made.job);
  made.kernel = problem.d % 4 == 0   ? kernel_for_rows<4>(points, blocks, bytes, scored)
                : problem.d % 2 == 0 ? kernel_for_rows<2>(points, blocks, bytes, scored)
                                     : kernel_for_rows<1>(points, blocks, bytes, scored);
  return made;
}

class StagedPoints final : public DeviceVariant {
 public:
  StagedPoints(const Problem& problem, const StagedPointsKernel& made) : made_(made) {
    allow_dynamic_shared(made.kernel, made.bytes);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, made.kernel, made.threads, made.bytes), "occupancy of staged points");
    blocks_ = static_cast<std::size_t>(std::max(1, blocks)) * static_cast<std::size_t>(problem.device.multiProcessorCount);
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return 0.3; }

  void enqueue_assign(const Pass& pass) override {
    const auto points = static_cast<std::size_t>(made_.job.tile_points);
    const auto blocks = static_cast<unsigned>(std::min(blocks_, (pass.count + points - 1) / points));
    made_.kernel<<<blocks, made_.threads, made_.bytes, pass.stream>>>(made_.job, pass);
    check_launch("fused, staged points");
  }

 private:
  StagedPointsKernel made_;
  std::size_t blocks_ = 0;
};

/// Fixed-point numbers of n points or more are below 2^(62 - log2 n), see fixed_point.hpp.
int bytes_of(std::size_t n) { return n > (std::size_t{1} << 14) ? 6 : 8; }

std::string refusal(const Problem& problem) {
  if (problem.device.major < 8) return "Points in shared memory are added on matrix units of compute capability 8.0.";
  if (problem.d > max_features || problem.k > max_clusters) return "Points in shared memory have up to 64 features and 64 clusters.";
  const StagedPointsKernel kernel = kernel_of(problem, bytes_of(problem.n));
  if (kernel.job.slices == 0) return "Few points in shared memory have up to 64 features for 32 clusters, 32 for 64.";
  return kernel.bytes > 0 ? "" : "Two tiles of points do not fit into the shared memory of a block.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) {
  return std::make_unique<StagedPoints>(problem, kernel_of(problem, bytes_of(problem.n)));
}

}  // namespace

namespace fused {
const Regime staged_points{"staged-points", refusal, make};
}

}  // namespace centroid_lab::cuda

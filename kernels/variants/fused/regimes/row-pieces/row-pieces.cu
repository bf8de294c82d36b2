// `fused` for few clusters of many features, bound by memory: each warp has sixteen points, whose rows pass through shared memory
// piece by piece, copied several ahead, and keeps the products with all centroids. Scores within a point's margin of the smallest
// leave centroids to distances.
//
// Sums are kept from pass to pass (kept_sums.cuh): what moves is read again, and added in global memory.
//
// A coordinate costs about 6 operations for its halves, 6 k on matrix units and k / 4 bytes of shared memory. Floor: 4 bytes of
// memory.
#include <algorithm>
#include <cmath>

#include "../../regimes.hpp"
#include "check.hpp"
#include "dynamic_shared.hpp"
#include "launch_early.cuh"
#include "pair_distances.cuh"
#include "piece_products.cuh"
#include "settle.cuh"

namespace centroid_lab::cuda {
namespace row_pieces {
namespace {

using staged_points::await_tile;
using staged_points::end_of_copies;
using staged_points::end_of_tile;
using staged_points::hand_over;
using staged_points::KeptSums;
using staged_points::rows_of_warp;

constexpr int max_threads = 512, min_threads = 128;
constexpr int max_clusters = 128;
constexpr int max_stages = 4;
/// Static shared memory, generously.
constexpr std::size_t spare_bytes = 1024;

/// The error of a score, in 2^-24 (|y| + |z|)^2: proof.md.
__device__ float score_error(int d) { return 38 + 0.01F * static_cast<float>(d); }

/// Shared memory of a block: centroids as products want them, halves of their squared norms, pieces of the warps.
struct Layout {
  int image_vectors, starts;

  __host__ __device__ Layout(int columns, int pieces)
      : image_vectors(columns * pieces * steps_of_piece * step_vectors), starts(columns * column_clusters) {}
  __host__ __device__ std::size_t bytes(int warps, int stages) const {
    return sizeof(uint4) * image_vectors + sizeof(float) * (starts + warps * stages * stage_floats);
  }
};

/// Lanes that make a distance together.
constexpr int lanes_of_pair = 8, pairs_at_once = 32 / lanes_of_pair;

/// Squared distances of pairs, one for each of the first `count` lanes; by a warp.
__device__ __forceinline__ float distances_of_pairs(const float* row, const float* centroid, int count, int d) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  float own = INFINITY;
  for (int first = 0; first < count; first += pairs_at_once) {
    const int pair = min(first + lane / lanes_of_pair, count - 1);
    const auto of_pair = [&](const float* of) {
      return reinterpret_cast<const float*>(__shfl_sync(whole_warp, reinterpret_cast<unsigned long long>(of), pair));
    };
    const float distance = distance_by_lanes<lanes_of_pair>(of_pair(row), of_pair(centroid), d);
    const float its = __shfl_sync(whole_warp, distance, (lane - first) * lanes_of_pair & 31);
    if (lane >= first && lane < first + pairs_at_once && lane < count) own = its;
  }
  return own;
}

/// The truly nearest candidate of one point; all arguments are the same in all lanes of a warp.
/// @param nearest any with the smallest computed distance, of which `limit` is TieMargin's.
template <int Words>
__device__ __noinline__ int decide_point(const RowPiecesJob& job, const float* centroids, const float* row, ClusterSet<Words> candidates,
                                         int nearest, float limit) {
  const int count = candidates.size();
  for (int batch = 0; batch < count; batch += 32) {
    const int lane = static_cast<int>(threadIdx.x % 32), here = min(32, count - batch);
    const int own = lane < here ? candidates.at(batch + lane) : nearest;
    const float distance = distances_of_pairs(row, centroids + static_cast<std::size_t>(own) * job.d, here, job.d);
    unsigned close = __ballot_sync(whole_warp, lane < here && own != nearest && !(distance > limit));
    for (; close != 0; close &= close - 1) {
      const int other = __shfl_sync(whole_warp, own, __ffs(static_cast<int>(close)) - 1);
      nearest = truly_nearer_by_warp(job.d, Strided{row, 1}, RowsApart{centroids, job.d}, other, nearest);
    }
  }
  return nearest;
}

/// Labels of points by distances to their candidates; by a warp.
/// @param point of the tile, that of the lane. @param candidates none where the label is known.
template <int Words>
__device__ __noinline__ int nearest_candidate(const RowPiecesJob& job, const Pass& pass, std::size_t first, int point,
                                              ClusterSet<Words> candidates) {
  constexpr unsigned long long nothing = ~0ULL, in_doubt = 1ULL << 31;
  const int lane = static_cast<int>(threadIdx.x % 32), mine = candidates.size();
  int end = mine;
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const int before = __shfl_up_sync(whole_warp, end, lanes);
    if (lane >= lanes) end += before;
  }
  const int begin = end - mine, pairs = __shfl_sync(whole_warp, end, 31);
  // Distance, whether it is in doubt, and cluster: the smallest is the nearest. What loses by so little that the true distances may be in
  // another order leaves a mark. Whatever lost to something else first was no closer than that.
  unsigned long long nearest = nothing;
  const TieMargin margin(job.d, additions_by_lanes<lanes_of_pair>(job.d));
  const auto join = [&](unsigned long long& key, unsigned long long other) {
    const unsigned long long less = min(key, other), more = max(key, other);
    const float smaller = __uint_as_float(static_cast<unsigned>(less >> 32)), larger = __uint_as_float(static_cast<unsigned>(more >> 32));
    key = more != nothing && !(larger > margin.limit(smaller)) ? less | in_doubt : less;
  };
  for (int batch = 0; batch < pairs; batch += 32) {
    const int pair = batch + lane;
    int owner = 0;
    for (int lanes = 16; lanes > 0; lanes /= 2) {
      if (__shfl_sync(whole_warp, end, owner + lanes - 1) <= pair) owner += lanes;
    }
    owner = min(owner, 31);
    ClusterSet<Words> set;
#pragma unroll
    for (int word = 0; word < Words; word++) set.words[word] = __shfl_sync(whole_warp, candidates.words[word], owner);
    const float* const row = job.x + (first + __shfl_sync(whole_warp, point, owner)) * job.d;
    const int passed = pair - __shfl_sync(whole_warp, begin, owner);
    const int cluster = pair < pairs ? set.at(passed) : 0;
    const float distance =
        distances_of_pairs(row, pass.centroids + static_cast<std::size_t>(cluster) * job.d, min(32, pairs - batch), job.d);
    unsigned long long found = nothing;
    if (distance < INFINITY) found = static_cast<unsigned long long>(__float_as_uint(distance)) << 32 | static_cast<unsigned>(cluster);
    // Those of a point are side by side: the first of them gets the smallest.
    for (int lanes = 1; lanes < 32; lanes *= 2) {
      const unsigned long long its = __shfl_down_sync(whole_warp, found, lanes);
      if (__shfl_down_sync(whole_warp, owner, lanes) == owner && lane + lanes < 32) join(found, its);
    }
    const int at = max(begin - batch, 0);
    const unsigned long long of_batch = __shfl_sync(whole_warp, found, min(at, 31));
    if (begin < batch + 32 && end > batch) join(nearest, of_batch);
  }
  // Nothing finite is in doubt, too.
  const bool is_known = mine <= 1 || (nearest != nothing && (nearest & in_doubt) == 0);
  int label = mine == 0 ? 0 : nearest == nothing ? candidates.at(0) : static_cast<int>(nearest & (in_doubt - 1));
  const float limit = margin.limit(nearest == nothing ? INFINITY : __uint_as_float(static_cast<unsigned>(nearest >> 32)));
  for (unsigned doubts = __ballot_sync(whole_warp, !is_known); doubts != 0; doubts &= doubts - 1) {
    const int owner = __ffs(static_cast<int>(doubts)) - 1;
    ClusterSet<Words> set;
#pragma unroll
    for (int word = 0; word < Words; word++) set.words[word] = __shfl_sync(whole_warp, candidates.words[word], owner);
    const float* const row = job.x + (first + __shfl_sync(whole_warp, point, owner)) * job.d;
    const int decided = decide_point(job, pass.centroids, row, set, __shfl_sync(whole_warp, label, owner), __shfl_sync(whole_warp, limit, owner));
    if (lane == owner) label = decided;
  }
  return label;
}

/// Adds the points of the lanes in `moving` where they came to, and takes them away where they left: clusters counted from 1, 0 is
/// none. By a warp, cluster by cluster, so that points of a cluster are added as one.
__device__ __noinline__ void add_moved(const RowPiecesJob& job, const Pass& pass, std::size_t first, unsigned moving, int point,
                                       unsigned comes_to, unsigned leaves) {
  constexpr int together = 4;
  auto* const sums = job.kept.sums != nullptr ? job.kept.sums : reinterpret_cast<unsigned long long*>(pass.fixed_sums);
  unsigned* const counts = job.kept.sums != nullptr ? job.kept.counts : pass.counts;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool moves = moving >> lane & 1;
  unsigned to_add = moving, to_take = __ballot_sync(whole_warp, moves && leaves != 0);
  while ((to_add | to_take) != 0) {
    const unsigned of_first = __shfl_sync(whole_warp, to_add != 0 ? comes_to : leaves, __ffs(static_cast<int>(to_add != 0 ? to_add : to_take)) - 1);
    const unsigned added = __ballot_sync(whole_warp, moves && comes_to == of_first);
    const unsigned taken = __ballot_sync(whole_warp, moves && leaves == of_first);
    to_add &= ~added;
    to_take &= ~taken;
    for (int begin = lane; begin - lane < job.d; begin += 32 * together) {
      long long values[together] = {};
      for (unsigned left = added | taken; left != 0; left &= left - 1) {
        const int owner = __ffs(static_cast<int>(left)) - 1;
        const float* const row = job.x + (first + __shfl_sync(whole_warp, point, owner)) * job.d;
        const bool comes = added >> owner & 1;
#pragma unroll
        for (int at = 0; at < together; at++) {
          const int feature = begin + at * 32;
          const long long value = feature < job.d ? __float2ll_rn(row[feature] * job.scale[feature]) : 0;
          values[at] += comes ? value : -value;
        }
      }
#pragma unroll
      for (int at = 0; at < together; at++) {
        const int feature = begin + at * 32;
        if (feature < job.d) {
          atomicAdd(sums + static_cast<std::size_t>(of_first - 1) * job.d + feature, static_cast<unsigned long long>(values[at]));
        }
      }
    }
    if (lane == 0) atomicAdd(counts + of_first - 1, static_cast<unsigned>(__popc(added) - __popc(taken)));
  }
}

template <int Columns>
__global__ void __launch_bounds__(max_threads, 1) row_pieces_kernel(RowPiecesJob job, Pass pass, FinishArguments finish) {
  let_next_begin();
  extern __shared__ uint4 image[];
  const Layout layout(Columns, job.pieces);
  auto* const starts = reinterpret_cast<float*>(image + layout.image_vectors);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x % 32);
  float* const ring = starts + layout.starts + warp * job.stages * stage_floats;
  const std::size_t end = pass.first + pass.count, tiles = (pass.count + tile_points - 1) / tile_points;
  // A tile a block in turn, so that few points use all multiprocessors.
  const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
  std::size_t at = static_cast<std::size_t>(warp) * gridDim.x + blockIdx.x;
  const auto tile_at = [&](std::size_t tile) {
    const std::size_t first = min(pass.first + tile * tile_points, end);
    return Tile{first, static_cast<int>(min(static_cast<std::size_t>(tile_points), end - first))};
  };
  // What is copied next.
  std::size_t next_tile = at;
  int next_piece = 0, next_stage = 0;
  const auto copy_next = [&]() {
    if (next_tile < tiles) begin_copy(job, tile_at(next_tile), next_piece, ring + next_stage * stage_floats);
    end_of_tile();
    next_stage = next_stage + 1 == job.stages ? 0 : next_stage + 1;
    if (++next_piece == job.pieces) {
      next_piece = 0;
      next_tile += warps;
    }
  };
  for (int ahead = 0; ahead + 1 < job.stages; ahead++) copy_next();
  // Points are the same in all passes.
  await_earlier();
  if (*pass.halted != 0) return end_of_copies();
  const matrix_units::MatrixBounds bounds = matrix_units::matrix_bounds(job.d, score_error(job.d), job.reach,
                                                                        matrix_units::largest_squared_norm(pass, job.d));
  const int steps = job.pieces * steps_of_piece;
  stage_image(pass, job.d, bounds.scale, steps, image, layout.starts, starts);
  __syncthreads();

  unsigned changed = 0;
  int stage = 0;
  for (; at < tiles; at += warps) {
    const Tile tile = tile_at(at);
    // Lane q of four has the point that is half q.
    const int point = searched_point(lane % 2);
    const bool is_mine = lane % 4 < 2 && point < tile.count;
    const unsigned before = is_mine && job.kept.clusters != nullptr && pass.accumulate ? job.kept.clusters[tile.first + point] : 0;
    Products<Columns> products;
#pragma unroll 1
    for (int piece = 0; piece < job.pieces; piece++) {
      await_tile(job.stages - 2);
      // What all lanes copied has arrived, and none reads the piece before this one.
      __syncwarp();
      copy_next();
      products.add(ring + stage * stage_floats, bounds.scale, image + piece * steps_of_piece * step_vectors + lane, steps);
      stage = stage + 1 == job.stages ? 0 : stage + 1;
    }
    using Set = ClusterSet<words_of<Columns>>;
    const Set first = candidates_of(products, 0, starts, pass.k, bounds.margins);
    const Set second = candidates_of(products, 1, starts, pass.k, bounds.margins);
    const Set candidates = lane % 2 == 0 ? first : second;
    int label = candidates.at(0);
    const bool is_open = is_mine && candidates.size() > 1;
    if (__any_sync(whole_warp, is_open)) {
      const int nearest = nearest_candidate(job, pass, tile.first, point, is_open ? candidates : Set{});
      if (is_open) label = nearest;
    }
    if (is_mine) changed += note_label(pass, tile.first + point, label);
    const unsigned now = static_cast<unsigned>(label) + 1;
    const bool moves = is_mine && pass.accumulate && now != before;
    if (moves && job.kept.clusters != nullptr) job.kept.clusters[tile.first + point] = static_cast<unsigned char>(now);
    const unsigned moving = __ballot_sync(whole_warp, moves);
    if (moving != 0) add_moved(job, pass, tile.first, moving, point, now, before);
  }
  if (pass.count_changes) {
    for (int lanes = 16; lanes > 0; lanes /= 2) changed += __shfl_xor_sync(whole_warp, changed, lanes);
    if (lane == 0 && changed > 0) atomicAdd(pass.changed, changed);
  }
  if (pass.accumulate && job.kept.sums != nullptr) hand_over(job.kept, pass, job.d, finish);
}

using Kernel = void (*)(RowPiecesJob, Pass, FinishArguments);

struct RowPiecesKernel {
  Kernel kernel;
  /// 0 where nothing fits.
  std::size_t bytes;
  int threads;
  RowPiecesJob job;
};

RowPiecesKernel kernel_of(const Problem& problem) {
  RowPiecesKernel made{};
  RowPiecesJob& job = made.job;
  job.x = problem.x;
  job.scale = problem.scale;
  job.d = problem.d;
  job.pieces = (problem.d + piece_features - 1) / piece_features;
  double squared = 0;
  for (int j = 0; j < problem.d; j++) squared += static_cast<double>(problem.max_abs[j]) * problem.max_abs[j];
  job.reach = static_cast<float>(1.000001 * std::sqrt(squared));
  const int columns = problem.k <= 8 ? 1 : problem.k <= 16 ? 2 : problem.k <= 32 ? 4 : problem.k <= 64 ? 8 : 16;
  made.kernel = columns == 1   ? row_pieces_kernel<1>
                : columns == 2 ? row_pieces_kernel<2>
                : columns == 4 ? row_pieces_kernel<4>
                : columns == 8 ? row_pieces_kernel<8>
                               : row_pieces_kernel<16>;
  const Layout layout(columns, job.pieces);
  for (made.threads = max_threads; made.threads >= min_threads; made.threads /= 2) {
    for (job.stages = max_stages; job.stages >= 2; job.stages--) {
      made.bytes = layout.bytes(made.threads / 32, job.stages);
      if (made.bytes + spare_bytes <= problem.device.sharedMemPerBlockOptin) return made;
    }
  }
  made.bytes = 0;
  return made;
}

class RowPieces final : public DeviceVariant {
 public:
  RowPieces(const Problem& problem, const RowPiecesKernel& made) : made_(made), k_(problem.k), is_early_(can_launch_early(problem.device)) {
    allow_dynamic_shared(made.kernel, made.bytes);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, made.kernel, made.threads, made.bytes), "occupancy of row pieces");
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
    const auto blocks = static_cast<unsigned>(std::min(blocks_, (pass.count + tile_points - 1) / tile_points));
    launch_in_turn(is_early_, made_.kernel, blocks, static_cast<unsigned>(made_.threads), made_.bytes, pass.stream, made_.job, pass, finish);
  }

 private:
  RowPiecesKernel made_;
  int k_;
  bool is_early_;
  std::size_t blocks_ = 0;
  KeptSums kept_;
};

std::string refusal(const Problem& problem) {
  if (problem.device.major < 8) return "Rows are copied by pieces and scored by compute capability 8.0 and later.";
  if (problem.k > max_clusters) return "Rows by pieces have up to 128 clusters.";
  return kernel_of(problem).bytes > 0 ? "" : "The centroids do not fit into the shared memory of a block as two float16 each.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) {
  return std::make_unique<RowPieces>(problem, kernel_of(problem));
}

}  // namespace
}  // namespace row_pieces

namespace fused {
const Regime row_pieces{"row-pieces", centroid_lab::cuda::row_pieces::refusal, centroid_lab::cuda::row_pieces::make};
}

}  // namespace centroid_lab::cuda

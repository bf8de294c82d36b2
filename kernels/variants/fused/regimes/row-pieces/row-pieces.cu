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
#include "methods/split-products/split_products.cuh"
#include "methods/staged-points/async_copies.cuh"
#include "methods/staged-points/kept_sums.cuh"
#include "settle.cuh"

namespace centroid_lab::cuda {
namespace {

using namespace staged_points;

constexpr unsigned whole_warp = 0xffffffffU;
constexpr int max_threads = 512, min_threads = 128;
/// Points of a warp at a time, features of a step of products, clusters of a column of products.
constexpr int tile_points = 16, step_features = 16, column_clusters = 8;
constexpr int max_clusters = 128;
/// Features of a piece. Its rows are a vector apart, which spreads those that lanes read together over the banks.
constexpr int steps_of_piece = 2, piece_features = steps_of_piece * step_features, row_floats = piece_features + 4;
constexpr int stage_floats = tile_points * row_floats;
constexpr int max_stages = 4;
/// Vectors of sixteen bytes that a step of a column takes.
constexpr int step_vectors = 32;
/// Static shared memory, generously.
constexpr std::size_t spare_bytes = 1024;
/// The score of what is no cluster.
constexpr float beyond_all = 0x1p126F;

struct RowPiecesJob {
  const float* x;
  const float* scale;
  int d;
  int pieces;
  /// Pieces of a warp in shared memory.
  int stages;
  /// Upper bound of |x|.
  float reach;
  Kept kept;
};

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

/// Centroids and their starts. By whole warps, a centroid each at a time.
__device__ void stage_image(const Pass& pass, int d, float scale, int steps, uint4* image, int clusters, float* starts) {
  const int warps = static_cast<int>(blockDim.x) / 32, lane = static_cast<int>(threadIdx.x % 32);
  for (int c = static_cast<int>(threadIdx.x) / 32; c < clusters; c += warps) {
    const float* row = pass.centroids + static_cast<std::size_t>(min(c, pass.k - 1)) * d;
    double squared = 0;
    for (int at = lane; at < steps * 8; at += 32) {
      const int step = at / 8, word = at / 4 % 2, quarter = at % 4, feature = step_features * step + 4 * quarter + 2 * word;
      const bool is_cluster = c < pass.k;
      const float first = is_cluster && feature < d ? -row[feature] * scale : 0.0F;
      const float second = is_cluster && feature + 1 < d ? -row[feature + 1] * scale : 0.0F;
      squared = fma(static_cast<double>(first), first, fma(static_cast<double>(second), second, squared));
      const matrix_units::Halves halves = matrix_units::halves_of(first, second);
      uint4* const to = image + (c / column_clusters * steps + step) * step_vectors + c % column_clusters * 4 + quarter;
      auto* words = reinterpret_cast<unsigned*>(to);
      words[word] = halves.high;
      words[2 + word] = halves.low;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) squared += __shfl_xor_sync(whole_warp, squared, lanes);
    if (lane == 0) starts[c] = c < pass.k ? static_cast<float>(squared / 2) : beyond_all;
  }
}

/// Sixteen points of a warp.
struct Tile {
  std::size_t first;
  int count;
};

/// Begins to copy a piece of a tile; zeros past the last feature and the last point. By a warp.
__device__ __forceinline__ void begin_copy(const RowPiecesJob& job, const Tile& tile, int piece, float* to) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto target = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const float* const from = job.x + tile.first * job.d;
  if (job.d % 4 == 0) {
    constexpr int vectors = piece_features / 4, together = 32 / vectors;
    const int feature = piece * piece_features + lane % vectors * 4;
#pragma unroll
    for (int row = lane / vectors, i = 0; i < tile_points / together; i++, row += together) {
      const bool there = row < tile.count && feature < job.d;
      copy_to_shared<16>(target + 4 * (row * row_floats + lane % vectors * 4), there ? from + row * job.d + feature : job.x, there);
    }
  } else {
    const int feature = piece * piece_features + lane;
#pragma unroll 4
    for (int row = 0; row < tile_points; row++) {
      const bool there = row < tile.count && feature < job.d;
      copy_to_shared<4>(target + 4 * (row * row_floats + lane), there ? from + row * job.d + feature : job.x, there);
    }
  }
}

/// The point that is row g + 8 half of products, g = lane / 4: rows that lanes read together are four apart, which spreads them over
/// the banks.
__device__ __forceinline__ int searched_point(int half) {
  const int g = static_cast<int>(threadIdx.x % 32) / 4;
  return g % 4 * 4 + g / 4 + 2 * half;
}

/// Products of a warp's points with all centroids. Those of a piece are added from zero, and those of low halves by themselves, so that
/// they are rounded as what is small.
template <int Columns>
struct Products {
  float sums[Columns][4] = {};
  /// Squared norm of the lane's points, as far as its features go.
  float squares[2] = {};

  /// @param rows of the piece. @param image of its features, for the lane.
  __device__ __forceinline__ void add(const float* rows, float scale, const uint4* image, int steps) {
    unsigned high[steps_of_piece][4], low[steps_of_piece][4];
    split(rows, scale, high, low);
#pragma unroll
    for (int column = 0; column < Columns; column++) {
      float of_high[4] = {}, of_low[4] = {};
#pragma unroll
      for (int step = 0; step < steps_of_piece; step++) {
        const uint4 b = image[(column * steps + step) * step_vectors];
        const unsigned *h = high[step], *l = low[step];
        matrix_units::multiply(of_low, of_low, l[0], l[1], l[2], l[3], b.x, b.y);
        matrix_units::multiply(of_high, of_high, h[0], h[1], h[2], h[3], b.x, b.y);
        matrix_units::multiply(of_low, of_low, h[0], h[1], h[2], h[3], b.z, b.w);
      }
#pragma unroll
      for (int at = 0; at < 4; at++) sums[column][at] += of_high[at] + of_low[at];
    }
  }

 private:
  __device__ __forceinline__ void split(const float* rows, float scale, unsigned (&high)[steps_of_piece][4],
                                        unsigned (&low)[steps_of_piece][4]) {
    const int quarter = static_cast<int>(threadIdx.x % 4);
#pragma unroll
    for (int step = 0; step < steps_of_piece; step++) {
#pragma unroll
      for (int half = 0; half < 2; half++) {
        float x[4];
        load_row<4>(rows + searched_point(half) * row_floats + step * step_features + 4 * quarter, x);
#pragma unroll
        for (int word = 0; word < 2; word++) {
          const float first = x[2 * word] * scale, second = x[2 * word + 1] * scale;
          squares[half] = fmaf(first, first, fmaf(second, second, squares[half]));
          const matrix_units::Halves halves = matrix_units::halves_of(first, second);
          high[step][2 * word + half] = halves.high;
          low[step][2 * word + half] = halves.low;
        }
      }
    }
  }
};

/// Clusters, a bit each.
template <int Words>
struct ClusterSet {
  unsigned words[Words] = {};

  __device__ __forceinline__ int size() const {
    int size = 0;
#pragma unroll
    for (const unsigned word : words) size += __popc(word);
    return size;
  }
  /// The cluster before which there are `passed`; `passed` is below the size.
  __device__ __forceinline__ int at(int passed) const {
    int base = 0;
    unsigned word = words[0];
#pragma unroll
    for (int next = 1; next < Words; next++) {
      if (passed >= __popc(word)) {
        passed -= __popc(word);
        word = words[next];
        base = 32 * next;
      } else {
        break;
      }
    }
    for (; passed > 0; passed--) word &= word - 1;
    return base + __ffs(static_cast<int>(word)) - 1;
  }
};

template <int Columns>
constexpr int words_of = (Columns * column_clusters + 31) / 32;

/// The clusters whose score is not above the smallest of the point by more than its margin. Four lanes have a point.
template <int Columns>
__device__ __forceinline__ ClusterSet<words_of<Columns>> candidates_of(const Products<Columns>& products, int half, const float* starts, int k,
                                                    const PointMargins& margins) {
  const int quarter = static_cast<int>(threadIdx.x % 4);
  float scores[Columns][2];
  float smallest = INFINITY;
#pragma unroll
  for (int column = 0; column < Columns; column++) {
    const float2 start = reinterpret_cast<const float2*>(starts)[column * 4 + quarter];
    scores[column][0] = start.x + products.sums[column][2 * half];
    scores[column][1] = start.y + products.sums[column][2 * half + 1];
    smallest = fminf(smallest, fminf(scores[column][0], scores[column][1]));
  }
  float squared_norm = products.squares[half];
#pragma unroll
  for (int lanes = 1; lanes < 4; lanes *= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(whole_warp, smallest, lanes));
    squared_norm += __shfl_xor_sync(whole_warp, squared_norm, lanes);
  }
  const float most = smallest + margins.of(squared_norm, fmaxf(0.0F, fmaf(0.5F, squared_norm, smallest)));
  ClusterSet<words_of<Columns>> set;
#pragma unroll
  for (int column = 0; column < Columns; column++) {
#pragma unroll
    for (int at = 0; at < 2; at++) {
      // What is no number is in question.
      if (!(scores[column][at] > most)) set.words[column / 4] |= 1U << (column % 4 * column_clusters + at);
    }
  }
#pragma unroll
  for (int word = 0; word < words_of<Columns>; word++) {
    unsigned& bits = set.words[word];
    bits <<= 2 * quarter;
    bits |= __shfl_xor_sync(whole_warp, bits, 1);
    bits |= __shfl_xor_sync(whole_warp, bits, 2);
    const int clusters = min(k - 32 * word, 32);
    bits &= clusters > 0 ? ~0U >> (32 - clusters) : 0;
  }
  return set;
}

/// Squared distance of two rows, features in order as all regimes add them.
__device__ __forceinline__ float distance_of(const float* row, const float* centroid, int d) {
  float distance = 0;
  if (d % 4 == 0) {
#pragma unroll 8
    for (int j = 0; j < d; j += 4) {
      float x[4], c[4];
      load_row(row + j, x);
      load_row(centroid + j, c);
#pragma unroll
      for (int l = 0; l < 4; l++) distance = fmaf(x[l] - c[l], x[l] - c[l], distance);
    }
  } else {
#pragma unroll 8
    for (int j = 0; j < d; j++) distance = fmaf(row[j] - centroid[j], row[j] - centroid[j], distance);
  }
  return distance;
}

/// Labels of points by distances to their candidates, a point and a candidate a lane; by a warp.
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
  // Distance, whether it is in doubt, and cluster: the smallest is the nearest.
  unsigned long long nearest = nothing;
  const TieMargin margin(job.d);
  const bool at_once = pairs <= 32;
  // What loses by so little that the true distances may be in another order leaves a mark. Whatever lost to something else first was
  // no closer than that. Where all pairs fit into the warp each looks for itself, in the end.
  const auto join = [&](unsigned long long& key, unsigned long long other) {
    const unsigned long long less = min(key, other);
    if (!at_once) {
      const unsigned long long more = max(key, other);
      const float smaller = __uint_as_float(static_cast<unsigned>(less >> 32)), larger = __uint_as_float(static_cast<unsigned>(more >> 32));
      key = more != nothing && !(larger > margin.limit(smaller)) ? less | in_doubt : less;
    } else {
      key = less;
    }
  };
  unsigned close = 0;
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
    unsigned long long found = nothing;
    const int passed = pair - __shfl_sync(whole_warp, begin, owner);
    if (pair < pairs) {
      const int cluster = set.at(passed);
      const float distance = distance_of(row, pass.centroids + static_cast<std::size_t>(cluster) * job.d, job.d);
      if (distance < INFINITY) found = static_cast<unsigned long long>(__float_as_uint(distance)) << 32 | static_cast<unsigned>(cluster);
    }
    const float own = __uint_as_float(static_cast<unsigned>(found >> 32));
    // Those of a point are side by side: the first of them gets the smallest.
    for (int lanes = 1; lanes < 32; lanes *= 2) {
      const unsigned long long its = __shfl_down_sync(whole_warp, found, lanes);
      if (__shfl_down_sync(whole_warp, owner, lanes) == owner && lane + lanes < 32) join(found, its);
    }
    const int at = max(begin - batch, 0);
    const unsigned long long of_batch = __shfl_sync(whole_warp, found, min(at, 31));
    if (begin < batch + 32 && end > batch) join(nearest, of_batch);
    if (at_once) {
      const float least = __uint_as_float(__shfl_sync(whole_warp, static_cast<unsigned>(nearest >> 32), owner));
      close = __ballot_sync(whole_warp, pair < pairs && own <= margin.limit(least));
    }
  }
  if (mine == 0) return 0;
  if (at_once && __popc(close >> begin & ((2U << (mine - 1)) - 1)) > 1) nearest |= in_doubt;
  // Nothing finite is in doubt, too.
  const bool is_known = nearest != nothing && (nearest & in_doubt) == 0;
  const int label = nearest == nothing ? candidates.at(0) : static_cast<int>(nearest & (in_doubt - 1));
  if (is_known || mine == 1) return label;
  const float limit = margin.limit(nearest == nothing ? INFINITY : __uint_as_float(static_cast<unsigned>(nearest >> 32)));
  const auto at = [&](int i) { return candidates.at(i); };
  return decide_by_lane(job.d, Strided{job.x + (first + point) * job.d, 1}, RowsApart{pass.centroids, job.d}, mine, at, label, limit);
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
__global__ void __launch_bounds__(max_threads, 1) row_pieces_kernel(RowPiecesJob job, Pass pass) {
  if (*pass.halted != 0) return;
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
  if (pass.accumulate && job.kept.sums != nullptr) hand_over(job.kept, pass, job.d);
}

using Kernel = void (*)(RowPiecesJob, Pass);

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
  RowPieces(const Problem& problem, const RowPiecesKernel& made) : made_(made) {
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
  double speed() const override { return 0.3; }

  void enqueue_assign(const Pass& pass) override {
    const auto blocks = static_cast<unsigned>(std::min(blocks_, (pass.count + tile_points - 1) / tile_points));
    made_.kernel<<<blocks, made_.threads, made_.bytes, pass.stream>>>(made_.job, pass);
    check_launch("fused, row pieces");
  }

 private:
  RowPiecesKernel made_;
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

namespace fused {
const Regime row_pieces{"row-pieces", refusal, make};
}

}  // namespace centroid_lab::cuda

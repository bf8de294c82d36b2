// `fused` for few clusters of two features and many points: a table of the plane in shared memory gives most points their label
// (cell_decision.cuh), distances to all centroids the others. Points lie in the order of the plane's cells.
#include <algorithm>
#include <utility>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "finish_few.cuh"
#include "cell_stream.cuh"
#include "shared_table.hpp"
#include "split_sums.cuh"
#include "block_table.cuh"
#include "../../fused.hpp"
#include "../../regimes.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 768;
/// Rows of the table.
constexpr int cells = 128;

struct BlockTableJob {
  OrderedPoints points;
  const float* scale;
  GridBox box;
  SplitSums sums;
};

/// The parts of shared memory.
template <int K>
struct Layout {
  static constexpr std::size_t columns = static_cast<std::size_t>(K) * sum_words * 32 * sizeof(unsigned);
  static constexpr std::size_t table = columns + sizeof(TableMaker<cells, K, threads>);
  static constexpr std::size_t bytes = table + cells * row_bytes;
};

/// By distances to all centroids. The rare way, so not inlined.
template <int K>
__device__ __noinline__ unsigned nearest_of_all(const GridCentroid* centroids, float2 point) {
  unsigned best = 0;
  float least = INFINITY;
#pragma unroll
  for (int c = 0; c < K; c++) {
    const float2 centroid = *reinterpret_cast<const float2*>(centroids + c);
    const float across = point.x - centroid.x, down = point.y - centroid.y;
    const float distance = fmaf(down, down, across * across);
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

template <int K>
struct BlockTableWorker {
  const BlockTableJob& job;
  const std::uint8_t* table;
  const GridCentroid* centroids;
  LaneColumn<32> column;

  /// Neighbours mostly belong to one cluster, known by their cells: a thread then adds its points up first. By whole warps;
  /// points with a bit in `valid` are there.
  __device__ __forceinline__ void take(const float2 (&points)[points_of_thread], unsigned valid) const {
    unsigned number[points_of_thread];
    unsigned others = 0;
#pragma unroll
    for (int p = 0; p < points_of_thread; p++) {
      number[p] = table[cell_of<cells>(job.box, points[p])];
      others |= number[p] ^ number[0];
    }
    if (__all_sync(whole_warp, others == 0 && number[0] < K && valid == whole_warp)) {
      return column.add_all(number[0], points);
    }
#pragma unroll
    for (int p = 0; p < points_of_thread; p++) {
      if ((valid >> p & 1) == 0) continue;
      if (number[p] == K) number[p] = nearest_of_all<K>(centroids, points[p]);
      column.add_one(number[p], points[p]);
    }
  }
};

template <int K>
__global__ void __launch_bounds__(threads, 1) label_by_block_table(BlockTableJob job, Pass pass, FinishArguments finish) {
  let_next_begin();
  using Parts = Layout<K>;
  extern __shared__ unsigned shared[];
  auto& maker = *reinterpret_cast<TableMaker<cells, K, threads>*>(reinterpret_cast<char*>(shared) + Parts::columns);
  std::uint8_t* table = reinterpret_cast<std::uint8_t*>(shared) + Parts::table;
  __shared__ GridCentroid centroids[K];
  BatchStream<threads> stream(job.points);
  for (int at = threadIdx.x; at < K * sum_words * 32; at += threads) shared[at] = 0;
  maker.prepare(job.box);
  await_earlier();
  const int halted = __ldcg(pass.halted);
  if (threadIdx.x < K) {
    const float2 row = __ldcg(reinterpret_cast<const float2*>(pass.centroids) + min(static_cast<int>(threadIdx.x), pass.k - 1));
    GridCentroid centroid = grid_centroid(row, job.box);
    if (static_cast<int>(threadIdx.x) >= pass.k) centroid.half_norm = INFINITY;
    centroids[threadIdx.x] = centroid;
  }
  if (halted != 0) return;
  __syncthreads();
  maker.fill(centroids, reinterpret_cast<std::uint32_t*>(table));
  const BlockTableWorker<K> worker{job, table, centroids, LaneColumn<32>(shared, job.scale, job.sums.split)};
  for (unsigned done = 0; done < stream.most; done += job.sums.flush_after) {
    stream.feed(worker, job.sums.flush_after);
      __syncthreads();
      flush_sums<threads, 32>(shared, pass.k, job.sums.split, pass.fixed_sums, pass.counts);
  }
  __shared__ RowTotals rows[K];
  finish_few<2>(finish, rows);
}

template <int K>
class BlockTables final : public DeviceVariant {
 public:
  BlockTables(const Problem& problem, const GridBox& box, Buffer<float> points, std::unique_ptr<DeviceVariant> single)
      : problem_(problem), single_(std::move(single)), points_(std::move(points)) {
    allow_dynamic_shared(label_by_block_table<K>, Layout<K>::bytes);
    job_ = {ordered_points(points_, problem.n), problem.scale, box, {}};
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return single_->speed(); }
  bool completes() const override { return true; }

  void enqueue_assign(const Pass& pass) override {
    if (!launch(pass, {})) single_->enqueue_assign(pass);
  }

  void enqueue_complete(const Pass& pass, const FinishArguments& finish) override {
    if (!launch(pass, finish)) single_->enqueue_complete(pass, finish);
  }

 private:
  /// @returns false where labels are wanted, or the points are too few for halves of sums: `single_` must do it.
  bool launch(const Pass& pass, const FinishArguments& finish) {
    if (!pass.accumulate || pass.write_labels || pass.count_changes || pass.first != 0 || pass.count != problem_.n) return false;
    constexpr unsigned warps = threads / 32;
    const unsigned blocks = std::min<unsigned>(problem_.device.multiProcessorCount, (job_.points.batches + warps - 1) / warps);
    job_.sums = split_sums(problem_.n, job_.points.batches / (static_cast<std::size_t>(blocks) * warps) + 2, warps);
    if (job_.sums.flush_after == 0) return false;
    job_.points.backwards = !job_.points.backwards;
    launch_early(label_by_block_table<K>, blocks, threads, Layout<K>::bytes, pass.stream, job_, pass, finish);
    return true;
  }

  Problem problem_;
  std::unique_ptr<DeviceVariant> single_;
  Buffer<float> points_;
  BlockTableJob job_{};
};

/// With more clusters a table for each block takes longer than one for all.
constexpr int max_clusters_of_block = 10;

std::unique_ptr<DeviceVariant> make_with_block_tables(const Problem& problem) {
  const GridBox box = grid_box(problem, cells);
  auto others = make_other_passes(problem);
  if (problem.k <= 5) return std::make_unique<BlockTables<5>>(problem, box, points_by_cell(problem), std::move(others));
  return std::make_unique<BlockTables<10>>(problem, box, points_by_cell(problem), std::move(others));
}

std::string refusal(const Problem& problem) {
  if (problem.d != 2) return "A table of the plane needs points of 2 features.";
  // Kernels of the stream overlap.
  if (problem.device.major < 9) return "Tables of the plane need compute capability 9.0.";
  if (problem.streamed) return "Points that pass through the device cannot be put in order.";
  if (problem.needs_changed) return "Passes that count changed labels are not made by a table of the plane.";
  if (problem.n >> 32 != 0) return "A table of the plane orders up to 4294967295 points.";
  if (problem.k > max_clusters_of_block && !shared_table_holds(problem)) {
    return "Table and sums do not fit into the shared memory of a block.";
  }
  return "";
}

/// Cells that must be in use: with fewer to a cluster too many points would go to distances, or lists would be too short.
double min_cells(int k) { return k <= max_clusters_of_block ? 2.0 * k : std::max(32.0, 0.5 * k); }

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes& probes) {
  if (probes.decide() && !probes.find("plane-in-use", cells_in_use(problem) >= min_cells(problem.k))) return nullptr;
  if (problem.k > max_clusters_of_block) return make_with_shared_table(problem, make_other_passes(problem));
  return make_with_block_tables(problem);
}

}  // namespace

namespace fused {
const Regime plane_cells{"plane-cells", refusal, make};
}

}  // namespace centroid_lab::cuda

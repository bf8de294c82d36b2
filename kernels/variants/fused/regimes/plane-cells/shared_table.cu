// `fused` for up to some hundred clusters of two features and many points: the table of the plane (cell_decision.cuh) is made by a
// kernel of its own, a warp for each of its coarse cells, with a short list of candidates for the points that no cell decides.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "finish_few.cuh"
#include "cell_stream.cuh"
#include "shared_table.hpp"
#include "split_sums.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 768;
constexpr int finder_threads = 256;
/// Rows of the table, and of the coarse one.
constexpr int cells = 256;
constexpr int coarse_cells = 32;
constexpr int fine = cells / coarse_cells;
constexpr int coarse_total = coarse_cells * coarse_cells;
/// Candidates that a coarse cell lists, and those that its own cells are decided among.
constexpr int listed = 8;
constexpr int weighed = 32;

/// Numbers of clusters in the table; the largest stands for a list that was too short.
template <class Code>
constexpr unsigned all_of_them = static_cast<Code>(~0U);

template <class Code>
struct SharedTableJob {
  OrderedPoints points;
  const float* scale;
  GridBox box;
  /// (256, 256) and behind it (coarse cells, 8).
  Code* table;
  SplitSums sums;
};

/// A warp for each coarse cell: its list, and the numbers of its cells, k for those of several candidates.
template <class Code>
__global__ void __launch_bounds__(finder_threads) find_cells(SharedTableJob<Code> job, Pass pass) {
  let_next_begin();
  await_earlier();
  if (*pass.halted != 0) return;
  constexpr unsigned index_bits = 1023;
  __shared__ GridCentroid found[finder_threads / 32][weighed];
  __shared__ Code index[finder_threads / 32][weighed];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int cell = blockIdx.x * (finder_threads / 32) + warp;
  const int across = cell % coarse_cells * fine, down = cell / coarse_cells * fine;
  const GridStretch side = stretch_of<cells>(job.box.axes[0], across, across + fine - 1);
  const GridStretch height = stretch_of<cells>(job.box.axes[1], down, down + fine - 1);
  const float lift = 0.5F * fmaf(side.middle, side.middle, height.middle * height.middle);
  const auto score_of = [&](const GridCentroid& centroid) {
    return fmaf(-side.middle, centroid.x, fmaf(-height.middle, centroid.y, centroid.half_norm));
  };
  const float2* centroid_rows = reinterpret_cast<const float2*>(pass.centroids);
  unsigned least = ~0U;
  for (int c = lane; c < pass.k; c += 32) {
    const float score = fmaxf(0.0F, score_of(grid_centroid(centroid_rows[c], job.box)) + lift);
    least = min(least, (__float_as_uint(score) & ~index_bits) | static_cast<unsigned>(c));
  }
  for (int step = 16; step > 0; step /= 2) least = min(least, __shfl_xor_sync(whole_warp, least, step));
  const int best = static_cast<int>(least & index_bits);
  const GridCentroid near = grid_centroid(centroid_rows[best], job.box);
  const float most = score_of(near) + near.margin;
  int count = 0;
  for (int base = 0; base < pass.k; base += 32) {
    const int c = base + lane;
    bool candidate = false;
    GridCentroid centroid{};
    if (c < pass.k) {
      centroid = grid_centroid(centroid_rows[c], job.box);
      const float radius = fmaf(fabsf(centroid.x - near.x), side.half, fmaf(fabsf(centroid.y - near.y), height.half, centroid.margin));
      candidate = c == best || !(score_of(centroid) - radius > most);
    }
    const unsigned lanes = __ballot_sync(whole_warp, candidate);
    const int slot = count + __popc(lanes & ((1U << lane) - 1));
    if (candidate && slot < weighed) {
      found[warp][slot] = centroid;
      index[warp][slot] = static_cast<Code>(c);
    }
    count += __popc(lanes);
  }
  __syncwarp();
  if (lane < listed) {
    const unsigned mine = index[warp][min(lane, min(count, listed) - 1)];
    job.table[cells * cells + cell * listed + lane] = static_cast<Code>(count <= listed ? mine : all_of_them<Code>);
  }
  const int row = down + lane / (fine / 2), column = across + lane % (fine / 2) * 2;
  constexpr unsigned several = weighed;
  unsigned number[1][2] = {{several, several}};
  if (count <= weighed) {
    const GridStretch columns[2] = {stretch_of<cells>(job.box.axes[0], column, column), stretch_of<cells>(job.box.axes[0], column + 1, column + 1)};
    const GridStretch rows[1] = {stretch_of<cells>(job.box.axes[1], row, row)};
    decide_cells<2, 1>(found[warp], columns, rows, count == weighed ? whole_warp : (1U << count) - 1, several, number);
  }
  for (int i = 0; i < 2; i++) {
    job.table[row * cells + column + i] = static_cast<Code>(number[0][i] < several ? index[warp][number[0][i]] : pass.k);
  }
}

/// By distances to the candidates of its coarse cell, in the order of the clusters. The rarer way, so not inlined.
template <class Code>
__device__ __noinline__ unsigned nearest_listed(const Code* lists, const float2* centroids, int k, unsigned cell, float2 point) {
  constexpr int at_once = 4;
  const Code* list = lists + (cell / cells / fine * coarse_cells + cell % cells / fine) * listed;
  const bool all = list[0] == all_of_them<Code>;
  const unsigned last = list[listed - 1];
  unsigned best = 0;
  float least = INFINITY;
  for (int first = 0; first < (all ? k : listed); first += at_once) {
    unsigned candidate[at_once];
    float distance[at_once];
#pragma unroll
    for (int i = 0; i < at_once; i++) candidate[i] = all ? static_cast<unsigned>(min(first + i, k - 1)) : list[first + i];
#pragma unroll
    for (int i = 0; i < at_once; i++) {
      const float2 centroid = centroids[candidate[i]];
      const float across = point.x - centroid.x, down = point.y - centroid.y;
      distance[i] = fmaf(down, down, across * across);
    }
    if (first == 0) best = candidate[0];
#pragma unroll
    for (int i = 0; i < at_once; i++) {
      if (distance[i] < least) {
        least = distance[i];
        best = candidate[i];
      }
    }
    // The last one fills up the list.
    if (!all && candidate[at_once - 1] == last) break;
  }
  return best;
}

template <class Code, int L>
struct SharedTableWorker {
  const SharedTableJob<Code>& job;
  const Pass& pass;
  const Code* table;
  const float2* centroids;
  LaneColumn<L> column;

  /// As in plane-cells.cu.
  __device__ __forceinline__ void take(const float2 (&points)[points_of_thread], unsigned valid) const {
    const auto several = static_cast<unsigned>(pass.k);
    unsigned cell[points_of_thread], number[points_of_thread];
    unsigned others = 0;
#pragma unroll
    for (int p = 0; p < points_of_thread; p++) {
      cell[p] = cell_of<cells>(job.box, points[p]);
      number[p] = table[cell[p]];
      others |= number[p] ^ number[0];
    }
    if (__all_sync(whole_warp, others == 0 && number[0] != several && valid == whole_warp)) {
      return column.add_all(number[0], points);
    }
#pragma unroll
    for (int p = 0; p < points_of_thread; p++) {
      if ((valid >> p & 1) == 0) continue;
      if (number[p] == several) number[p] = nearest_listed(table + cells * cells, centroids, pass.k, cell[p], points[p]);
      column.add_one(number[p], points[p]);
    }
  }
};

/// The parts of shared memory, in bytes from its start.
template <class Code, int L>
struct SharedTableLayout {
  static constexpr std::size_t centroids = (cells * cells + coarse_total * listed) * sizeof(Code);
  std::size_t sums, bytes;

  __host__ __device__ explicit SharedTableLayout(int k) {
    sums = centroids + static_cast<std::size_t>(k + k % 2) * sizeof(float2);
    bytes = sums + static_cast<std::size_t>(k) * sum_words * L * sizeof(unsigned);
  }
};

template <class Code, int L>
__global__ void __launch_bounds__(threads, 1) label_by_shared_table(SharedTableJob<Code> job, Pass pass, FinishArguments finish) {
  let_next_begin();
  using Parts = SharedTableLayout<Code, L>;
  extern __shared__ uint4 shared[];
  char* start = reinterpret_cast<char*>(shared);
  const Parts parts(pass.k);
  BatchStream<threads> stream(job.points);
  unsigned* sums = reinterpret_cast<unsigned*>(start + parts.sums);
  for (int at = threadIdx.x; at < pass.k * sum_words * L; at += threads) sums[at] = 0;
  await_earlier();
  if (*pass.halted != 0) return;
  const uint4* from = reinterpret_cast<const uint4*>(job.table);
#pragma unroll 4
  for (int at = threadIdx.x; at < static_cast<int>(Parts::centroids / sizeof(uint4)); at += threads) shared[at] = __ldcg(from + at);
  float2* centroids = reinterpret_cast<float2*>(start + Parts::centroids);
  for (int c = threadIdx.x; c < pass.k; c += threads) centroids[c] = __ldcg(reinterpret_cast<const float2*>(pass.centroids) + c);
  __syncthreads();
  const SharedTableWorker<Code, L> worker{job, pass, reinterpret_cast<const Code*>(start), centroids, LaneColumn<L>(sums, job.scale, job.sums.split)};
  for (unsigned done = 0; done < stream.most; done += job.sums.flush_after) {
    stream.feed(worker, job.sums.flush_after);
    flush_sums<threads, L>(sums, pass.k, job.sums.split, pass.fixed_sums, pass.counts);
  }
  finish_few<2>(finish, reinterpret_cast<RowTotals*>(shared));
}

template <class Code, int L>
class SharedTable final : public DeviceVariant {
 public:
  SharedTable(const Problem& problem, Buffer<float> points, std::unique_ptr<DeviceVariant> single)
      : problem_(problem), single_(std::move(single)), points_(std::move(points)), cells_(cells * cells + coarse_total * listed) {
    allow_dynamic_shared(label_by_shared_table<Code, L>, SharedTableLayout<Code, L>(problem.k).bytes);
    job_ = {ordered_points(points_, problem.n), problem.scale, grid_box(problem, cells), cells_.get(), {}};
  }

  static bool holds(const Problem& problem) {
    return static_cast<unsigned>(problem.k) < all_of_them<Code> && 2 * problem.k <= 2 * threads &&
           SharedTableLayout<Code, L>(problem.k).bytes + 1024 <= problem.device.sharedMemPerBlockOptin;
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return single_->speed(); }
  bool completes() const override { return true; }

  void enqueue_assign(const Pass& pass) override {
    if (!launch(pass, {})) single_->enqueue_assign(pass);
  }

  void enqueue_complete(const Pass& pass, const FinishArguments& finish) override {
    if (launch(pass, finish)) return;
    if (single_->completes()) return single_->enqueue_complete(pass, finish);
    single_->enqueue_assign(pass);
    enqueue_finish(finish, pass.stream);
  }

 private:
  /// @returns false where labels are wanted, or the points are too few for halves of sums: `single_` must do it.
  bool launch(const Pass& pass, const FinishArguments& finish) {
    if (!pass.accumulate || pass.write_labels || pass.count_changes || pass.first != 0 || pass.count != problem_.n) return false;
    constexpr unsigned warps = threads / 32;
    const unsigned blocks = std::min<unsigned>(problem_.device.multiProcessorCount, (job_.points.batches + warps - 1) / warps);
    job_.sums = split_sums(problem_.n, job_.points.batches / (static_cast<std::size_t>(blocks) * warps) + 2, threads / L);
    if (job_.sums.flush_after == 0) return false;
    job_.points.backwards = !job_.points.backwards;
    launch_early(find_cells<Code>, coarse_total / (finder_threads / 32), finder_threads, 0, pass.stream, job_, pass);
    launch_early(label_by_shared_table<Code, L>, blocks, threads, SharedTableLayout<Code, L>(pass.k).bytes, pass.stream, job_, pass, finish);
    return true;
  }

  Problem problem_;
  std::unique_ptr<DeviceVariant> single_;
  Buffer<float> points_;
  Buffer<Code> cells_;
  SharedTableJob<Code> job_{};
};

/// Calls `use` with the numbers in the table and the lanes of a copy of the sums, the widest that shared memory holds. @returns
/// false where it holds none.
template <class Use>
bool with_layout(const Problem& problem, const Use& use) {
  const auto attempt = [&](auto code, auto lanes) {
    using Table = SharedTable<decltype(code), lanes.value>;
    if (!Table::holds(problem)) return false;
    use(static_cast<Table*>(nullptr));
    return true;
  };
  return attempt(std::uint8_t{}, std::integral_constant<int, 32>{}) || attempt(std::uint8_t{}, std::integral_constant<int, 16>{}) ||
         attempt(std::uint16_t{}, std::integral_constant<int, 16>{}) || attempt(std::uint16_t{}, std::integral_constant<int, 8>{}) ||
         attempt(std::uint16_t{}, std::integral_constant<int, 4>{});
}

}  // namespace

bool shared_table_holds(const Problem& problem) {
  return with_layout(problem, [](auto*) {});
}

std::unique_ptr<DeviceVariant> make_with_shared_table(const Problem& problem, std::unique_ptr<DeviceVariant> others) {
  std::unique_ptr<DeviceVariant> made;
  with_layout(problem, [&](auto* table) {
    using Table = std::remove_pointer_t<decltype(table)>;
    made = std::make_unique<Table>(problem, points_by_cell(problem), std::move(others));
  });
  return made;
}

}  // namespace centroid_lab::cuda

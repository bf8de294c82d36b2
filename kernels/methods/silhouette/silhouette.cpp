#include "silhouette.hpp"

#include <vector>

#include "block_pairs.hpp"
#include "isa.hpp"
#include "neighbour_means.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

/// Points of a cluster on average from which blocks of clusters are worth their unfilled lanes.
constexpr std::size_t points_for_blocks = 48;
/// Points below which waking threads would take longer than the work.
constexpr std::size_t points_for_threads = 500;

/// Every tile against every cluster: twice the distances, but no lane is left empty where clusters are small.
bool add_packed_tiles(const ClusteredPoints& points, const std::vector<std::size_t>& cluster_of, ThreadPool& pool,
                      const CancelFlag& cancel, PairProgress& progress, NeighbourMeans& means) {
  const std::size_t n = points.points();
  progress.total = static_cast<std::uint64_t>(n) * n;
  const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t tile = first; tile < last; tile++) {
      alignas(64) double sums[pair_tile];
      const std::size_t begin = tile * pair_tile;
      const std::size_t lanes = n - begin < pair_tile ? n - begin : pair_tile;
      for (std::size_t cluster = 0; cluster < points.clusters(); cluster++) {
        const std::size_t members = points.size_of(cluster);
        if (members == 0) continue;
        const float* rows = points.rows_from(points.starts()[cluster]);
        pair_kernels().sums({points.tiles_from(tile), lanes, rows, members, points.features(), sums, nullptr});
        for (std::size_t i = 0; i < lanes; i++) means.take(begin + i, cluster_of[begin + i], cluster, sums[i]);
        if (cancel.load(std::memory_order_relaxed)) return;
      }
      progress.done.fetch_add(lanes * n, std::memory_order_relaxed);
    }
  };
  const auto stopped = [&] { return cancel.load(std::memory_order_relaxed); };
  return pool.share((n + pair_tile - 1) / pair_tile, 1, visit, stopped) && !stopped();
}

}  // namespace

const PairKernels& pair_kernels() {
#if defined(__x86_64__)
  static const Isa isa = best_isa();
  if (isa == Isa::avx512) return avx512_pair_kernels;
  if (isa == Isa::avx2) return avx2_pair_kernels;
#endif
  return baseline_pair_kernels;
}

bool silhouettes(const ClusteredInput& input, std::size_t threads, const CancelFlag& cancel, PairProgress& progress,
                 double* values) {
  const bool packed = input.n / points_for_blocks < input.k;
  const ClusteredPoints points(input, packed ? PointTiles::packed : PointTiles::of_clusters);
  const std::vector<std::size_t> cluster_of = points.clusters_in_order();
  NeighbourMeans means(points);
  ThreadPool pool(input.n < points_for_threads ? 1 : threads);
  const bool complete = packed ? add_packed_tiles(points, cluster_of, pool, cancel, progress, means)
                               : add_block_pairs(points, pool, cancel, progress, means);
  if (!complete) return false;
  for (std::size_t slot = 0; slot < input.n; slot++) {
    values[points.order()[slot]] = means.silhouette(slot, cluster_of[slot]);
  }
  return true;
}

}  // namespace centroid_lab

#include "methods/neighbour-groups/candidate_lists.hpp"

#include <algorithm>
#include <bit>

#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t points_of_group = tiles_of_group * tile_points;

/// Turns one mask a centroid into one list a group, side by side in `members`.
void list_of(const std::vector<std::uint64_t>& masks, std::vector<std::int32_t>& members, std::size_t* firsts,
             std::size_t* counts) {
  std::fill_n(counts, groups_at_once, 0);
  for (const std::uint64_t mask : masks) {
    for (std::uint64_t left = mask; left != 0; left &= left - 1) counts[std::countr_zero(left)]++;
  }
  std::size_t next[groups_at_once];
  std::size_t all = 0;
  for (std::size_t group = 0; group < groups_at_once; group++) {
    firsts[group] = next[group] = all;
    all += counts[group];
  }
  members.resize(all);
  for (std::size_t c = 0; c < masks.size(); c++) {
    for (std::uint64_t left = masks[c]; left != 0; left &= left - 1) {
      members[next[std::countr_zero(left)]++] = static_cast<std::int32_t>(c);
    }
  }
}

/// Rows that are asked for before they are needed.
constexpr std::size_t rows_ahead = 12;

/// Asks for a row that will be read soon.
void call_for(const float* row, std::size_t d) {
  constexpr std::size_t line = 16;
  for (std::size_t j = 0; j < d; j += line) __builtin_prefetch(row + j);
}

/// Rows (64, d) to columns (d, 64).
void turn(const float* rows, std::size_t d, float* tile) {
  for (std::size_t j = 0; j < d; j++) {
    for (std::size_t p = 0; p < tile_points; p++) tile[j * tile_points + p] = rows[p * d + j];
  }
}

}  // namespace

void fill_tiles(const Points& points, const std::uint32_t* order, ThreadPool& pool, float* tiles) {
  const std::size_t d = points.d;
  const auto fill = [&](std::size_t, std::size_t first, std::size_t last) {
    // Rows from all over memory are fetched side by side first, then turned where they are close.
    std::vector<float> rows(tile_points * d, 0.0F);
    for (std::size_t tile = first; tile < last; tile++) {
      const std::size_t start = tile * tile_points;
      const std::size_t here = std::min(tile_points, points.n - start);
      for (std::size_t p = 0; p < here; p++) {
        if (order != nullptr) call_for(points.row(order[std::min(start + p + rows_ahead, points.n - 1)]), d);
        std::copy_n(points.row(order != nullptr ? order[start + p] : start + p), d, rows.data() + p * d);
      }
      std::fill(rows.begin() + static_cast<std::ptrdiff_t>(here * d), rows.end(), 0.0F);
      turn(rows.data(), d, tiles + start * d);
    }
  };
  pool.share(tiles_for(points.n), (std::size_t{1} << 16) / (tile_points * d) + 1, fill, [] { return false; });
}

void Balls::measure(const BallKernels& kernels, const float* tiles, const Points& points, ThreadPool& pool) {
  groups = (points.n + points_of_group - 1) / points_of_group;
  const std::size_t padded = (groups + groups_at_once - 1) / groups_at_once * groups_at_once;
  middles.assign(padded * points.d, 0.0F);
  radii.assign(padded, 0.0F);
  const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t group = first; group < last; group++) {
      const std::size_t start = group * points_of_group;
      float* middle = middles.data() + group / groups_at_once * groups_at_once * points.d + group % groups_at_once;
      kernels.measure(tiles + start * points.d, std::min(points_of_group, points.n - start), points.d, middle,
                      &radii[group]);
    }
  };
  pool.share(groups, 16, visit, [] { return false; });
}

bool CandidateLists::find(const BallKernels& kernels, const Balls& balls, const PackedCentroids& packed,
                          std::size_t d, float skin, ThreadPool& pool, const CancelFlag& cancel) {
  const std::size_t bundles = balls.radii.size() / groups_at_once;
  members.resize(bundles);
  firsts.resize(balls.radii.size());
  counts.resize(balls.radii.size());
  const BallJob job{balls.middles.data(), balls.radii.data(), d, packed.values.data(), packed.live, skin};
  const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<float> distances(packed.blocks * block_size * groups_at_once);
    std::vector<std::uint64_t> masks(packed.live);
    for (std::size_t bundle = first; bundle < last; bundle++) {
      kernels.candidates(job, bundle, distances.data(), masks.data());
      const std::size_t at = bundle * groups_at_once;
      list_of(masks, members[bundle], &firsts[at], &counts[at]);
    }
  };
  return pool.share(bundles, 1, visit, [&] { return cancel.load(std::memory_order_relaxed); });
}

}  // namespace centroid_lab

#include "candidate_lists.hpp"

#include <algorithm>
#include <bit>

#include "tiles.hpp"

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

}  // namespace

std::unique_ptr<float[]> tiles_of(const Points& points, const std::uint32_t* order, ThreadPool& pool) {
  const std::size_t size = tile_points * points.d;
  const std::size_t count = tiles_for(points.n);
  auto tiles = std::make_unique_for_overwrite<float[]>(count * size);
  const auto fill = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first * tile_points; i < last * tile_points; i++) {
      float* to = tiles.get() + i / tile_points * size + i % tile_points;
      const float* row = i < points.n ? points.row(order != nullptr ? order[i] : i) : nullptr;
      for (std::size_t j = 0; j < points.d; j++) to[j * tile_points] = row != nullptr ? row[j] : 0.0F;
    }
  };
  pool.share(count, (std::size_t{1} << 16) / size + 1, fill, [] { return false; });
  return tiles;
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

#include "seeding/seeding.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "isa.hpp"

namespace centroid_lab {
namespace {

/// Coordinates of the points below which one thread does everything.
constexpr std::size_t work_for_threads = 50'000;
/// Multiply-adds that a worker takes at once.
constexpr std::size_t work_of_chunk = std::size_t{1} << 15;

using Lanes = std::array<double, sum_lanes>;

}  // namespace

const SeedingKernels& best_seeding_kernels() {
#if defined(__x86_64__)
  const Isa isa = best_isa();
  if (isa == Isa::avx512) return avx512_seeding;
  if (isa == Isa::avx2) return avx2_seeding;
#endif
  return baseline_seeding;
}

Seeding::Seeding(const float* x, std::size_t n, std::size_t d, std::size_t threads, std::size_t column_bytes)
    : x_(x), n_(n), d_(d), blocks_((n + block_points - 1) / block_points), kernels_(best_seeding_kernels()),
      pool_(n * d < work_for_threads ? 1 : threads), may_order_(n * d * sizeof(float) <= column_bytes),
      keeps_columns_(n * d * sizeof(float) <= column_bytes / 4),
      columns_((keeps_columns_ ? (n + group_points - 1) / group_points : pool_.size()) * group_points * d),
      gathered_(blocks_, 0), groups_(pool_.size()), nearest_((n + group_points - 1) / group_points * group_points, 0.0),
      sums_(nearest_, n, kernels_) {
  std::fill_n(nearest_.begin(), n, std::numeric_limits<double>::infinity());
  for (auto& group : groups_) group.resize(d * group_points);
}

/// Calls visit(block) for every block.
template <class Visit>
void Seeding::for_each_block(std::size_t centres, const Visit& visit) {
  const std::size_t chunk = work_of_chunk / (block_points * d_ * centres) + 1;
  pool_.share(
      blocks_, chunk,
      [&](std::size_t worker, std::size_t first, std::size_t last) {
        for (std::size_t block = first; block < last; block++) {
          const std::size_t start = block * block_points;
          visit(Block{block, start, std::min(n_, start + block_points), worker});
          gathered_[block] = keeps_columns_;
        }
      },
      [&] { return cancel.load(std::memory_order_relaxed); });
}

/// Calls visit(first point, group as float64) for every group of a block.
template <class Visit>
void Seeding::for_each_group(const Block& block, const Visit& visit) {
  const std::size_t size = group_points * d_;
  double* group = groups_[block.worker].data();
  for (std::size_t i = block.first; i < block.last; i += group_points) {
    float* columns = columns_.data() + (keeps_columns_ ? i / group_points : block.worker) * size;
    if (!gathered_[block.index]) kernels_.gather(x_ + i * d_, block.points_from(i), d_, columns);
    kernels_.widen(columns, d_, group);
    visit(i, group);
  }
}

std::vector<float> Seeding::centres_of(const std::vector<std::int32_t>& rows) const {
  std::vector<float> centres;
  centres.reserve(rows.size() * d_);
  for (const std::int32_t row : rows) {
    const float* from = x_ + static_cast<std::size_t>(row) * d_;
    centres.insert(centres.end(), from, from + d_);
  }
  return centres;
}

std::vector<double> Seeding::potentials(const std::vector<std::int32_t>& candidates) {
  const std::vector<double> sums = potentials_of_blocks(centres_of(candidates));
  std::vector<double> totals(candidates.size(), 0.0);
  for (std::size_t at = 0; at < sums.size(); at++) totals[at % totals.size()] += sums[at];
  return totals;
}

std::vector<double> Seeding::potentials_of_blocks(const std::vector<float>& coordinates) {
  const std::size_t count = coordinates.size() / d_;
  const std::vector<double> centres(coordinates.begin(), coordinates.end());
  std::vector<double> sums(blocks_ * count);
  for_each_block(count, [&](const Block& block) {
    std::vector<Lanes> lanes(count, Lanes{});
    for_each_group(block, [&](std::size_t i, const double* group) {
      for (std::size_t c = 0; c < count; c++) {
        kernels_.add_potential(group, centres.data() + c * d_, d_, nearest_.data() + i, lanes[c].data());
      }
    });
    for (std::size_t c = 0; c < count; c++) sums[block.index * count + c] = sum_of_lanes(lanes[c].data());
  });
  return sums;
}

double Seeding::commit(const std::vector<std::int32_t>& rows) {
  lower(centres_of(rows));
  return sums_.total();
}

void Seeding::lower(const std::vector<float>& coordinates) {
  const std::size_t count = coordinates.size() / d_;
  const std::vector<double> centres(coordinates.begin(), coordinates.end());
  for_each_block(count, [&](const Block& block) {
    Lanes lanes{};
    for_each_group(block, [&](std::size_t i, const double* group) {
      double* nearest = nearest_.data() + i;
      for (std::size_t c = 0; c < count; c++) kernels_.lower(group, centres.data() + c * d_, d_, nearest);
      kernels_.add_up(nearest, lanes.data());
    });
    sums_.set(block.index, sum_of_lanes(lanes.data()));
  });
}

std::vector<std::int32_t> Seeding::pick(const std::vector<double>& targets) {
  std::vector<std::int32_t> rows;
  rows.reserve(targets.size());
  for (const double target : targets) rows.push_back(sums_.pick(target));
  return rows;
}

std::vector<double> Seeding::distances(std::size_t start, std::size_t count) {
  const auto from = nearest_.begin() + static_cast<std::ptrdiff_t>(start);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

std::vector<double> Seeding::nearest_counts(const std::vector<std::int32_t>& rows) {
  return nearest_counts_of(centres_of(rows));
}

std::vector<double> Seeding::nearest_counts_of(const std::vector<float>& coordinates) {
  const std::size_t count = coordinates.size() / d_;
  const std::vector<double> centres(coordinates.begin(), coordinates.end());
  std::vector<std::atomic<std::int64_t>> members(count);
  for_each_block(count, [&](const Block& block) {
    for_each_group(block, [&](std::size_t i, const double* group) {
      std::array<double, group_points> smallest;
      smallest.fill(std::numeric_limits<double>::infinity());
      std::array<std::int64_t, group_points> best{};
      for (std::size_t c = 0; c < count; c++) {
        kernels_.compare(group, centres.data() + c * d_, d_, static_cast<std::int64_t>(c), smallest.data(),
                         best.data());
      }
      for (std::size_t p = 0; p < block.points_from(i); p++) {
        members[static_cast<std::size_t>(best[p])].fetch_add(1, std::memory_order_relaxed);
      }
    });
  });
  return {members.begin(), members.end()};
}

}  // namespace centroid_lab

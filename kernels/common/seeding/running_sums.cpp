#include "seeding/running_sums.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace centroid_lab {
namespace {

/// Blocks that a worker sums at once.
constexpr std::size_t blocks_of_chunk = 64;
/// Additions behind a running sum beside those of blocks: in a block's lanes, before and after it was lowered, and along
/// the points of a block.
constexpr double additions = 300 + block_points;
/// A margin beyond this share of what a point has on average makes it likely that a row cannot be told.
constexpr double wide_margin = 1e-3;
/// ... and summing anew has to narrow it by as much.
constexpr double worth_refreshing = 4;

}  // namespace

double sum_of_lanes(const double* lane) {
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

RunningSums::RunningSums(const std::vector<double>& nearest, std::size_t n, const SeedingKernels& kernels)
    : nearest_(nearest), n_(n), kernels_(kernels),
      sums_((n + block_points - 1) / block_points, std::numeric_limits<double>::infinity()) {}

double RunningSums::sum_of_block(std::size_t block) const {
  std::array<double, sum_lanes> lane{};
  const std::size_t last = std::min(n_, (block + 1) * block_points);
  for (std::size_t i = block * block_points; i < last; i += group_points) kernels_.add_up(nearest_.data() + i, lane.data());
  return sum_of_lanes(lane.data());
}

double RunningSums::total() const {
  double sum = 0;
  for (const double value : sums_) sum += value;
  return sum;
}

double RunningSums::total_with(const std::vector<std::uint8_t>& touched) const {
  double sum = 0;
  for (std::size_t block = 0; block < blocks(); block++) sum += touched[block] != 0 ? sum_of_block(block) : sums_[block];
  return sum;
}

std::int32_t RunningSums::pick(double target) const {
  const auto found = pick_from(0, target);
  return found ? *found : last_with_distance().value_or(static_cast<std::int32_t>(n_ - 1));
}

std::optional<std::int32_t> RunningSums::pick_from(double before, double target) const {
  for (std::size_t block = 0; block < blocks(); block++) {
    const double after = before + sums_[block];
    if (after > target) {
      const std::int32_t found = pick_in_block(block, before, target);
      if (found >= 0) return found;
    }
    before = after;
  }
  return std::nullopt;
}

std::int32_t RunningSums::pick_in_block(std::size_t block, double before, double target) const {
  const std::size_t last = std::min(n_, (block + 1) * block_points);
  double running = before;
  for (std::size_t i = block * block_points; i < last; i++) {
    running += nearest_[i];
    if (running > target && nearest_[i] > 0) return static_cast<std::int32_t>(i);
  }
  return -1;
}

std::optional<std::int32_t> RunningSums::last_with_distance() const {
  for (std::size_t i = n_; i-- > 0;) {
    if (nearest_[i] > 0) return static_cast<std::int32_t>(i);
  }
  return std::nullopt;
}

void RunningSums::begin() {
  stale_.assign(blocks(), 0);
  rounded_ = 0;
  fresh_total_ = total();
  add_up_blocks();
}

void RunningSums::lower(std::size_t row, double by) {
  const std::size_t block = row / block_points;
  rounded_ += sums_[block];
  sums_[block] -= by;
  stale_[block] = 1;
}

void RunningSums::refresh(ThreadPool& pool, const CancelFlag& cancel, bool all) {
  const auto sum_some = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; block++) {
      if (all || stale_[block] != 0) sums_[block] = sum_of_block(block);
    }
  };
  pool.share(blocks(), blocks_of_chunk, sum_some, [&] { return cancel.load(std::memory_order_relaxed); });
  begin();
}

bool RunningSums::add_up_blocks() {
  before_.resize(blocks() + 1);
  double sum = 0;
  for (std::size_t block = 0; block < blocks(); block++) {
    before_[block] = sum;
    sum += sums_[block];
  }
  before_.back() = sum;
  margin_ = margin_of(fresh_total_, rounded_);
  return margin_ * static_cast<double>(n_) > wide_margin * sum && margin_ > worth_refreshing * margin_of(sum, 0);
}

/// README.md counts the roundings; each is at most 2^-53 of what is added up, and twice as many are allowed for.
double RunningSums::margin_of(double total, double rounded) const {
  const double sums = static_cast<double>(blocks()) + additions;
  return 4 * std::numeric_limits<double>::epsilon() * (sums * total + rounded);
}

std::optional<std::int32_t> RunningSums::pick_share(double share) const {
  const double target = share * about();
  const auto after = std::upper_bound(before_.begin() + 1, before_.end(), target);
  if (after == before_.end()) return std::nullopt;
  const auto block = static_cast<std::size_t>(after - before_.begin()) - 1;
  double running = before_[block];
  if (!(running + margin_ < target)) return std::nullopt;
  const std::size_t last = std::min(n_, (block + 1) * block_points);
  for (std::size_t i = block * block_points; i < last; i++) {
    if (running + nearest_[i] > target) {
      const bool certain = running + margin_ < target && running + nearest_[i] - margin_ > target;
      return certain ? std::optional(static_cast<std::int32_t>(i)) : std::nullopt;
    }
    running += nearest_[i];
  }
  return std::nullopt;
}

}  // namespace centroid_lab

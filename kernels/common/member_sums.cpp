#include "member_sums.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

namespace centroid_lab {
namespace {

/// Additions between two looks at the cancel flag, and to one thread at a time.
constexpr std::size_t additions_at_once = std::size_t{1} << 17;

[[noreturn]] void refuse_labels() { throw std::invalid_argument("the device answered a label that is no cluster"); }

}  // namespace

MemberSums::MemberSums(Points points, std::size_t threads) : points_(std::move(points)), fixed_(points_) {
  if (threads < 2) return;
  pool_ = std::make_unique<ThreadPool>(threads);
  partial_.resize(threads);
}

bool MemberSums::sum(const std::int32_t* labels, std::int32_t first, std::size_t k, const CancelFlag& cancel,
                     ExactSums& to) {
  const Membership membership{labels, first, k};
  to.reset(k, points_.d);
  return pool_ ? sum_in_parallel(membership, cancel, to) : sum_in_one_pass(membership, cancel, to);
}

bool MemberSums::sum_in_one_pass(const Membership& membership, const CancelFlag& cancel, ExactSums& to) const {
  const std::size_t step = additions_at_once / points_.d + 1;
  for (std::size_t at = 0; at < points_.n; at += step) {
    if (cancel.load(std::memory_order_relaxed)) return false;
    if (!add_points(membership, at, std::min(points_.n, at + step), to)) refuse_labels();
  }
  return true;
}

bool MemberSums::sum_in_parallel(const Membership& membership, const CancelFlag& cancel, ExactSums& to) {
  std::atomic<bool> wrong{false};
  // Tasks of the pool must not throw, so room is made here.
  for (ExactSums& mine : partial_) mine.reset(membership.k, points_.d);
  const auto visit = [&](std::size_t worker, std::size_t first, std::size_t last) {
    if (!add_points(membership, first, last, partial_[worker])) wrong.store(true, std::memory_order_relaxed);
  };
  const auto stopped = [&] { return cancel.load(std::memory_order_relaxed); };
  if (!pool_->share(points_.n, additions_at_once / points_.d + 1, visit, stopped)) return false;
  if (wrong.load(std::memory_order_relaxed)) refuse_labels();
  add_partials(to);
  return true;
}

/// @returns false when a label is no cluster; the points after it are then left out.
bool MemberSums::add_points(const Membership& membership, std::size_t first, std::size_t last, ExactSums& to) const {
  const std::size_t d = points_.d;
  const float* scale = fixed_.scale();
  for (std::size_t i = first; i < last; i++) {
    // A label below the first one wraps around to a number far above k.
    const std::size_t cluster = static_cast<std::uint32_t>(membership.labels[i]) - std::size_t(membership.first);
    if (cluster >= membership.k) return false;
    const float* row = points_.row(i);
    std::int64_t* sums = to.sums.data() + cluster * d;
    to.counts[cluster]++;
    for (std::size_t j = 0; j < d; j++) sums[j] += to_fixed(row[j], scale[j]);
  }
  return true;
}

/// Adds what the threads have, each thread taking its share of the clusters.
void MemberSums::add_partials(ExactSums& to) {
  const std::size_t d = points_.d;
  const auto add = [&](std::size_t, std::size_t first, std::size_t last) {
    for (const ExactSums& part : partial_) {
      for (std::size_t at = first * d; at < last * d; at++) to.sums[at] += part.sums[at];
      for (std::size_t at = first; at < last; at++) to.counts[at] += part.counts[at];
    }
  };
  pool_->share(to.counts.size(), additions_at_once / (d * partial_.size()) + 1, add, [] { return false; });
}

}  // namespace centroid_lab

#include "member_sums.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <utility>

namespace centroid_lab {
namespace {

[[noreturn]] void refuse_labels() { throw std::invalid_argument("the device answered a label that is no cluster"); }

}  // namespace

MemberSums::MemberSums(Points points, std::size_t threads) : points_(std::move(points)), fixed_(points_) {
  if (threads > 1) threads_ = make_parallel_sums(threads);
}

bool MemberSums::sum(const std::int32_t* labels, std::int32_t first, std::size_t k, const CancelFlag& cancel,
                     ExactSums& to) {
  const Membership membership{labels, first, k};
  to.reset(k, points_.d);
  return threads_ ? sum_in_parallel(membership, cancel, to) : sum_in_one_pass(membership, cancel, to);
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
  const std::function<void(std::size_t, std::size_t, ExactSums&)> add = [&](std::size_t first, std::size_t last,
                                                                            ExactSums& own) {
    if (!add_points(membership, first, last, own)) wrong.store(true, std::memory_order_relaxed);
  };
  const SumJob job{points_.n, membership.k, points_.d, add, cancel};
  if (!threads_->sum(job, to)) return false;
  if (wrong.load(std::memory_order_relaxed)) refuse_labels();
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

}  // namespace centroid_lab

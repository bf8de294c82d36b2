#include "parts/process_parts.hpp"

#include <algorithm>
#include <utility>

#include "clock.hpp"

namespace centroid_lab {

ProcessParts::ProcessParts(const Points& points, std::size_t k, ProcessGroup& group, const Make& make)
    : k_(k), d_(points.d), fixed_(points), group_(group) {
  if (points.n == 0) return;
  part_ = make(points);
  result_.wants_fixed = true;
}

void ProcessParts::restart() {
  if (part_) part_->restart();
}

bool ProcessParts::pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) {
  const double began = mark(timed);
  if (part_ && !part_->pass(centroids, false, cancel, result_)) return false;
  std::vector<std::int64_t> all = packed();
  if (!group_.sum(all.data(), all.size(), cancel)) return false;
  unpack(all, result);
  if (timed) result.iterate_ms = now_ms() - began;
  return true;
}

std::vector<std::int64_t> ProcessParts::packed() const {
  const std::size_t sums = k_ * d_;
  std::vector<std::int64_t> all(sums + k_ + 2, 0);
  if (!part_) {
    all.back() = 1;
    return all;
  }
  std::copy(result_.fixed.begin(), result_.fixed.end(), all.begin());
  std::copy(result_.counts.begin(), result_.counts.end(), all.begin() + static_cast<std::ptrdiff_t>(sums));
  all[sums + k_] = result_.changed;
  all.back() = result_.same_labels ? 1 : 0;
  return all;
}

void ProcessParts::unpack(const std::vector<std::int64_t>& all, PassResult& result) const {
  const std::size_t sums = k_ * d_;
  const auto counts = all.begin() + static_cast<std::ptrdiff_t>(sums);
  ExactSums::store_sums(fixed_, all.data(), sums, result);
  result.counts.assign(counts, counts + static_cast<std::ptrdiff_t>(k_));
  result.changed = all[sums + k_];
  result.same_labels = all.back() == static_cast<std::int64_t>(group_.size());
  if (result.wants_fixed) result.fixed.assign(all.begin(), counts);
}

void ProcessParts::labels_of_pass(std::int32_t* labels) const {
  if (part_) part_->labels_of_pass(labels);
}

bool ProcessParts::assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) {
  return !part_ || part_->assign(centroids, cancel, labels);
}

}  // namespace centroid_lab

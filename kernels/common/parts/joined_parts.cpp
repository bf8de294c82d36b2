#include "parts/joined_parts.hpp"

#include <algorithm>
#include <utility>

#include "clock.hpp"

namespace centroid_lab {

JoinedParts::JoinedParts(const Points& points, std::size_t k, std::vector<Worker> workers, std::size_t step)
    : points_(points), k_(k), step_(step), fixed_(points), workers_(std::move(workers)), parts_(workers_.size()), pool_(workers_.size()) {
  do split();
  while (!keep_all());
}

JoinedParts::~JoinedParts() {
  on_parts([](Part& part, const RowRange&) { part.variant.reset(); });
}

/// Calls work(part, range) for each that has rows, by the worker's thread. One that is lost is marked.
template <class Work>
void JoinedParts::on_parts(const Work& work) const {
  pool_.run([&](std::size_t at) {
    Part& part = parts_[at];
    if (part.lost || ranges_[at].count == 0) return;
    try {
      work(part, ranges_[at]);
    } catch (const WorkerLost& loss) {
      part.lose(loss);
    }
  });
}

void JoinedParts::split() {
  std::vector<double> speeds;
  for (std::size_t at = 0; at < workers_.size(); at++) speeds.push_back(parts_[at].lost ? 0 : workers_[at].speed);
  if (std::all_of(speeds.begin(), speeds.end(), [](double speed) { return speed <= 0; })) {
    throw WorkerLost("All devices of this run were lost: " + losses_.back());
  }
  // Before others are made: they may need the room.
  if (!ranges_.empty()) on_parts([](Part& part, const RowRange&) { part.variant.reset(); });
  ranges_ = split_rows(points_.n, speeds, step_);
  pool_.run([&](std::size_t at) {
    const RowRange range = ranges_[at];
    if (range.count == 0) return;
    Points part{points_.row(range.first), range.count, points_.d, points_.max_abs, points_.whole_n()};
    try {
      parts_[at].variant = workers_[at].make(part);
      parts_[at].result.wants_fixed = true;
    } catch (const WorkerLost& loss) {
      parts_[at].lose(loss);
    }
  });
  forgot_ = true;
}

bool JoinedParts::keep_all() {
  const std::size_t known = losses_.size();
  for (std::size_t at = 0; at < parts_.size(); at++) {
    if (!parts_[at].lost || ranges_[at].count == 0) continue;
    losses_.push_back(workers_[at].name + " was lost (" + parts_[at].why + ")");
    ranges_[at].count = 0;
    parts_[at].variant.reset();
  }
  return losses_.size() == known;
}

void JoinedParts::restart() {
  before_.clear();
  on_parts([](Part& part, const RowRange&) { part.variant->restart(); });
}

bool JoinedParts::pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) {
  const double began = mark(timed);
  for (;;) {
    if (!recall(cancel)) return false;
    if (!try_pass(centroids, cancel, result)) return false;
    if (keep_all()) break;
    do split();
    while (!keep_all());
  }
  before_.assign(centroids, centroids + k_ * points_.d);
  if (timed) result.iterate_ms = now_ms() - began;
  return true;
}

/// New parts get the labels that the lost pass before had, since changes are counted against them.
bool JoinedParts::recall(const CancelFlag& cancel) {
  if (!std::exchange(forgot_, false) || before_.empty()) return true;
  PassResult ignored;
  return try_pass(before_.data(), cancel, ignored);
}

/// @returns false when cancelled, which is not so where a worker was lost.
bool JoinedParts::try_pass(const float* centroids, const CancelFlag& cancel, PassResult& result) {
  on_parts([&](Part& part, const RowRange&) {
    part.complete = false;
    part.complete = part.variant->pass(centroids, false, cancel, part.result);
  });
  return add_up(result);
}

bool JoinedParts::add_up(PassResult& result) {
  std::vector<std::int64_t> sums(k_ * points_.d, 0);
  result.counts.assign(k_, 0);
  result.changed = 0;
  result.same_labels = true;
  const bool none_lost = !some_lost();
  for (std::size_t at = 0; at < parts_.size(); at++) {
    const Part& part = parts_[at];
    if (part.lost || ranges_[at].count == 0) continue;
    // Where one was lost the pass is made again, and learns of the cancel then.
    if (!part.complete) return !none_lost;
    for (std::size_t i = 0; i < sums.size(); i++) sums[i] += part.result.fixed[i];
    for (std::size_t c = 0; c < k_; c++) result.counts[c] += part.result.counts[c];
    result.changed += part.result.changed;
    result.same_labels = result.same_labels && part.result.same_labels;
  }
  ExactSums::store_sums(fixed_, sums.data(), sums.size(), result);
  if (result.wants_fixed) result.fixed = std::move(sums);
  return true;
}

bool JoinedParts::some_lost() const {
  for (std::size_t at = 0; at < parts_.size(); at++) {
    if (parts_[at].lost && ranges_[at].count > 0) return true;
  }
  return false;
}

void JoinedParts::labels_of_pass(std::int32_t* labels) const {
  on_parts([&](const Part& part, const RowRange& range) { part.variant->labels_of_pass(labels + range.first); });
  // The centroids of that pass give the same labels again.
  if (some_lost()) const_cast<JoinedParts*>(this)->assign(before_.data(), CancelFlag{false}, labels);
}

bool JoinedParts::assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) {
  for (;;) {
    on_parts([&](Part& part, const RowRange& range) {
      part.complete = false;
      part.complete = part.variant->assign(centroids, cancel, labels + range.first);
    });
    for (std::size_t at = 0; at < parts_.size(); at++) {
      if (!parts_[at].lost && ranges_[at].count > 0 && !parts_[at].complete) return false;
    }
    if (keep_all()) return true;
    do split();
    while (!keep_all());
  }
}

}  // namespace centroid_lab

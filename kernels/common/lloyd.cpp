#include "lloyd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "clock.hpp"
#include "cluster_totals.hpp"
#include "empty_clusters.hpp"
#include "lane_sum.hpp"

namespace centroid_lab {
namespace {

/// Multiply-adds after which reading the clock costs nothing worth mentioning.
constexpr double work_between_clock_reads = 50'000;

/// Room made for the answers of one call in advance.
constexpr std::int64_t max_reserved = 1024;

/// Float64 shift between two sets of centroids; a row that is NaN on either side adds nothing.
struct Shift {
  LaneSum squared;
  double max_squared_norm = 0;
  double max_coordinate = 0;
};

/// Adds the share of one row to `shift`: zero where it is dropped now, no number at all where it was before.
template <class Real>
void add_row(const Real* before, const Real* after, std::size_t d, Shift& shift) {
  if (std::isnan(before[0])) return;
  if (std::isnan(after[0])) return shift.squared.add(0);
  LaneSum squares;
  for (std::size_t j = 0; j < d; j++) {
    const double change = static_cast<double>(after[j]) - static_cast<double>(before[j]);
    squares.add(change * change);
    shift.max_coordinate = std::max(shift.max_coordinate, std::abs(change));
  }
  const double squared = squares.total();
  shift.squared.add(squared);
  shift.max_squared_norm = std::max(shift.max_squared_norm, squared);
}

}  // namespace

template <class Real>
LloydOf<Real>::LloydOf(PointsOf<Real> points, Rules rules, std::unique_ptr<VariantOf<Real>> variant)
    : LloydOf(points, rules, std::move(variant), rules.needs_inertia() ? moments_of(points) : Moments{}) {}

template <class Real>
LloydOf<Real>::LloydOf(PointsOf<Real> points, Rules rules, BuiltVariantOf<Real> built, ProcessGroup* group)
    : LloydOf(points, rules, std::move(built.variant), rules.needs_inertia() ? moments_of(points, group) : Moments{}) {
  plan_ = std::move(built.plan);
  group_ = group;
}

template <class Real>
LloydOf<Real>::LloydOf(PointsOf<Real> points, Rules rules, std::unique_ptr<VariantOf<Real>> variant, Moments moments)
    : points_(std::move(points)), rules_(rules), variant_(std::move(variant)), moments_(std::move(moments)) {
  const std::size_t size = rules_.k * points_.d;
  centroids_.resize(size);
  before_.resize(size);
}

template <class Real>
void LloydOf<Real>::start(const Real* centroids) {
  std::copy_n(centroids, centroids_.size(), centroids_.begin());
  iteration_ = 0;
  inertia_before_ = -1;
  labels_spoilt_ = false;
  are_means_ = false;
  variant_->restart();
}

template <class Real>
void LloydOf<Real>::resume(const Real* centroids, std::int64_t iteration, double inertia_before) {
  std::copy_n(centroids, centroids_.size(), centroids_.begin());
  iteration_ = iteration;
  inertia_before_ = inertia_before;
  labels_spoilt_ = false;
  are_means_ = false;
}

template <class Real>
AdvanceOf<Real> LloydOf<Real>::advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) {
  const double began = now_ms();
  const double work = static_cast<double>(points_.n) * static_cast<double>(rules_.k * points_.d);
  double work_since_read = 0;
  AdvanceOf<Real> answer;
  answer.iterations.reserve(static_cast<std::size_t>(std::min(iterations, max_reserved)));
  for (std::int64_t done = 0; done < iterations; done++) {
    IterationStats stats;
    if (cancel.load(std::memory_order_relaxed) || !iterate(cancel, stats)) break;
    answer.iterations.push_back(stats);
    if (rules_.track_centroids) {
      answer.centroids.insert(answer.centroids.end(), centroids_.begin(), centroids_.end());
    }
    if (stats.stop) break;
    work_since_read += work;
    if (work_since_read < work_between_clock_reads) continue;
    work_since_read = 0;
    if (now_ms() - began >= milliseconds) break;
  }
  return answer;
}

template <class Real>
bool LloydOf<Real>::iterate(const CancelFlag& cancel, IterationStats& stats) {
  if (labels_spoilt_ && !restore_labels(cancel)) return false;
  const bool phased = rules_.timing == Timing::phases;
  Marks marks;
  marks.begin = mark(rules_.timing != Timing::total);
  if (!variant_->pass(centroids_.data(), phased, cancel, pass_)) {
    labels_spoilt_ = true;
    return false;
  }
  marks.passed = mark(phased);
  stats.iteration = ++iteration_;
  bool moved = true;
  if (!update(cancel, stats, moved)) return false;
  marks.updated = mark(phased);
  converge(moved, stats);
  note_times(marks, stats);
  return true;
}

template <class Real>
bool LloydOf<Real>::restore_labels(const CancelFlag& cancel) {
  variant_->restart();
  if (iteration_ > 0 && !variant_->pass(before_.data(), false, cancel, pass_)) return false;
  labels_spoilt_ = false;
  return true;
}

template <class Real>
void LloydOf<Real>::note_pass(IterationStats& stats) {
  if (rules_.needs_changed()) {
    stats.changed = iteration_ == 1 ? static_cast<std::int64_t>(points_.whole_n()) : pass_.changed;
  }
  if (rules_.needs_inertia()) stats.inertia = inertia_from_sums(moments_, centroids_.data(), pass_);
  for (std::size_t cluster = 0; cluster < rules_.k; cluster++) {
    const bool in_play = !std::isnan(centroids_[cluster * points_.d]);
    if (in_play && pass_.counts[cluster] == 0) stats.empty_clusters++;
  }
}

template <class Real>
bool LloydOf<Real>::update(const CancelFlag& cancel, IterationStats& stats, bool& moved) {
  note_pass(stats);
  // The same members have the same means.
  moved = !are_means_ || !pass_.same_labels;
  are_means_ = stats.empty_clusters == 0;
  if (!moved) {
    before_ = centroids_;
    return true;
  }
  if (stats.empty_clusters > 0 && rules_.empty == EmptyPolicy::farthest && !fill_empty_clusters(cancel)) return false;
  before_.swap(centroids_);
  for (std::size_t cluster = 0; cluster < rules_.k; cluster++) update_centroid(cluster);
  return true;
}

template <class Real>
bool LloydOf<Real>::fill_empty_clusters(const CancelFlag& cancel) {
  std::vector<std::int32_t> labels(points_.n);
  variant_->labels_of_pass(labels.data());
  if constexpr (std::is_same_v<Real, float>) {
    if (group_ != nullptr) {
      return fill_with_farthest_of_all(points_, points_.first, labels, centroids_.data(), *group_, cancel, pass_);
    }
  }
  fill_with_farthest(points_, labels, centroids_.data(), pass_);
  return true;
}

template <class Real>
void LloydOf<Real>::update_centroid(std::size_t cluster) {
  const std::size_t d = points_.d;
  Real* after = centroids_.data() + cluster * d;
  if (pass_.counts[cluster] == 0) {
    const Real* before = before_.data() + cluster * d;
    if (rules_.empty == EmptyPolicy::drop) std::fill_n(after, d, std::numeric_limits<Real>::quiet_NaN());
    else std::copy_n(before, d, after);
    return;
  }
  const double members = static_cast<double>(pass_.counts[cluster]);
  const double* sums = pass_.sums.data() + cluster * d;
  for (std::size_t j = 0; j < d; j++) after[j] = static_cast<Real>(sums[j] / members);
}

template <class Real>
void LloydOf<Real>::converge(bool moved, IterationStats& stats) {
  Shift shift;
  for (std::size_t cluster = 0; moved && cluster < rules_.k; cluster++) {
    const std::size_t at = cluster * points_.d;
    add_row(before_.data() + at, centroids_.data() + at, points_.d, shift);
  }
  stats.shift_squared = shift.squared.total();
  stats.max_shift = std::sqrt(shift.max_squared_norm);
  stats.max_coordinate_shift = shift.max_coordinate;
  stats.stop = rule_is_met(stats);
  inertia_before_ = stats.inertia;
}

template <class Real>
bool LloydOf<Real>::rule_is_met(const IterationStats& stats) const {
  if (rules_.stop == StopRule::none) return false;
  if (stats.max_coordinate_shift == 0) return true;
  switch (rules_.stop) {
    case StopRule::relative_shift:
      return stats.shift_squared <= rules_.threshold;
    case StopRule::coordinate_shift:
      return stats.max_coordinate_shift <= rules_.threshold;
    case StopRule::inertia:
      return stats.iteration > 1 && inertia_before_ - stats.inertia < rules_.threshold;
    case StopRule::labels:
      return static_cast<double>(stats.changed) <= rules_.threshold * static_cast<double>(points_.whole_n());
    case StopRule::none:
      break;
  }
  return false;
}

template <class Real>
void LloydOf<Real>::note_times(const Marks& marks, IterationStats& stats) const {
  if (rules_.timing == Timing::total) return;
  const double now = now_ms();
  stats.total_ms = now - marks.begin;
  if (rules_.timing != Timing::phases) return;
  const double means_ms = marks.updated - marks.passed;
  stats.assign_ms = pass_.assign_ms;
  if (pass_.update_ms >= 0) stats.update_ms = pass_.update_ms + means_ms;
  if (pass_.iterate_ms >= 0) stats.iterate_ms = pass_.iterate_ms + means_ms;
  stats.converge_ms = now - marks.updated;
}

template <class Real>
bool LloydOf<Real>::read_against(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels, double& inertia) {
  if (!variant_->assign(centroids, cancel, labels)) return false;
  if (group_ != nullptr) {
    inertia = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  inertia = inertia_of_labels(points_, centroids, rules_.k, labels, cancel);
  return inertia >= 0;
}

template class LloydOf<float>;
template class LloydOf<double>;

}  // namespace centroid_lab

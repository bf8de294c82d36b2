#include "parts/shared_seeding.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "parts/in_order.hpp"

namespace centroid_lab {

SharedSeeding::SharedSeeding(const Points& points, ProcessGroup& group, std::size_t threads)
    : points_(points), group_(group) {
  if (points.n > 0) own_ = std::make_unique<Seeding>(points.x, points.n, points.d, threads);
}

std::vector<float> SharedSeeding::centres_of(const std::vector<std::int32_t>& rows) {
  const std::size_t d = points_.d;
  std::vector<std::int64_t> told(rows.size() * d, 0);
  for (std::size_t c = 0; c < rows.size(); c++) {
    const auto row = static_cast<std::size_t>(rows[c]);
    if (row < points_.first || row >= points_.first + points_.n) continue;
    const float* x = points_.row(row - points_.first);
    for (std::size_t j = 0; j < d; j++) told[c * d + j] = std::bit_cast<std::int32_t>(x[j]);
  }
  if (!group_.sum(told.data(), told.size(), cancel)) return {};
  std::vector<float> centres;
  for (const std::int64_t bits : told) centres.push_back(std::bit_cast<float>(static_cast<std::int32_t>(bits)));
  return centres;
}

/// @param blocks (blocks, sums) of this process @param before what `sums` are before they are added; null: of no interest
bool SharedSeeding::add_in_order(std::vector<double>& sums, const std::vector<double>& blocks, double* before) {
  return in_order(&group_, sums, cancel, [&](std::vector<double>& all) {
    if (before != nullptr) *before = all.front();
    for (std::size_t at = 0; at < blocks.size(); at++) all[at % all.size()] += blocks[at];
  });
}

std::vector<double> SharedSeeding::potentials(const std::vector<std::int32_t>& candidates) {
  const std::vector<float> centres = centres_of(candidates);
  std::vector<double> totals(candidates.size(), 0.0);
  if (centres.empty()) return totals;
  add_in_order(totals, own_ ? own_->potentials_of_blocks(centres) : std::vector<double>(), nullptr);
  return totals;
}

double SharedSeeding::commit(const std::vector<std::int32_t>& rows) {
  const std::vector<float> centres = centres_of(rows);
  if (centres.empty()) return 0;
  if (own_) own_->lower(centres);
  std::vector<double> total(1, 0.0);
  add_in_order(total, own_ ? own_->sums().of_blocks() : std::vector<double>(), &before_);
  return total.front();
}

std::vector<std::int32_t> SharedSeeding::pick(const std::vector<double>& targets) {
  // Of each process the row for each target, plus 1, and its last row that is no centre.
  const std::size_t fields = targets.size() + 1;
  std::vector<std::int64_t> told(group_.size() * fields, 0);
  std::int64_t* const own = told.data() + group_.rank() * fields;
  const auto place = [&](std::optional<std::int32_t> row) {
    return row ? static_cast<std::int64_t>(points_.first) + *row + 1 : 0;
  };
  if (own_) {
    for (std::size_t t = 0; t < targets.size(); t++) own[t] = place(own_->sums().pick_from(before_, targets[t]));
    own[targets.size()] = place(own_->sums().last_with_distance());
  }
  std::vector<std::int32_t> rows(targets.size(), 0);
  if (!group_.sum(told.data(), told.size(), cancel)) return rows;
  std::int64_t last = 0;
  for (std::size_t rank = 0; rank < group_.size(); rank++) last = std::max(last, told[rank * fields + targets.size()]);
  if (last == 0) last = static_cast<std::int64_t>(points_.whole_n());
  for (std::size_t t = 0; t < targets.size(); t++) {
    std::int64_t found = 0;
    for (std::size_t rank = 0; rank < group_.size() && found == 0; rank++) found = told[rank * fields + t];
    rows[t] = static_cast<std::int32_t>((found == 0 ? last : found) - 1);
  }
  return rows;
}

std::vector<double> SharedSeeding::distances(std::size_t start, std::size_t count) {
  return own_ ? own_->distances(start - points_.first, count) : std::vector<double>();
}

std::vector<double> SharedSeeding::nearest_counts(const std::vector<std::int32_t>& rows) {
  const std::vector<float> centres = centres_of(rows);
  std::vector<double> counts(rows.size(), 0.0);
  if (centres.empty()) return counts;
  std::vector<std::int64_t> all(rows.size(), 0);
  if (own_) {
    const std::vector<double> own = own_->nearest_counts_of(centres);
    std::copy(own.begin(), own.end(), all.begin());
  }
  if (group_.sum(all.data(), all.size(), cancel)) std::copy(all.begin(), all.end(), counts.begin());
  return counts;
}

}  // namespace centroid_lab

#include "seeding/cells.hpp"

#include <algorithm>
#include <array>

#include "seeding/cuts.hpp"

namespace centroid_lab {
namespace {

/// Groups in a branch, and branches in a page.
constexpr std::size_t fan = Bounds::fan;
static_assert(fan * group_points == branch_points);
/// What one thread does sooner than many can be called: some ten microseconds of pages, of changes, and of filters of so
/// many features, each with an overhead as of some more.
constexpr std::size_t pages_of_chunk = 32;
constexpr std::size_t changes_for_threads = 10'000;
constexpr std::size_t features_for_threads = 20'000;
constexpr std::size_t features_of_call = 5;
/// Items that a worker takes at once: several of few features.
constexpr std::size_t features_of_chunk = 4;
/// What takes about as long: filters and the float64 distances behind one, features of filters and noting a change.
constexpr std::size_t filters_of_distances = 4;
constexpr std::size_t features_of_note = 5;
/// Points whose D2 are on their way from memory.
constexpr std::size_t slots_ahead = 32;

std::size_t rounded_up(std::size_t count, std::size_t unit) { return (count + unit - 1) / unit * unit; }

/// The lowest bit, taken out.
std::size_t next_bit(Mask& mask) {
  const auto bit = static_cast<std::size_t>(__builtin_ctz(mask));
  mask &= mask - 1;
  return bit;
}

}  // namespace

Cells::Cells(const float* x, std::size_t n, std::size_t d, const std::vector<double>& nearest, ThreadPool& pool,
             const CancelFlag& cancel)
    : n_(n), d_(d), kernels_(best_filters()), pool_(pool), cancel_(cancel), widened_(d),
      order_(neighbour_order(x, n, d, pool, cancel)), nearest_(order_.rows.size()), reach_(order_.rows.size()),
      groups_(order_.rows.size() / group_points, d), branches_(rounded_up(groups_.size() / fan, fan), d),
      asked_(branches_.size()), found_(pool.size()), spare_(pool.size()),
      max_changes_(n / (2 * pool.size()) + group_points), x_(x) {
  const auto fill = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t branch = first; branch < last; branch++) fill_branch(nearest, branch);
  };
  pool_.share(groups_.size() / fan, 1, fill, [&] { return cancel_.load(std::memory_order_relaxed); });
}

void Cells::fill_branch(const std::vector<double>& nearest, std::size_t branch) {
  const std::size_t first = branch * fan;
  const std::size_t last = end_of(branch);
  for (std::size_t group = first; group < last; group++) {
    fill_group(nearest, group);
    groups_.enclose(group, columns(group), 1);
    groups_.set_most(group, kernels_.largest(reach_.data() + group * group_points));
  }
  branches_.enclose(branch, columns(first), last - first);
  branches_.set_most(branch, kernels_.largest(groups_.most() + first));
}

std::size_t Cells::end_of(std::size_t branch) const {
  std::size_t group = branch * fan;
  while (group < (branch + 1) * fan && order_.rows[group * group_points] != no_row) group++;
  return group;
}

void Cells::fill_group(const std::vector<double>& nearest, std::size_t group) {
  for (std::size_t slot = group * group_points; slot < (group + 1) * group_points; slot++) {
    const std::size_t later = std::min(slot + slots_ahead, order_.rows.size() - 1);
    if (order_.rows[later] != no_row) __builtin_prefetch(nearest.data() + order_.rows[later]);
    nearest_[slot] = order_.rows[slot] != no_row ? nearest[order_.rows[slot]] : 0;
    reach_[slot] = widened_(nearest_[slot]);
  }
}

std::size_t Cells::lower(const Changes& changes, double* nearest) {
  std::size_t count = 0;
  for (const auto& some : changes) count += some.size();
  last_changes_ = count;
  keeps_changes_ = finding_costs_more(count);
  const auto some = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at++) lower_some(changes[at], nearest);
  };
  pool_.share(changes.size(), count < changes_for_threads ? changes.size() : 1, some, [] { return false; });
  return count;
}

/// Whether to find one row's changes once more would take longer than to note all rows' `count` each.
bool Cells::finding_costs_more(std::size_t count) const {
  const std::size_t rows = rows_.size() / d_;
  return filters() * (d_ + features_of_call) > rows * rows * count * features_of_note;
}

void Cells::lower_some(std::span<const Change> changes, double* nearest) {
  for (std::size_t at = 0; at < changes.size();) {
    const std::size_t group = changes[at].slot / group_points;
    for (; at < changes.size() && changes[at].slot / group_points == group; at++) {
      nearest_[changes[at].slot] = nearest[changes[at].row] = changes[at].squared;
      reach_[changes[at].slot] = widened_(changes[at].squared);
    }
    groups_.set_most(group, kernels_.largest(reach_.data() + group * group_points));
    const std::size_t branch = group / fan;
    if (at == changes.size() || changes[at].slot / branch_points != branch) {
      branches_.set_most(branch, kernels_.largest(groups_.most() + branch * fan));
    }
  }
}

void Cells::find_items() {
  const auto ask = [&](std::size_t, std::size_t first, std::size_t last) {
    std::fill(asked_.begin() + static_cast<std::ptrdiff_t>(first * fan),
              asked_.begin() + static_cast<std::ptrdiff_t>(last * fan), 0);
    for (std::size_t page = first; page < last; page++) {
      for (std::size_t row = 0; row * d_ < rows_.size(); row++) {
        for (Mask hit = branches_.near(page, rows_.data() + row * d_); hit != 0;) {
          asked_[page * fan + next_bit(hit)] |= Mask{1} << row;
        }
      }
    }
  };
  pool_.share(asked_.size() / fan, pages_of_chunk, ask, [&] { return cancel_.load(std::memory_order_relaxed); });
  items_.clear();
  for (std::size_t branch = 0; branch < asked_.size(); branch++) {
    if (asked_[branch] != 0) items_.push_back({static_cast<std::uint32_t>(branch), asked_[branch]});
  }
}

/// Calls visit(worker, item). @param filters about how many it takes
template <class Visit>
void Cells::for_each_item(std::size_t filters, const Visit& visit) {
  const auto some = [&](std::size_t worker, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at++) visit(worker, items_[at]);
  };
  const bool is_short = filters * (d_ + features_of_call) < features_for_threads;
  const std::size_t chunk = is_short ? items_.size() : features_of_chunk / d_ + 1;
  pool_.share(items_.size(), chunk, some, [&] { return cancel_.load(std::memory_order_relaxed); });
}

std::size_t Cells::filters() const {
  std::size_t count = items_.size() * rows_.size() / d_;
  for (const Found& found : found_) count += found.filters;
  return count;
}

std::vector<double> Cells::gains(const std::vector<std::int32_t>& rows) {
  rows_.clear();
  for (const std::int32_t row : rows) {
    const float* from = x_ + static_cast<std::size_t>(row) * d_;
    rows_.insert(rows_.end(), from, from + d_);
  }
  exact_rows_.assign(rows_.begin(), rows_.end());
  find_items();
  const std::size_t as_last_time = filters();
  for (Found& found : found_) {
    found.gains.fill(0);
    found.count = found.filters = 0;
    for (auto& changes : found.changes) changes.clear();
  }
  for_each_item(as_last_time, [&](std::size_t worker, const Item& item) { add_gains(item, found_[worker]); });
  std::vector<double> gains(rows.size(), 0.0);
  for (std::size_t at = 0; at < rows.size(); at++) {
    for (const Found& found : found_) gains[at] += found.gains[at];
  }
  return gains;
}

double Cells::roundings() const {
  return static_cast<double>(groups_.size() + group_points + pool_.size());
}

/// Group after group, so that its points are near when the next row asks for them.
void Cells::add_gains(const Item& item, Found& found) const {
  std::array<Mask, max_candidates> hits;
  Mask any = 0;
  for (Mask rows = item.rows; rows != 0;) {
    const std::size_t row = next_bit(rows);
    any |= hits[row] = groups_.near(item.branch, rows_.data() + row * d_);
  }
  while (any != 0) {
    const std::size_t bit = next_bit(any);
    for (Mask rows = item.rows; rows != 0;) {
      const std::size_t row = next_bit(rows);
      if ((hits[row] >> bit & 1) != 0) compare(row, item.branch * fan + bit, found);
    }
  }
}

void Cells::compare(std::size_t row, std::size_t group, Found& found) const {
  const std::size_t slot = group * group_points;
  const Mask points = kernels_.within(columns(group), rows_.data() + row * d_, d_, reach_.data() + slot);
  found.filters += points == 0 ? 1 : 1 + filters_of_distances;
  if (points == 0) return;
  if (keeps_changes_ && found.count < max_changes_) {
    std::vector<Change>& changes = found.changes[row];
    const std::size_t before = changes.size();
    found.gains[row] += note_changes(row, group, points, changes);
    found.count += changes.size() - before;
  } else {
    const double* exact = exact_rows_.data() + row * d_;
    found.gains[row] += kernels_.gain(columns(group), exact, d_, points, nearest_.data() + slot);
  }
}

/// @returns by how much they lower D2.
double Cells::note_changes(std::size_t row, std::size_t group, Mask points, std::vector<Change>& changes) const {
  const std::size_t first = group * group_points;
  std::array<double, group_points> distances;
  Mask closer = kernels_.closer(columns(group), exact_rows_.data() + row * d_, d_, points, nearest_.data() + first,
                                distances.data());
  double gain = 0;
  while (closer != 0) {
    const std::size_t i = next_bit(closer);
    const std::size_t slot = first + i;
    changes.push_back({order_.rows[slot], static_cast<std::uint32_t>(slot), nearest_[slot], distances[i]});
    gain += nearest_[slot] - distances[i];
  }
  return gain;
}

Cells::Changes Cells::changes(std::size_t at) {
  const auto is_full = [this](const Found& found) { return found.count >= max_changes_; };
  if (keeps_changes_ && std::none_of(found_.begin(), found_.end(), is_full)) {
    Changes kept;
    for (const Found& found : found_) kept.emplace_back(found.changes[at]);
    return kept;
  }
  for (auto& changes : spare_) changes.clear();
  const float* row = rows_.data() + at * d_;
  for_each_item(filters() * d_ / rows_.size() + last_changes_, [&](std::size_t worker, const Item& item) {
    if ((item.rows >> at & 1) == 0) return;
    for (Mask hit = groups_.near(item.branch, row); hit != 0;) {
      const std::size_t group = item.branch * fan + next_bit(hit);
      const float* reach = reach_.data() + group * group_points;
      const Mask points = kernels_.within(columns(group), row, d_, reach);
      if (points != 0) note_changes(at, group, points, spare_[worker]);
    }
  });
  return {spare_.begin(), spare_.end()};
}

}  // namespace centroid_lab

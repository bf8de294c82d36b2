#include "seeding/neighbour_order.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "seeding/cuts.hpp"
#include "seeding/sample_tree.hpp"

namespace centroid_lab {
namespace {

/// Rows are copied together before they are sorted further: so many coordinates, or a branch.
constexpr std::size_t coordinates_of_copy = std::size_t{1} << 18;
/// Rows that are on their way from memory while one is read.
constexpr std::size_t rows_ahead = 16;
constexpr std::size_t floats_of_line = 16;
/// What is fetched of a row; the rest follows by itself.
constexpr std::size_t floats_ahead = 4 * floats_of_line;
/// Rows that stand for a small and for a large range, when its cut is looked for.
constexpr std::size_t few_samples = 16;
constexpr std::size_t many_samples = 128;
constexpr std::size_t large = 4096;

/// Sorts rows of x (.., d), which the items name.
class Sorter {
 public:
  Sorter(const float* x, std::size_t d) : x_(x), d_(d) {}
  /// ... and writes `columns` where they come to lie, counted from `items`, until cancelled: many equal points all lie in one cell.
  Sorter(const float* x, std::size_t d, const Keyed* items, float* columns, const CancelFlag& cancel)
      : x_(x), d_(d), items_(items), columns_(columns), cancel_(&cancel) {}

  void sort(const Range& range) const {
    const bool is_small = range.count <= branch_points || range.count * d_ <= coordinates_of_copy;
    if (columns_ != nullptr && is_small) return sort_copied(range);
    if (range.count <= group_points || is_cancelled()) return;
    const std::size_t left = split(range);
    sort({range.first, left});
    sort({range.first + left, range.count - left});
  }

 private:
  bool is_cancelled() const { return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed); }

  const float* row(const Keyed& item) const { return x_ + static_cast<std::size_t>(item.row) * d_; }

  /// Cuts a range of more than a group in two.
  std::size_t split(const Range& range) const {
    std::array<const float*, many_samples> room;
    const std::span<const float*> samples(room.data(), range.count < large ? few_samples : many_samples);
    for (std::size_t i = 0; i < samples.size(); i++) {
      samples[i] = row(range.first[(2 * i + 1) * range.count / (2 * samples.size())]);
    }
    const Cut cut = cut_of(samples, d_, range.count > branch_points);
    for (std::size_t i = 0; i < range.count; i++) {
      if (columns_ != nullptr) fetch_ahead(range, i);
      range.first[i].key = cut.key_of(row(range.first[i]));
    }
    const std::size_t unit = range.count > branch_points ? branch_points : group_points;
    const std::size_t units = (range.count + unit - 1) / unit;
    const auto wanted = static_cast<std::size_t>(cut.share * static_cast<double>(units) + 0.5);
    const std::size_t left = std::clamp(wanted, std::size_t{1}, units - 1) * unit;
    select(range.first, range.count, left);
    return left;
  }

  void sort_copied(const Range& range) const {
    Aligned<float> rows(range.count * d_);
    Aligned<std::uint32_t> names(range.count);
    for (std::size_t i = 0; i < range.count; i++) {
      fetch_ahead(range, i);
      const float* from = row(range.first[i]);
      for (std::size_t j = 0; j < d_; j++) rows[i * d_ + j] = from[j];
      names[i] = range.first[i].row;
      range.first[i].row = static_cast<std::uint32_t>(i);
    }
    Sorter(rows.data(), d_).sort(range);
    const auto first = static_cast<std::size_t>(range.first - items_);
    for (std::size_t i = 0; i < range.count; i++) {
      write_columns(first + i, rows.data() + range.first[i].row * d_);
      range.first[i].row = names[range.first[i].row];
    }
    const float* last = rows.data() + (range.count - 1) * d_;
    for (std::size_t slot = first + range.count; slot % group_points != 0; slot++) write_columns(slot, last);
  }

  void write_columns(std::size_t slot, const float* from) const {
    float* to = columns_ + slot / group_points * group_points * d_ + slot % group_points;
    for (std::size_t j = 0; j < d_; j++) to[j * group_points] = from[j];
  }

  void fetch_ahead(const Range& range, std::size_t i) const {
    const float* later = row(range.first[std::min(i + rows_ahead, range.count - 1)]);
    for (std::size_t j = 0; j < d_ && j < floats_ahead; j += floats_of_line) __builtin_prefetch(later + j);
  }

  const float* x_;
  std::size_t d_;
  const Keyed* items_ = nullptr;
  float* columns_ = nullptr;
  const CancelFlag* cancel_ = nullptr;
};

}  // namespace

NeighbourOrder neighbour_order(const float* x, std::size_t n, std::size_t d, ThreadPool& pool,
                               const CancelFlag& cancel) {
  const auto is_cancelled = [&] { return cancel.load(std::memory_order_relaxed); };
  RowsByCell cells = rows_by_cell(x, n, d, pool, cancel);
  NeighbourOrder order;
  order.rows.resize(cells.items.size());
  order.columns.resize(cells.items.size() * d);
  if (is_cancelled()) return order;
  const Sorter sorter(x, d, cells.items.data(), order.columns.data(), cancel);
  const auto sort_some = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at++) {
      const Range& range = cells.ranges[at];
      sorter.sort(range);
      const auto begin = static_cast<std::size_t>(range.first - cells.items.data());
      const std::size_t end = (begin + range.count + branch_points - 1) / branch_points * branch_points;
      for (std::size_t i = begin; i < end; i++) order.rows[i] = i - begin < range.count ? cells.items[i].row : no_row;
    }
  };
  pool.share(cells.ranges.size(), 1, sort_some, is_cancelled);
  return order;
}

}  // namespace centroid_lab

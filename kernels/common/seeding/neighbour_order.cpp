#include "seeding/neighbour_order.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace centroid_lab {
namespace {

constexpr std::size_t leaf_rows = group_points;
constexpr std::size_t branch_rows = 1024;
/// Rows are copied together, into a cache, before they are sorted further: so many coordinates, or a branch.
constexpr std::size_t coordinates_of_copy = std::size_t{1} << 16;
/// Rows that are on their way from memory while one is copied.
constexpr std::size_t rows_ahead = 16;
constexpr std::size_t floats_of_line = 16;
/// What is fetched of a row; the rest follows by itself.
constexpr std::size_t floats_ahead = 4 * floats_of_line;
/// Rows that stand for a small and for a large range, when its cut is looked for.
constexpr std::size_t few_samples = 16;
constexpr std::size_t many_samples = 128;
constexpr std::size_t large = 4 * branch_rows;
/// Keys that a pivot is chosen from, in a small and in a large range.
constexpr std::size_t few_keys = 7;
constexpr std::size_t many_keys = 63;
/// Below this many, the library's selection.
constexpr std::size_t few = 48;

/// A row by where it lies across a cut.
struct alignas(8) Keyed {
  float key;
  std::uint32_t row;
};

struct Range {
  Keyed* first;
  std::size_t count;
};

/// Where a sample of a range is cut: the direction, or the feature where `direction` is empty, and the share of rows
/// that lie before the cut.
struct Cut {
  std::vector<float> direction;
  std::size_t feature = 0;
  double share = 0.5;
};

float dot(const float* a, const float* b, std::size_t d) {
  float sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= d; j += 8) {
    for (std::size_t lane = 0; lane < 8; lane++) sums[lane] += a[j + lane] * b[j + lane];
  }
  for (; j < d; j++) sums[0] += a[j] * b[j];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// Brings what goes left to the front, without a branch that could be mispredicted. Items are moved as one number: a load
/// after stores in pieces would have to wait for them.
template <class GoesLeft>
std::size_t partition(Keyed* items, std::size_t count, const GoesLeft& goes_left) {
  using Whole = std::uint64_t __attribute__((may_alias));
  Whole* moved = reinterpret_cast<Whole*>(items);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t step = goes_left(items[i].key) ? 1 : 0;
    const Whole item = moved[i];
    moved[i] = moved[left];
    moved[left] = item;
    left += step;
  }
  return left;
}

/// The sample whose share of smaller ones is that of `rank`.
float pivot_of(const Keyed* items, std::size_t count, std::size_t rank) {
  const std::size_t size = count < large ? few_keys : many_keys;
  std::array<float, many_keys> samples;
  for (std::size_t i = 0; i < size; i++) {
    const float key = items[(2 * i + 1) * count / (2 * size)].key;
    std::size_t at = i;
    for (; at > 0 && samples[at - 1] > key; at--) samples[at] = samples[at - 1];
    samples[at] = key;
  }
  return samples[rank * size / count];
}

/// Puts the item of rank `rank` in its place, none greater before it and none less after it.
void select(Keyed* items, std::size_t count, std::size_t rank) {
  while (count > few) {
    const float pivot = pivot_of(items, count, rank);
    std::size_t left = partition(items, count, [pivot](float key) { return key < pivot; });
    if (rank < left) {
      count = left;
      continue;
    }
    if (left < count / few) {
      // Hardly anything is less: take out what is equal too, so that equal values cannot hold this up.
      left += partition(items + left, count - left, [pivot](float key) { return key <= pivot; });
      if (rank < left) return;
    }
    items += left;
    count -= left;
    rank -= left;
  }
  const auto is_less = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  if (rank < count) std::nth_element(items, items + rank, items + count, is_less);
}

/// The share of sorted values before the cut that leaves the least squares on both sides: a gap between two heaps, or
/// about the middle of one.
double share_of_cut(const std::vector<float>& sorted) {
  const auto count = static_cast<double>(sorted.size());
  double total = 0;
  for (const float value : sorted) total += value;
  double best = -1, share = 0.5, sum = 0;
  for (std::size_t i = 1; i < sorted.size(); i++) {
    sum += sorted[i - 1];
    const auto left = static_cast<double>(i);
    const double apart = sum / left - (total - sum) / (count - left);
    const double between = apart * apart * left * (count - left);
    if (between > best && 8 * i >= sorted.size() && 8 * i <= 7 * sorted.size()) {
      best = between;
      share = left / count;
    }
  }
  return share;
}

/// Sorts rows of x (.., d), which the items name.
class Sorter {
 public:
  Sorter(const float* x, std::size_t d) : x_(x), d_(d) {}
  /// ... and writes `columns` where they come to lie, counted from `items`.
  Sorter(const float* x, std::size_t d, const Keyed* items, float* columns)
      : x_(x), d_(d), items_(items), columns_(columns) {}

  /// Cuts a range of more than `leaf_rows` in two.
  std::size_t split(const Range& range) const {
    const Cut cut = cut_of(range);
    for (std::size_t i = 0; i < range.count; i++) {
      fetch_ahead(range, i);
      range.first[i].key = key_of(row(range.first[i]), cut);
    }
    const std::size_t unit = range.count > branch_rows ? branch_rows : leaf_rows;
    const std::size_t units = (range.count + unit - 1) / unit;
    const auto wanted = static_cast<std::size_t>(cut.share * static_cast<double>(units) + 0.5);
    const std::size_t left = std::clamp(wanted, std::size_t{1}, units - 1) * unit;
    select(range.first, range.count, left);
    return left;
  }

  void sort(const Range& range) const {
    const bool is_small = range.count <= branch_rows || range.count * d_ <= coordinates_of_copy;
    if (columns_ != nullptr && is_small) return sort_copied(range);
    if (range.count <= leaf_rows) return;
    const std::size_t left = split(range);
    sort({range.first, left});
    sort({range.first + left, range.count - left});
  }

 private:
  const float* row(const Keyed& item) const { return x_ + static_cast<std::size_t>(item.row) * d_; }

  void fetch_ahead(const Range& range, std::size_t i) const {
    const float* later = row(range.first[std::min(i + rows_ahead, range.count - 1)]);
    for (std::size_t j = 0; j < d_ && j < floats_ahead; j += floats_of_line) __builtin_prefetch(later + j);
  }

  /// Never NaN, which has no place in an order: products of huge coordinates may overflow.
  float key_of(const float* x, const Cut& cut) const {
    if (cut.direction.empty()) return x[cut.feature];
    const float key = dot(x, cut.direction.data(), d_);
    return key == key ? key : 0;
  }

  void sort_copied(const Range& range) const {
    Aligned<float> rows(range.count * d_);
    Aligned<std::uint32_t> names(range.count);
    for (std::size_t i = 0; i < range.count; i++) {
      fetch_ahead(range, i);
      std::copy_n(row(range.first[i]), d_, rows.data() + i * d_);
      names[i] = range.first[i].row;
      range.first[i].row = static_cast<std::uint32_t>(i);
    }
    Sorter(rows.data(), d_).sort(range);
    const auto first = static_cast<std::size_t>(range.first - items_);
    for (std::size_t i = 0; i < range.count; i++) {
      const std::size_t place = first + i;
      float* to = columns_ + place / group_points * group_points * d_ + place % group_points;
      const float* from = rows.data() + range.first[i].row * d_;
      for (std::size_t j = 0; j < d_; j++) to[j * group_points] = from[j];
      range.first[i].row = names[range.first[i].row];
    }
  }

  Cut cut_of(const Range& range) const {
    std::array<const float*, many_samples> room;
    const std::span<const float*> samples(room.data(), range.count < large ? few_samples : many_samples);
    for (std::size_t i = 0; i < samples.size(); i++) {
      samples[i] = row(range.first[(2 * i + 1) * range.count / (2 * samples.size())]);
    }
    Cut cut;
    if (d_ <= most_box_features) cut.feature = widest_feature(samples);
    else cut.direction = longest_direction(samples);
    if (range.count > branch_rows) {
      std::vector<float> keys(samples.size());
      for (std::size_t i = 0; i < keys.size(); i++) keys[i] = key_of(samples[i], cut);
      std::sort(keys.begin(), keys.end());
      cut.share = share_of_cut(keys);
    }
    return cut;
  }

  std::size_t widest_feature(std::span<const float* const> samples) const {
    std::size_t widest = 0;
    float width = -1;
    for (std::size_t j = 0; j < d_; j++) {
      float low = samples[0][j], high = low;
      for (const float* sample : samples) {
        low = std::min(low, sample[j]);
        high = std::max(high, sample[j]);
      }
      if (high - low > width) {
        width = high - low;
        widest = j;
      }
    }
    return widest;
  }

  std::vector<float> longest_direction(std::span<const float* const> samples) const {
    const float* one = farthest(samples, samples[0]);
    const float* other = farthest(samples, one);
    std::vector<float> direction(d_);
    for (std::size_t j = 0; j < d_; j++) direction[j] = other[j] - one[j];
    return direction;
  }

  const float* farthest(std::span<const float* const> samples, const float* from) const {
    const float* answer = from;
    float most = -1;
    for (const float* sample : samples) {
      const float squared = dot(sample, sample, d_) - 2 * dot(sample, from, d_);
      if (sample == samples[0] || squared > most) {
        most = squared;
        answer = sample;
      }
    }
    return answer;
  }

  const float* x_;
  std::size_t d_;
  const Keyed* items_ = nullptr;
  float* columns_ = nullptr;
};

/// Cut until every thread has some ranges of its own.
std::vector<Range> ranges_for(const Range& all, const Sorter& sorter, ThreadPool& pool, const CancelFlag& cancel) {
  std::vector<Range> ranges{all};
  std::size_t largest = all.count;
  while (pool.size() > 1 && ranges.size() < 8 * pool.size() && largest > 2 * branch_rows && !cancel) {
    std::vector<Range> halves(2 * ranges.size());
    const auto split_one = [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t at = first; at < last; at++) {
        const Range& range = ranges[at];
        const std::size_t left = range.count > branch_rows ? sorter.split(range) : range.count;
        halves[2 * at] = {range.first, left};
        halves[2 * at + 1] = {range.first + left, range.count - left};
      }
    };
    pool.share(ranges.size(), 1, split_one, [&] { return cancel.load(std::memory_order_relaxed); });
    if (cancel) break;
    ranges = std::move(halves);
    largest = 0;
    for (const Range& range : ranges) largest = std::max(largest, range.count);
  }
  return ranges;
}

}  // namespace

Aligned<std::uint32_t> neighbour_order(const float* x, std::size_t n, std::size_t d, float* columns, ThreadPool& pool,
                                       const CancelFlag& cancel) {
  Aligned<Keyed> items(n);
  for (std::size_t i = 0; i < n; i++) items[i] = {0, static_cast<std::uint32_t>(i)};
  const Sorter sorter(x, d, items.data(), columns);
  const std::vector<Range> ranges = ranges_for({items.data(), n}, sorter, pool, cancel);
  const auto sort_some = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last && !cancel; at++) sorter.sort(ranges[at]);
  };
  pool.share(ranges.size(), 1, sort_some, [&] { return cancel.load(std::memory_order_relaxed); });
  Aligned<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; i++) order[i] = items[i].row;
  return order;
}

}  // namespace centroid_lab

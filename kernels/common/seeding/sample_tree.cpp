#include "seeding/sample_tree.hpp"

#include <algorithm>
#include <array>

namespace centroid_lab {
namespace {

constexpr std::size_t samples_of_cell = 64;
constexpr std::size_t samples_of_cut = 128;
constexpr std::size_t rows_of_cell = 8192;
constexpr std::size_t rows_together = 8;
/// Rows that one worker asks for their cells at once; the number of chunks bounds the room for counts.
constexpr std::size_t min_chunk = 16384;
constexpr std::size_t max_chunks = 128;

/// Counting sort of rows by cell: every chunk of rows has a part of every cell.
struct Counting {
  std::size_t n;
  std::size_t cells;
  std::size_t chunk;
  std::size_t chunks;
  /// (chunks, cells) rows; later the place of the next one.
  std::vector<std::size_t> counts;

  Counting(std::size_t rows, std::size_t into)
      : n(rows), cells(into), chunk(std::max(min_chunk, (rows + max_chunks - 1) / max_chunks)),
        chunks((rows + chunk - 1) / chunk), counts(chunks * into, 0) {}

  /// Calls visit(first row, last row + 1, counts) for each chunk.
  template <class Visit>
  void for_each(ThreadPool& pool, const CancelFlag& cancel, const Visit& visit) {
    const auto some = [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t at = first; at < last; at++) {
        visit(at * chunk, std::min(n, (at + 1) * chunk), counts.data() + at * cells);
      }
    };
    pool.share(chunks, 1, some, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  /// Turns counts into places. @returns (cells + 1) where each cell begins.
  std::vector<std::size_t> starts_from_counts() {
    std::vector<std::size_t> begins{0};
    for (std::size_t cell = 0; cell < cells; cell++) {
      std::size_t next = begins.back();
      for (std::size_t at = cell; at < counts.size(); at += cells) {
        const std::size_t count = counts[at];
        counts[at] = next;
        next += count;
      }
      begins.push_back((next + branch_points - 1) / branch_points * branch_points);
    }
    return begins;
  }
};

}  // namespace

RowsByCell rows_by_cell(const float* x, std::size_t n, std::size_t d, ThreadPool& pool, const CancelFlag& cancel) {
  Counting counting(n, std::max(n / rows_of_cell, std::size_t{1}));
  const SampleTree tree(x, n, d, counting.cells);
  Aligned<std::uint32_t> cells(n);
  counting.for_each(pool, cancel, [&](std::size_t first, std::size_t last, std::size_t* counts) {
    tree.find_cells(x + first * d, last - first, cells.data() + first);
    for (std::size_t row = first; row < last; row++) counts[cells[row]]++;
  });
  RowsByCell sorted;
  if (cancel.load(std::memory_order_relaxed)) return sorted;
  const std::vector<std::size_t> begins = counting.starts_from_counts();
  sorted.items.resize(begins.back());
  counting.for_each(pool, cancel, [&](std::size_t first, std::size_t last, std::size_t* next_slots) {
    for (std::size_t row = first; row < last; row++) {
      sorted.items[next_slots[cells[row]]++] = {0, static_cast<std::uint32_t>(row)};
    }
  });
  const std::size_t* ends = counting.counts.data() + (counting.chunks - 1) * counting.cells;
  for (std::size_t cell = 0; cell < counting.cells; cell++) {
    if (ends[cell] > begins[cell]) sorted.ranges.push_back({sorted.items.data() + begins[cell], ends[cell] - begins[cell]});
  }
  return sorted;
}

SampleTree::SampleTree(const float* x, std::size_t n, std::size_t d, std::size_t cells) : x_(x), d_(d) {
  std::vector<Keyed> samples(std::min(n, cells * samples_of_cell));
  for (std::size_t i = 0; i < samples.size(); i++) {
    samples[i] = {0, static_cast<std::uint32_t>((2 * i + 1) * n / (2 * samples.size()))};
  }
  grow(samples.data(), samples.size(), 0, cells, 0);
}

/// @returns the node.
std::uint32_t SampleTree::grow(Keyed* samples, std::size_t count, std::size_t cell, std::size_t cells,
                               std::size_t depth) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({0, 0, {at, at}});
  cells_.push_back(static_cast<std::uint32_t>(cell));
  if (d_ > max_box_features) directions_.resize(nodes_.size() * d_);
  depth_ = std::max(depth_, depth);
  if (cells == 1 || count < 2) return at;
  std::array<const float*, samples_of_cut> some;
  for (std::size_t i = 0; i < some.size(); i++) {
    some[i] = x_ + static_cast<std::size_t>(samples[(2 * i + 1) * count / (2 * some.size())].row) * d_;
  }
  const Cut cut = cut_of(some, d_, true);
  for (std::size_t i = 0; i < count; i++) {
    samples[i].key = cut.key_of(x_ + static_cast<std::size_t>(samples[i].row) * d_);
  }
  const auto wanted = static_cast<std::size_t>(cut.share * static_cast<double>(cells) + 0.5);
  const std::size_t left_cells = std::clamp(wanted, std::size_t{1}, cells - 1);
  const std::size_t left = std::clamp(count * left_cells / cells, std::size_t{1}, count - 1);
  select(samples, count, left);
  std::copy(cut.direction.begin(), cut.direction.end(), directions_.begin() + static_cast<std::ptrdiff_t>(at * d_));
  const float min_right = samples[left].key;
  const std::uint32_t before = grow(samples, left, cell, left_cells, depth + 1);
  const std::uint32_t after = grow(samples + left, count - left, cell + left_cells, cells - left_cells, depth + 1);
  nodes_[at] = {static_cast<std::uint32_t>(cut.feature), min_right, {before, after}};
  return at;
}

/// By features rows go down together: none waits for where another one went.
void SampleTree::find_cells(const float* rows, std::size_t count, std::uint32_t* cells) const {
  std::size_t i = 0;
  for (; directions_.empty() && i + rows_together <= count; i += rows_together) {
    std::array<std::uint32_t, rows_together> at{};
    for (std::size_t step = 0; step < depth_; step++) {
      for (std::size_t row = 0; row < rows_together; row++) at[row] = next_of(at[row], rows + (i + row) * d_);
    }
    for (std::size_t row = 0; row < rows_together; row++) cells[i + row] = cells_[at[row]];
  }
  for (; i < count; i++) {
    const float* row = rows + i * d_;
    std::uint32_t at = 0;
    for (std::size_t step = 0; directions_.empty() && step < depth_; step++) at = next_of(at, row);
    cells[i] = directions_.empty() ? cells_[at] : cell_along_lines(row);
  }
}

std::uint32_t SampleTree::cell_along_lines(const float* row) const {
  std::uint32_t at = 0;
  while (nodes_[at].next[0] != at) {
    const float key = along(row, directions_.data() + at * d_, d_);
    at = nodes_[at].next[key < nodes_[at].min_right ? 0 : 1];
  }
  return cells_[at];
}

}  // namespace centroid_lab

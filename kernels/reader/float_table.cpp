#include "float_table.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "table/series.hpp"
#include "thread_pool.hpp"

namespace centroid_lab::reader {
namespace {

using table::block_rows;

/// Rows that are turned into columns at a time: they stay in the second cache.
constexpr std::size_t bytes_at_once = std::size_t{1} << 18;
/// Number.MAX_SAFE_INTEGER of JavaScript.
constexpr double largest_plain = 9007199254740991.0;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A column's rows of one block.
struct Stretch {
  std::uint64_t numbers = 0;
  double min = infinity;
  double max = -infinity;
  double sum = 0;
  bool integer = true;
  bool counts_up = true;
  double first = 0;
  double last = 0;
  bool plain = true;
};

/// Looks at numbers in their order, and makes -0 a 0.
Stretch look_at(float* values, std::size_t count) {
  Stretch of;
  for (std::size_t i = 0; i < count; i++) {
    values[i] += 0.0F;
    const double value = values[i];
    if (value != value) continue;
    if (!(std::abs(value) <= largest_plain)) of.plain = false;
    if (of.numbers == 0) of.first = value;
    else if (value != of.last + 1) of.counts_up = false;
    of.numbers++;
    of.min = std::min(of.min, value);
    of.max = std::max(of.max, value);
    of.sum += value;
    if (value != std::trunc(value)) of.integer = false;
    of.last = value;
  }
  return of;
}

/// Stretches of a column in their order.
FloatColumn joined(const Stretch* stretches, std::size_t count, std::size_t apart) {
  FloatColumn all;
  all.min = infinity;
  all.max = -infinity;
  for (std::size_t block = 0; block < count; block++) {
    const Stretch& of = stretches[block * apart];
    all.sum += of.sum;
    all.block_sums.push_back(of.sum);
    if (of.numbers == 0) continue;
    const bool follows = all.numbers == 0 || of.first == all.last + 1;
    if (all.numbers == 0) all.first = of.first;
    all.counts_up = all.counts_up && of.counts_up && follows;
    all.integer = all.integer && of.integer;
    all.min = std::min(all.min, of.min);
    all.max = std::max(all.max, of.max);
    all.numbers += of.numbers;
    all.last = of.last;
  }
  return all;
}

class FloatTableRun {
 public:
  FloatTableRun(const FloatTable& table, ReadProgress& progress, float* x)
      : table_(table), cancelled_(progress.cancelled), done_(progress.blocks), x_(x),
        blocks_((table.count + block_rows - 1) / block_rows), stretches_(blocks_ * table.columns), read_(blocks_) {}

  /// By one of the threads: blocks as they come, so that all read near each other.
  void read_blocks() {
    std::vector<float> rows(std::max<std::size_t>(bytes_at_once / sizeof(float), table_.columns));
    for (;;) {
      const std::size_t block = next_.fetch_add(1, std::memory_order_relaxed);
      if (block >= blocks_ || is_cancelled() || !plain_.load(std::memory_order_relaxed)) return;
      read_block(block, rows);
      done_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed) != 0; }

  FloatTableFacts facts() const {
    FloatTableFacts found;
    found.plain = plain_.load();
    found.cancelled = is_cancelled();
    for (std::size_t j = 0; j < table_.columns; j++) {
      found.columns.push_back(joined(stretches_.data() + j, blocks_, table_.columns));
    }
    for (const std::vector<ReadPiece>& pieces : read_) found.read.insert(found.read.end(), pieces.begin(), pieces.end());
    const auto is_before = [](const ReadPiece& a, const ReadPiece& b) { return a.begin < b.begin; };
    std::sort(found.read.begin(), found.read.end(), is_before);
    return found;
  }

 private:
  void read_block(std::size_t block, std::vector<float>& rows) {
    const std::size_t first = block * block_rows, count = std::min(block_rows, table_.count - first);
    float* const to = x_ + first * table_.columns;
    if (table_.by_column) read_columns(block, count, to);
    else read_rows(block, count, rows, to);
    for (std::size_t j = 0; j < table_.columns; j++) {
      const Stretch found = look_at(to + j * count, count);
      stretches_[block * table_.columns + j] = found;
      if (!found.plain) plain_.store(false, std::memory_order_relaxed);
    }
  }

  void read(std::size_t block, float* to, std::size_t count, std::uint64_t number) {
    const std::size_t bytes = count * sizeof(float);
    read_[block].push_back(
        read_piece(table_.file, reinterpret_cast<char*>(to), bytes, table_.offset + number * sizeof(float)));
    if (read_[block].back().bytes < bytes) throw std::runtime_error("The file ends before its numbers do.");
  }

  void read_columns(std::size_t block, std::size_t count, float* to) {
    const std::size_t first = table_.first + block * block_rows;
    for (std::size_t j = 0; j < table_.columns; j++) read(block, to + j * count, count, j * table_.rows + first);
  }

  void read_rows(std::size_t block, std::size_t count, std::vector<float>& rows, float* to) {
    const std::size_t first = table_.first + block * block_rows;
    const std::size_t columns = table_.columns, at_once = rows.size() / columns;
    for (std::size_t done = 0; done < count;) {
      const std::size_t some = std::min(at_once, count - done);
      read(block, rows.data(), some * columns, (first + done) * columns);
      for (std::size_t j = 0; j < columns; j++) {
        float* const column = to + j * count + done;
        for (std::size_t i = 0; i < some; i++) column[i] = rows[i * columns + j];
      }
      done += some;
    }
  }

  const FloatTable& table_;
  std::atomic_ref<std::int32_t> cancelled_;
  std::atomic_ref<std::int32_t> done_;
  float* x_;
  std::size_t blocks_;
  std::vector<Stretch> stretches_;
  /// By the block.
  std::vector<std::vector<ReadPiece>> read_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> plain_{true};
};

}  // namespace

FloatTableFacts read_float_table(const FloatTable& table, std::size_t threads, ReadProgress& progress, float* x) {
  FloatTableRun run(table, progress, x);
  ThreadPool pool(std::max<std::size_t>(1, std::min(threads, (table.count + block_rows - 1) / block_rows)));
  pool.run([&](std::size_t) { run.read_blocks(); });
  return run.facts();
}

}  // namespace centroid_lab::reader

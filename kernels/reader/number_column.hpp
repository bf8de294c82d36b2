// A column of numbers that grows in file order: what it holds at most, and blocks as NumberBlocks keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "aligned.hpp"
#include "whole_numbers.hpp"

namespace centroid_lab::reader {

/// Rows of a block (src/engine/dataset/number-blocks.ts).
inline constexpr std::size_t block_rows = 1 << 14;

/// Values as whole numbers over `scale`, a missing one as the smallest of them; or as float64, with no whole numbers.
struct NumberBlock {
  double scale = 1;
  Aligned<std::int32_t> whole;
  Aligned<double> values;
};

/// What ColumnBuilder gathers of its numbers, in the order of the file.
struct NumberFacts {
  std::uint64_t numbers = 0;
  double min;
  double max;
  /// Of each block for itself, then of these: exact within a block of whole numbers.
  double sum = 0;
  bool integer = true;
  bool counts_up = true;
  /// No number was seen twice, where somebody asks.
  bool unique = false;
  /// The first and the last number, while each is the one before plus one.
  double first = 0;
  double last = 0;
  /// Of each block, in order.
  std::vector<double> block_sums = {};
};

/// Numbers that are compared with each other: so many before a column counts as free of repetitions.
class SeenNumbers {
 public:
  /// @returns false where the number was there before
  bool add(double number);
  bool is_full() const { return count_ == max_watched; }

 private:
  static constexpr std::size_t max_watched = 1 << 16;
  static constexpr int slot_bits = 17;
  /// Of NaN, which is no number.
  static constexpr std::uint64_t empty = ~0ULL;

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(std::size_t{1} << slot_bits, empty);
  std::size_t count_ = 0;
};

class NumberColumn {
 public:
  /// @param watched whether it is asked if a number is there twice
  explicit NumberColumn(bool watched);

  /// NaN is a missing cell. @param decimals none of the values was written with more, unless they are `unknown_decimals`
  void append(const double* values, std::size_t count, std::int32_t decimals);

  /// No value follows.
  void end();

  /// Blocks that are full since the last time.
  std::vector<NumberBlock> take_full() { return std::exchange(full_, {}); }
  /// The memory of a block that is no longer needed.
  void give_back(NumberBlock&& block);
  /// What no block is full of, once the values are at their end.
  const Aligned<double>& rest() const { return open_; }
  /// Of all values, once they are at their end.
  const NumberFacts& facts() const { return facts_; }

 private:
  /// Decimals of an open block that holds float64.
  static constexpr std::int32_t no_decimals = -1;

  void append_some(const double* values, std::size_t count, std::int32_t decimals);
  bool append_whole(const double* values, std::size_t count);
  /// The open block as float64, whatever it held.
  void to_float();
  /// Facts of the open block.
  void gather();
  void gather_whole(const WholeTotals& totals, double scale);
  template <class ValueAt>
  void follow(std::size_t count, const ValueAt& value_at);
  void stop_counting();
  void close();
  bool close_whole();
  void close_float();

  NumberFacts facts_;
  double previous_;
  /// Numbers that were looked at for these two.
  std::uint64_t followed_ = 0;
  std::unique_ptr<SeenNumbers> seen_;
  /// Values of the open block: of `whole_` over a power of ten while digits tell that, of `open_` otherwise.
  std::size_t count_ = 0;
  std::int32_t whole_decimals_ = no_decimals;
  Aligned<std::int32_t> whole_;
  WholeTotals totals_;
  Aligned<double> open_;
  /// Of the open block, see `append`.
  std::int32_t decimals_ = 0;
  std::vector<NumberBlock> full_;
  std::vector<Aligned<std::int32_t>> spare_;
};

/// The values over the smallest power of ten that brings each of them back as 32-bit whole numbers; false where there is none.
/// @param decimals see `append`
bool whole_numbers(const Aligned<double>& values, std::int32_t decimals, NumberBlock& block);

}  // namespace centroid_lab::reader

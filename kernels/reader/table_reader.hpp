// A file of delimited text as a table, read in batches of blocks on all threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "block_room.hpp"
#include "number_column.hpp"
#include "read_piece.hpp"
#include "rows.hpp"
#include "thread_pool.hpp"

namespace centroid_lab::reader {

/// What is read, from which file.
struct TableSource {
  /// Stays its owner's.
  int file;
  TableForm form;
  /// (kept_count) of which columns it is asked whether a number is there twice.
  std::vector<bool> watched;
  /// Lines at the beginning that are no records.
  std::uint64_t leading_lines;
  /// Number of the first record that is data.
  std::uint64_t first_record;
  /// Bytes that one thread reads at a time.
  std::size_t block_bytes;
  /// No more than these: a small file is not worth them.
  std::size_t max_threads;
  /// Where the lines begin that are read, and end. From anywhere but the beginning of the file they are data alone, with the record
  /// `first_record` first.
  std::uint64_t begin = 0;
  std::uint64_t end = UINT64_MAX;
};

/// A full block of a column, among all of a batch.
struct FullBlock {
  std::uint32_t column;
  /// Of whole numbers; 0 where these are float64.
  double scale;
  /// Where it lies among the pieces of the batch.
  std::size_t piece;
  std::size_t offset;
  std::size_t bytes;
};

/// Of the rows of a batch, the codes of a column's texts.
struct TextCodes {
  std::uint32_t column;
  std::vector<std::uint16_t> codes;
};

/// What a batch of the file brought; records are numbered from 1 as in the whole file.
struct Batch {
  Refusal refusal = Refusal::none;
  /// Where that stands.
  std::uint64_t refused_record = 0;
  bool cancelled = false;
  /// Where in the buffer the bytes stand that are new, and how many.
  std::size_t from = 0;
  std::size_t bytes = 0;
  /// The same bytes, as they were read.
  std::vector<ReadPiece> read;
  /// Nothing follows.
  bool last = false;
  /// Read so far, with it.
  std::uint64_t rows = 0;
  std::vector<FullBlock> blocks;
  /// What they hold.
  std::vector<Piece> pieces;
  /// Of columns whose texts are not too many.
  std::vector<TextCodes> codes;
  std::vector<OddCell> odd;
  std::string texts;
  std::vector<RaggedRecord> ragged;
  std::vector<std::uint64_t> blank;
};

/// One `next` at a time, on any thread; `cancel` at any moment. Behind the last batch, or one that is refused, there are empty ones.
class TableReader {
 public:
  TableReader(TableSource source, std::size_t threads);

  /// Reads on. @param buffer stays what it was until the call after this one
  /// @throws std::runtime_error where the file cannot be read
  Batch next(char* buffer, std::size_t capacity);
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t records() const { return records_; }
  const LineEnds& line_ends() const { return line_ends_; }
  /// (width)
  const std::vector<CellCounts>& counts() const { return counts_; }
  /// (kept_count)
  const std::vector<NumberColumn>& columns() const { return columns_; }
  const TableForm& form() const { return source_.form; }

 private:
  Batch read_batch(char* buffer, std::size_t capacity);
  /// Bytes of the buffer that are filled, the last of them perhaps a line end that the file does not have.
  std::size_t fill(char* buffer, std::size_t capacity, Batch& batch);
  std::size_t read_blocks(char* to, std::size_t bytes, Batch& batch);
  /// Passes what stands above the data. @returns where the data begin
  const char* pass_above(const char* at, const char* end, Batch& batch);
  void read_data(const char* begin, const char* end, Batch& batch);
  void cut(const char* begin, const char* end);
  static void refuse(Refusal refusal, std::uint64_t record, Batch& batch);
  void take(Rows& rows, Batch& batch);
  void take_codes(const Rows& rows, std::size_t column, const std::vector<std::uint16_t>& code_here, Batch& batch);
  void take_odd(const Rows& rows, Batch& batch);
  void grow_columns(Batch& batch);
  void take_blocks(Batch& batch);
  /// Room for a block, behind the one before it where that can be.
  void find_room(FullBlock& block, Batch& batch);
  void end_columns();
  void give_back();
  bool stopped() const { return cancelled_.load(std::memory_order_relaxed); }

  TableSource source_;
  ThreadPool pool_;
  std::atomic<bool> cancelled_{false};
  bool is_ended_ = false;
  std::uint64_t offset_ = 0;
  /// An incomplete line at the end of the batch before.
  std::string rest_;
  bool is_begun_ = false;
  std::uint64_t lines_passed_ = 0;
  /// Number of the record that comes next.
  std::uint64_t record_;
  std::uint64_t rows_ = 0;
  std::uint64_t records_ = 0;
  LineEnds line_ends_;
  std::vector<CellCounts> counts_;
  std::vector<ColumnsKnown> known_;
  std::vector<NumberColumn> columns_;
  BlockRoom room_;
  /// Where the stretches begin that are read side by side, and what they hold.
  std::vector<const char*> cuts_;
  std::vector<Rows> stretches_;
};

}  // namespace centroid_lab::reader

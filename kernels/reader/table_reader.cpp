#include "table_reader.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>


namespace centroid_lab::reader {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Behind the last line that is complete: a carriage return at the end may be half of a line end.
std::size_t complete_lines(const char* text, std::size_t length, bool last) {
  for (std::size_t at = length; at > 0; at--) {
    if (text[at - 1] == '\n' || (text[at - 1] == '\r' && (last || at < length))) return at;
  }
  return 0;
}

void add(LineEnds& ends, const LineEnds& more) {
  ends.feeds += more.feeds;
  ends.pairs += more.pairs;
  ends.returns += more.returns;
}

}  // namespace

TableReader::TableReader(TableSource source, std::size_t threads)
    : source_(std::move(source)), pool_(std::clamp<std::size_t>(source_.max_threads, 1, threads)),
      record_(source_.leading_lines + 1), counts_(source_.form.width), known_(source_.form.width) {
  for (const bool watched : source_.watched) columns_.emplace_back(watched);
  offset_ = source_.begin;
  if (source_.begin == 0) return;
  is_begun_ = true;
  lines_passed_ = source_.leading_lines;
  record_ = source_.first_record;
}

Batch TableReader::next(char* buffer, std::size_t capacity) {
  Batch batch;
  batch.last = is_ended_;
  if (!is_ended_) {
    // Nothing follows what throws.
    is_ended_ = true;
    batch = read_batch(buffer, capacity);
    if (batch.last) end_columns();
  }
  batch.rows = rows_;
  is_ended_ = batch.last || batch.cancelled || batch.refusal != Refusal::none;
  if (is_ended_) give_back();
  return batch;
}

/// Who asks for the facts may hold the reader for long.
void TableReader::give_back() {
  std::vector<Rows>().swap(stretches_);
#ifdef __GLIBC__
  // Blocks were made and let go by all threads, and what lies between others stays with the process otherwise.
  malloc_trim(0);
#endif
}

Batch TableReader::read_batch(char* buffer, std::size_t capacity) {
  Batch batch;
  const std::size_t filled = fill(buffer, capacity, batch);
  if (stopped()) {
    batch.cancelled = true;
    return batch;
  }
  const std::size_t complete = complete_lines(buffer, filled, batch.last);
  rest_.assign(buffer + complete, filled - complete);
  if (complete == 0 && filled + padding_bytes >= capacity / 2) refuse(Refusal::long_line, record_, batch);
  const char* const end = buffer + complete;
  const bool is_marked = !is_begun_ && std::string_view(buffer, complete).starts_with(byte_order_mark);
  is_begun_ = is_begun_ || complete > 0;
  const char* const data = pass_above(buffer + (is_marked ? byte_order_mark.size() : 0), end, batch);
  if (batch.refusal == Refusal::none && data < end) read_data(data, end, batch);
  // The line end that was put there is none of the file's.
  if (filled > batch.from + batch.bytes && line_ends_.feeds > 0) line_ends_.feeds--;
  return batch;
}

std::size_t TableReader::fill(char* buffer, std::size_t capacity, Batch& batch) {
  std::memcpy(buffer, rest_.data(), rest_.size());
  batch.from = rest_.size();
  batch.bytes = read_blocks(buffer + batch.from, capacity - padding_bytes - 1 - batch.from, batch);
  std::size_t filled = batch.from + batch.bytes;
  if (batch.last && filled > 0 && !is_line_end(buffer[filled - 1])) buffer[filled++] = '\n';
  std::memset(buffer + filled, 0, padding_bytes);
  return filled;
}

std::size_t TableReader::read_blocks(char* to, std::size_t capacity, Batch& batch) {
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(capacity, source_.end - offset_));
  const std::size_t block = source_.block_bytes;
  const std::size_t blocks = (bytes + block - 1) / block;
  batch.read.resize(blocks);
  const auto size_of = [&](std::size_t i) { return std::min(block, bytes - i * block); };
  const auto read = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) {
      batch.read[i] = read_piece(source_.file, to + i * block, size_of(i), offset_ + i * block);
    }
  };
  pool_.share(blocks, 1, read, [&] { return stopped(); });
  std::size_t total = 0;
  for (std::size_t i = 0; i < blocks && !batch.last; i++) {
    total += batch.read[i].bytes;
    batch.last = batch.read[i].bytes < size_of(i);
    if (batch.last) batch.read.resize(i + 1);
  }
  offset_ += total;
  batch.last = batch.last || offset_ == source_.end;
  return total;
}

const char* TableReader::pass_above(const char* at, const char* end, Batch& batch) {
  LineEnds of_lines;
  for (; lines_passed_ < source_.leading_lines && at < end; lines_passed_++) {
    const char* const line = at;
    while (!is_line_end(*at)) at++;
    const std::string_view text(line, static_cast<std::size_t>(at - line));
    if (text.find('\0') != text.npos) refuse(Refusal::nul, lines_passed_ + 1, batch);
    else if (!is_valid_utf8(text)) refuse(Refusal::damaged, lines_passed_ + 1, batch);
    if (batch.refusal != Refusal::none) return at;
    at = behind_line_end(at, of_lines);
  }
  for (; record_ < source_.first_record && at < end; record_++) {
    bool is_blank = false;
    refuse(pass_record(source_.form.line, at, line_ends_, is_blank), record_, batch);
    if (batch.refusal != Refusal::none) return at;
    if (is_blank) batch.blank.push_back(record_);
  }
  return at;
}

void TableReader::read_data(const char* begin, const char* end, Batch& batch) {
  cut(begin, end);
  const std::size_t count = cuts_.size() - 1;
  if (stretches_.size() < count) stretches_.resize(count);
  const auto read = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) read_rows(source_.form, known_, cuts_[i], cuts_[i + 1], stretches_[i]);
  };
  batch.cancelled = !pool_.share(count, 1, read, [&] { return stopped(); });
  if (batch.cancelled) return;
  for (std::size_t i = 0; i < count && batch.refusal == Refusal::none; i++) take(stretches_[i], batch);
  if (batch.refusal == Refusal::none) grow_columns(batch);
}

/// At line ends, about a block apart.
void TableReader::cut(const char* begin, const char* end) {
  cuts_.assign(1, begin);
  for (const char* from = begin; from < end;) {
    const std::size_t left = static_cast<std::size_t>(end - from);
    from = left <= source_.block_bytes ? end : next_line(from, from + source_.block_bytes, end);
    cuts_.push_back(from);
  }
}

void TableReader::refuse(Refusal refusal, std::uint64_t record, Batch& batch) {
  batch.refusal = refusal;
  batch.refused_record = record;
}

void TableReader::take(Rows& rows, Batch& batch) {
  if (rows.refusal != Refusal::none) {
    refuse(rows.refusal, record_ + rows.records, batch);
    return;
  }
  take_odd(rows, batch);
  for (const RaggedRecord& ragged : rows.ragged) batch.ragged.push_back({record_ + ragged.record, ragged.cells});
  for (const std::uint64_t record : rows.blank) batch.blank.push_back(record_ + record);
  for (std::size_t column = 0; column < counts_.size(); column++) {
    CellCounts& all = counts_[column];
    const CellCounts& more = rows.counts[column];
    all.numbers += more.numbers;
    all.other += more.other;
    all.infinite += more.infinite;
    all.coarse += more.coarse;
    std::vector<std::uint16_t> code_here;
    all.texts.add_all(more.texts, code_here);
    if (source_.form.kept[column] < 0) take_codes(rows, column, code_here, batch);
    known_[column].many_texts = all.texts.many;
  }
  record_ += rows.records;
  rows_ += rows.rows;
  records_ += rows.records - rows.blank.size();
  add(line_ends_, rows.line_ends);
}

/// Codes of a stretch as codes of all rows before it.
void TableReader::take_codes(const Rows& rows, std::size_t column, const std::vector<std::uint16_t>& code_here,
                             Batch& batch) {
  const auto is_its = [&](const TextCodes& codes) { return codes.column == column; };
  auto found = std::find_if(batch.codes.begin(), batch.codes.end(), is_its);
  if (counts_[column].texts.many) {
    if (found != batch.codes.end()) batch.codes.erase(found);
    return;
  }
  if (found == batch.codes.end()) found = batch.codes.insert(found, {static_cast<std::uint32_t>(column), {}});
  const std::uint16_t* const codes = rows.codes_of(static_cast<std::size_t>(source_.form.texts[column]));
  for (std::size_t row = 0; row < rows.rows; row++) found->codes.push_back(code_here[codes[row]]);
}

/// Of each column the first ones only, and the first coarse one.
void TableReader::take_odd(const Rows& rows, Batch& batch) {
  for (const OddCell& cell : rows.odd) {
    ColumnsKnown& known = known_[cell.column];
    if (cell.oddity == Oddity::coarse) {
      if (!std::exchange(known.coarse_wanted, false)) continue;
    } else {
      if (known.wanted == 0) continue;
      known.wanted--;
    }
    OddCell taken = cell;
    taken.record += record_;
    taken.offset = batch.texts.size();
    batch.texts.append(rows.texts, cell.offset, cell.length);
    batch.odd.push_back(taken);
  }
}

void TableReader::end_columns() {
  for (NumberColumn& column : columns_) column.end();
}

void TableReader::grow_columns(Batch& batch) {
  const std::size_t stretches = cuts_.size() - 1;
  const auto grow = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t column = first; column < last; column++) {
      if (source_.form.kept[column] < 0) continue;
      const auto kept = static_cast<std::size_t>(source_.form.kept[column]);
      for (std::size_t i = 0; i < stretches; i++) {
        const Rows& rows = stretches_[i];
        columns_[kept].append(rows.column(kept), rows.rows, rows.decimals[column]);
      }
    }
  };
  pool_.share(source_.form.width, 1, grow, [] { return false; });
  take_blocks(batch);
}

/// All full blocks, to memory that outlives the reader.
void TableReader::take_blocks(Batch& batch) {
  std::vector<NumberBlock> taken;
  for (std::size_t column = 0; column < source_.form.width; column++) {
    const std::int32_t kept = source_.form.kept[column];
    if (kept < 0) continue;
    for (NumberBlock& block : columns_[static_cast<std::size_t>(kept)].take_full()) {
      const bool is_whole = !block.whole.empty();
      const std::size_t bytes = is_whole ? block.whole.size() * sizeof(std::int32_t) : block.values.size() * sizeof(double);
      FullBlock full{static_cast<std::uint32_t>(column), is_whole ? block.scale : 0, 0, 0, bytes};
      find_room(full, batch);
      batch.blocks.push_back(full);
      taken.push_back(std::move(block));
    }
  }
  const auto copy = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) {
      const FullBlock& to = batch.blocks[i];
      const NumberBlock& block = taken[i];
      const void* const from = block.whole.empty() ? static_cast<const void*>(block.values.data()) : block.whole.data();
      std::memcpy(batch.pieces[to.piece].data + to.offset, from, to.bytes);
    }
  };
  pool_.share(taken.size(), 1, copy, [] { return false; });
  for (std::size_t i = 0; i < taken.size(); i++) {
    const auto kept = static_cast<std::size_t>(source_.form.kept[batch.blocks[i].column]);
    columns_[kept].give_back(std::move(taken[i]));
  }
}

void TableReader::find_room(FullBlock& block, Batch& batch) {
  const bool fits = !batch.pieces.empty() && room_.extend(batch.pieces.back(), block.bytes);
  if (!fits) batch.pieces.push_back(room_.take(block.bytes));
  block.piece = batch.pieces.size() - 1;
  block.offset = batch.pieces.back().bytes - block.bytes;
}

}  // namespace centroid_lab::reader

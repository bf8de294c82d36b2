#include "table_reader_object.hpp"

#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "file_hash_object.hpp"
#include "job.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

using reader::Batch;
using reader::TableForm;
using reader::TableSource;

/// The smallest buffer in which lines can be found.
constexpr std::size_t min_capacity = 4 * reader::padding_bytes;

/// One ASCII character; NUL for an empty word.
char character(const Napi::Object& object, const char* name) {
  const std::string word = read_word(object, name);
  if (word.size() > 1) refuse(object.Env(), "one character", name);
  return word.empty() ? '\0' : word[0];
}

std::uint64_t whole(const Napi::Object& object, const char* name) {
  const double number = read_number(object, name);
  if (!(number >= 0) || number > 9007199254740992.0 || number != std::floor(number)) {
    refuse(object.Env(), "a whole number", name);
  }
  return static_cast<std::uint64_t>(number);
}

std::vector<bool> flags(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    refuse(object.Env(), "a Uint8Array", name);
  }
  const Napi::Uint8Array array = value.As<Napi::Uint8Array>();
  return std::vector<bool>(array.Data(), array.Data() + array.ElementLength());
}

TableSource read_source(const Napi::Object& options) {
  const std::vector<bool> kept = flags(options, "kept");
  const std::vector<bool> watched = flags(options, "watched");
  TableForm form{{character(options, "delimiter"), character(options, "quote"), character(options, "decimal")},
                 kept.size(), {}, 0, {}, 0};
  if (kept.empty() || watched.size() != kept.size()) refuse(options.Env(), "a flag for each column", "kept, watched");
  if (form.line.delimiter == form.line.decimal) refuse(options.Env(), "not the decimal mark", "delimiter");
  std::vector<bool> watched_kept;
  for (std::size_t column = 0; column < kept.size(); column++) {
    form.kept.push_back(kept[column] ? static_cast<std::int32_t>(form.kept_count++) : -1);
    form.texts.push_back(kept[column] ? -1 : static_cast<std::int32_t>(form.text_count++));
    if (kept[column]) watched_kept.push_back(watched[column]);
  }
  return {static_cast<int>(whole(options, "file")), std::move(form),  std::move(watched_kept),
          whole(options, "leadingLines"),           whole(options, "firstRecord"),
          read_count(options, "blockBytes"),        read_count(options, "maxThreads"),
          options.Has("begin") ? whole(options, "begin") : 0,
          options.Has("end") ? whole(options, "end") : UINT64_MAX};
}

template <class Numbers>
Napi::Float64Array numbers(Napi::Env env, const Numbers& values) {
  Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(double));
  return array;
}

template <class Values>
std::size_t bytes_of(const Values& values) {
  return values.size() * sizeof(values[0]);
}

/// Without a copy: what it holds lasts as long as it does.
Napi::ArrayBuffer buffer_of(Napi::Env env, const reader::Piece& piece) {
  auto* const held = new std::shared_ptr<char>(piece.chunk);
  return Napi::ArrayBuffer::New(env, piece.data, piece.bytes, [](Napi::Env, void*, std::shared_ptr<char>* of) { delete of; }, held);
}

/// { pieces, blocks: (column, scale, piece, byte offset and byte length there; scale 0 for float64) each }.
void put_blocks(Napi::Object answer, const Batch& batch) {
  const Napi::Env env = answer.Env();
  const Napi::Array pieces = Napi::Array::New(env, batch.pieces.size());
  for (std::size_t i = 0; i < batch.pieces.size(); i++) {
    pieces.Set(static_cast<std::uint32_t>(i), buffer_of(env, batch.pieces[i]));
  }
  std::vector<double> table;
  for (const reader::FullBlock& block : batch.blocks) {
    const double fields[] = {static_cast<double>(block.column), block.scale, static_cast<double>(block.piece),
                             static_cast<double>(block.offset), static_cast<double>(block.bytes)};
    table.insert(table.end(), std::begin(fields), std::end(fields));
  }
  answer.Set("pieces", pieces);
  answer.Set("blocks", numbers(env, table));
}

/// One buffer of all codes: { codeBytes, codes: (column, byte offset, rows) each }.
void put_codes(Napi::Object answer, const Batch& batch) {
  const Napi::Env env = answer.Env();
  std::size_t size = 0;
  for (const reader::TextCodes& of : batch.codes) size += bytes_of(of.codes);
  Napi::ArrayBuffer bytes = Napi::ArrayBuffer::New(env, size);
  std::vector<double> table;
  std::size_t offset = 0;
  for (const auto& [column, codes] : batch.codes) {
    std::memcpy(static_cast<char*>(bytes.Data()) + offset, codes.data(), bytes_of(codes));
    const double fields[] = {static_cast<double>(column), static_cast<double>(offset), static_cast<double>(codes.size())};
    table.insert(table.end(), std::begin(fields), std::end(fields));
    offset += bytes_of(codes);
  }
  answer.Set("codeBytes", bytes);
  answer.Set("codes", numbers(env, table));
}

/// (record, column, kind, offset and length of its text) each; (record, cells) each; records.
void put_exceptions(Napi::Object answer, const Batch& batch) {
  const Napi::Env env = answer.Env();
  std::vector<double> odd;
  for (const reader::OddCell& cell : batch.odd) {
    const double fields[] = {static_cast<double>(cell.record), static_cast<double>(cell.column),
                             static_cast<double>(cell.oddity), static_cast<double>(cell.offset),
                             static_cast<double>(cell.length)};
    odd.insert(odd.end(), std::begin(fields), std::end(fields));
  }
  std::vector<double> ragged;
  for (const auto& [record, cells] : batch.ragged) {
    ragged.push_back(static_cast<double>(record));
    ragged.push_back(static_cast<double>(cells));
  }
  answer.Set("odd", numbers(env, odd));
  answer.Set("texts", Napi::Buffer<char>::Copy(env, batch.texts.data(), batch.texts.size()));
  answer.Set("ragged", numbers(env, ragged));
  answer.Set("blank", numbers(env, std::vector<double>(batch.blank.begin(), batch.blank.end())));
}

Napi::Value answer_of(Napi::Env env, const Batch& batch) {
  const Napi::Object answer = Napi::Object::New(env);
  answer.Set("refused", Napi::String::New(env, name_of(batch.refusal)));
  answer.Set("refusedRecord", Napi::Number::New(env, static_cast<double>(batch.refused_record)));
  answer.Set("cancelled", Napi::Boolean::New(env, batch.cancelled));
  answer.Set("from", Napi::Number::New(env, static_cast<double>(batch.from)));
  answer.Set("length", Napi::Number::New(env, static_cast<double>(batch.bytes)));
  answer.Set("read", pieces_of(env, batch.read));
  answer.Set("last", Napi::Boolean::New(env, batch.last));
  answer.Set("rows", Napi::Number::New(env, static_cast<double>(batch.rows)));
  put_blocks(answer, batch);
  put_codes(answer, batch);
  put_exceptions(answer, batch);
  return answer;
}

Napi::Object number_facts_of(Napi::Env env, const reader::NumberColumn& column) {
  const Napi::Object facts = Napi::Object::New(env);
  facts.Set("min", Napi::Number::New(env, column.facts().min));
  facts.Set("max", Napi::Number::New(env, column.facts().max));
  facts.Set("sum", Napi::Number::New(env, column.facts().sum));
  facts.Set("integer", Napi::Boolean::New(env, column.facts().integer));
  facts.Set("countsUp", Napi::Boolean::New(env, column.facts().counts_up));
  facts.Set("unique", Napi::Boolean::New(env, column.facts().unique));
  facts.Set("first", Napi::Number::New(env, column.facts().first));
  facts.Set("last", Napi::Number::New(env, column.facts().last));
  facts.Set("blockSums", numbers(env, column.facts().block_sums));
  facts.Set("rest", numbers(env, column.rest()));
  return facts;
}

/// What ColumnBuilder gathers, for a column of which numbers are kept or not.
Napi::Object facts_of(Napi::Env env, const reader::CellCounts& counts, const reader::NumberColumn* column) {
  const Napi::Object facts = Napi::Object::New(env);
  const auto set = [&](const char* name, double value) { facts.Set(name, Napi::Number::New(env, value)); };
  set("notNumeric", static_cast<double>(counts.other));
  set("infinite", static_cast<double>(counts.infinite));
  set("coarse", static_cast<double>(counts.coarse));
  set("distinct", static_cast<double>(counts.texts.size()));
  facts.Set("manyDistinct", Napi::Boolean::New(env, counts.texts.many));
  set("numbers", static_cast<double>(column == nullptr ? counts.numbers : column->facts().numbers));
  if (column != nullptr) facts.Set("kept", number_facts_of(env, *column));
  if (!counts.texts.many) {
    const Napi::Array texts = Napi::Array::New(env, counts.texts.size());
    for (std::size_t i = 0; i < counts.texts.size(); i++) {
      const std::string_view text = counts.texts.text(i);
      texts.Set(static_cast<std::uint32_t>(i), Napi::String::New(env, text.data(), text.size()));
    }
    facts.Set("texts", texts);
  }
  return facts;
}

}  // namespace

Napi::Function TableReaderObject::define(Napi::Env env) {
  return DefineClass(env, "TableReader",
                     {
                         InstanceMethod<&TableReaderObject::next>("next"),
                         InstanceMethod<&TableReaderObject::facts>("facts"),
                         InstanceMethod<&TableReaderObject::cancel>("cancel"),
                     });
}

TableReaderObject::TableReaderObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<TableReaderObject>(info) {
  if (!info[0].IsObject()) refuse(info.Env(), "an object", "options");
  reader_ = std::make_shared<reader::TableReader>(read_source(info[0].As<Napi::Object>()), thread_count());
}

Napi::Value TableReaderObject::next(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsBuffer()) refuse(env, "a Buffer", "buffer");
  const auto buffer = info[0].As<Napi::Buffer<char>>();
  const std::size_t capacity = buffer.Length();
  if (capacity < min_capacity) refuse(env, "a buffer of some lines", "buffer");
  char* const to = buffer.Data();
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(buffer.As<Napi::Object>()));
  auto batch = std::make_shared<Batch>();
  pending_++;
  Ref();
  return Job::start(
      env,
      [reader = reader_, turns = turns_, turn = turns_->take(), batch, to, capacity] {
        turns->run(turn, [&] { *batch = reader->next(to, capacity); });
      },
      [batch](Napi::Env here) { return answer_of(here, *batch); },
      [this, kept] {
        kept->Reset();
        pending_--;
        Unref();
      });
}

Napi::Value TableReaderObject::facts(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (pending_ > 0) throw coded_error(env, "state", "The reader is busy with another call.");
  const Napi::Object facts = Napi::Object::New(env);
  facts.Set("rows", Napi::Number::New(env, static_cast<double>(reader_->rows())));
  facts.Set("records", Napi::Number::New(env, static_cast<double>(reader_->records())));
  const auto& [feeds, pairs, returns] = reader_->line_ends();
  facts.Set("lineEnds", numbers(env, std::vector<double>{static_cast<double>(feeds), static_cast<double>(pairs),
                                                         static_cast<double>(returns)}));
  const Napi::Array columns = Napi::Array::New(env);
  for (std::size_t i = 0; i < reader_->counts().size(); i++) {
    const std::int32_t kept = reader_->form().kept[i];
    const auto* const column = kept < 0 ? nullptr : &reader_->columns()[static_cast<std::size_t>(kept)];
    columns.Set(static_cast<std::uint32_t>(i), facts_of(env, reader_->counts()[i], column));
  }
  facts.Set("columns", columns);
  return facts;
}

void TableReaderObject::cancel(const Napi::CallbackInfo&) { reader_->cancel(); }

}  // namespace centroid_lab

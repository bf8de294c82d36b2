#include "float_table.hpp"

#include <memory>

#include "answers.hpp"
#include "arguments.hpp"
#include "file_hash_object.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "reader/float_table.hpp"

namespace centroid_lab {
namespace {

using reader::FloatColumn;
using reader::FloatTable;
using reader::FloatTableFacts;
using reader::ReadProgress;

FloatTable read_form(const Napi::Value& value) {
  if (!value.IsObject()) refuse(value.Env(), "an object", "form");
  const auto form = value.As<Napi::Object>();
  FloatTable table;
  table.file = static_cast<int>(read_number(form, "file"));
  table.offset = read_count(form, "offset");
  table.rows = read_count(form, "rows");
  table.columns = read_count(form, "columns");
  table.by_column = read_flag(form, "byColumn");
  table.count = read_count(form, "count");
  const double first = read_number(form, "first");
  if (!(first >= 0 && first + static_cast<double>(table.count) <= static_cast<double>(table.rows))) {
    refuse(value.Env(), "a row of the table", "first");
  }
  table.first = static_cast<std::size_t>(first);
  return table;
}

Napi::Object column_of(Napi::Env env, const FloatColumn& column) {
  const Napi::Object object = Napi::Object::New(env);
  object.Set("numbers", static_cast<double>(column.numbers));
  object.Set("min", column.min);
  object.Set("max", column.max);
  object.Set("sum", column.sum);
  object.Set("integer", column.integer);
  object.Set("countsUp", column.counts_up);
  object.Set("first", column.first);
  object.Set("last", column.last);
  object.Set("blockSums", copy_of(env, column.block_sums));
  return object;
}

Napi::Object answer_of(Napi::Env env, const FloatTableFacts& facts) {
  const Napi::Object object = Napi::Object::New(env);
  object.Set("plain", facts.plain);
  object.Set("cancelled", facts.cancelled);
  object.Set("read", pieces_of(env, facts.read));
  const Napi::Array columns = Napi::Array::New(env);
  for (const FloatColumn& column : facts.columns) columns.Set(columns.Length(), column_of(env, column));
  object.Set("columns", columns);
  return object;
}

}  // namespace

Napi::Value read_float_table_of(const Napi::CallbackInfo& info) {
  const FloatTable table = read_form(info[0]);
  Napi::Float32Array x = read_floats(info[1], "x", table.count * table.columns);
  Napi::Int32Array numbers = read_integers(info[2], "progress");
  if (numbers.ElementLength() != 2) refuse(info.Env(), "two numbers", "progress");
  static_assert(sizeof(ReadProgress) == 2 * sizeof(std::int32_t));
  auto* const progress = reinterpret_cast<ReadProgress*>(numbers.Data());
  float* const to = x.Data();
  const auto facts = std::make_shared<FloatTableFacts>();
  const auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(x.As<Napi::Object>()));
  const auto watched = std::make_shared<Napi::ObjectReference>(Napi::Persistent(numbers.As<Napi::Object>()));
  return Job::start(
      info.Env(), [=] { *facts = reader::read_float_table(table, thread_count(), *progress, to); },
      [facts](Napi::Env env) -> Napi::Value { return answer_of(env, *facts); },
      [kept, watched] {
        kept->Reset();
        watched->Reset();
      });
}

}  // namespace centroid_lab

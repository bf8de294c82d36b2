#include "label_column_writer_object.hpp"

#include <cstdint>

#include "arguments.hpp"
#include "job.hpp"
#include "label_arguments.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

LabelCells read_form(const Napi::Object& object) {
  const LabelCells form{read_character(object, "separator"), read_character(object, "mark")};
  if (form.separator == 0 || form.mark == 0) refuse(object.Env(), "one character each", "separator and mark");
  return form;
}

template <class Number>
const Number* numbers_from(const Napi::TypedArray& array, std::size_t first) {
  return array.As<Napi::TypedArrayOf<Number>>().Data() + first;
}

/// Sets values from the number `first` on. @param last one of them that will be read
void read_numbers(const Napi::Value& value, std::size_t first, std::size_t last, CellColumn& column) {
  if (!value.IsTypedArray()) refuse(value.Env(), "numbers", "values");
  const auto array = value.As<Napi::TypedArray>();
  if (last >= array.ElementLength()) refuse(value.Env(), "a number for each row", "values");
  switch (array.TypedArrayType()) {
    case napi_int8_array: column.values = numbers_from<std::int8_t>(array, first); break;
    case napi_uint8_array: column.values = numbers_from<std::uint8_t>(array, first); break;
    case napi_int16_array: column.values = numbers_from<std::int16_t>(array, first); break;
    case napi_uint16_array: column.values = numbers_from<std::uint16_t>(array, first); break;
    case napi_int32_array: column.values = numbers_from<std::int32_t>(array, first); break;
    case napi_uint32_array: column.values = numbers_from<std::uint32_t>(array, first); break;
    case napi_bigint64_array: column.values = numbers_from<std::int64_t>(array, first); break;
    case napi_biguint64_array: column.values = numbers_from<std::uint64_t>(array, first); break;
    case napi_float32_array: column.values = numbers_from<float>(array, first); break;
    case napi_float64_array: column.values = numbers_from<double>(array, first); break;
    default: refuse(value.Env(), "another kind of typed array", "values");
  }
}

TextCells read_texts(const Napi::Object& object, std::size_t count) {
  const Napi::Uint8Array bytes = read_bytes(object.Get("texts"), "texts");
  const Napi::Uint32Array ends = read_unsigned(object.Get("ends"), "ends");
  if (ends.ElementLength() < count) refuse(object.Env(), "an end for each row", "ends");
  std::uint32_t before = 0;
  for (std::size_t row = 0; row < count; row++) {
    const std::uint32_t end = ends[row];
    if (end < before || end > bytes.ElementLength()) refuse(object.Env(), "ascending ends within the texts", "ends");
    before = end;
  }
  return {reinterpret_cast<const char*>(bytes.Data()), ends.Data()};
}

/// Arrays that are read go to `kept`.
CellColumn read_column(const Napi::Object& object, std::size_t count, std::vector<Napi::ObjectReference>& kept) {
  CellColumn column;
  const auto keep = [&](const char* name) { kept.push_back(Napi::Persistent(object.Get(name).As<Napi::Object>())); };
  if (object.Has("texts")) {
    column.values = read_texts(object, count);
    keep("texts");
    keep("ends");
    return column;
  }
  const std::uint64_t first = read_position(object.Get("first"), "first");
  column.step = read_count(object, "step");
  if (column.step > UINT32_MAX || count > UINT32_MAX) refuse(object.Env(), "fewer numbers", "step");
  read_numbers(object.Get("values"), first, first + (count - 1) * column.step, column);
  keep("values");
  if (object.Get("missing").IsNull()) return column;
  const Napi::Uint8Array missing = read_bytes(object.Get("missing"), "missing");
  if (missing.ElementLength() < count) refuse(object.Env(), "a mark for each row", "missing");
  column.missing = missing.Data();
  keep("missing");
  return column;
}

}  // namespace

Napi::Function LabelColumnWriterObject::define(Napi::Env env) {
  return DefineClass(env, "LabelColumnWriter", {InstanceMethod<&LabelColumnWriterObject::write>("write")});
}

LabelColumnWriterObject::LabelColumnWriterObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<LabelColumnWriterObject>(info) {
  const Napi::Object table = read_object(info[0], "rows");
  const Napi::Object form = read_object(info[1], "form");
  state_ = std::make_shared<LabelColumnWriterState>(read_form(form), read_labelled_rows(table), thread_count(),
                                                    read_count(form, "chunkRows"));
  state_->kept = kept_arrays(table);
}

Napi::Value LabelColumnWriterObject::write(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (busy_) throw coded_error(env, "state", "The writer of labels is busy with another call.");
  if (!info[0].IsArray()) refuse(env, "a list", "columns");
  const auto list = info[0].As<Napi::Array>();
  const std::uint64_t count = read_position(info[1], "count");
  if (count == 0) refuse(env, "a row at least", "count");
  auto kept = std::make_shared<std::vector<Napi::ObjectReference>>();
  std::vector<CellColumn> columns;
  for (std::uint32_t j = 0; j < list.Length(); j++) {
    columns.push_back(read_column(read_object(list.Get(j), "column"), count, *kept));
  }
  const Position from{read_position(info[2], "record"), read_position(info[3], "row")};
  Napi::Uint8Array out = read_bytes(info[4], "out");
  kept->push_back(Napi::Persistent(out.As<Napi::Object>()));
  auto* to = reinterpret_cast<char*>(out.Data());
  const std::size_t room = out.ElementLength();
  const auto state = state_;
  auto written = std::make_shared<std::size_t>(0);
  busy_ = true;
  Ref();
  return Job::start(
      env, [=] { *written = state->lines.write(columns, count, from, to, room); },
      [=](Napi::Env here) { return Napi::Number::New(here, static_cast<double>(*written)); },
      [this, kept] {
        busy_ = false;
        Unref();
      });
}

}  // namespace centroid_lab

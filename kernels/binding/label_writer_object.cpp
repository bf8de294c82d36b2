#include "label_writer_object.hpp"

#include <string>
#include <utility>

#include "arguments.hpp"
#include "job.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

/// 0 where it is absent, null or empty.
char read_character(const Napi::Object& object, const char* name) {
  const std::string word = read_word_or_none(object, name);
  if (word.size() > 1) refuse(object.Env(), "one character of ASCII", name);
  return word.empty() ? '\0' : word.front();
}

LabelledForm read_form(const Napi::Object& object) {
  LabelledForm form;
  form.source = {read_character(object, "delimiter"), read_character(object, "quote")};
  form.separator = read_character(object, "separator");
  form.mark = read_character(object, "mark");
  form.width = read_count(object, "width");
  form.has_surplus = read_flag(object, "surplus");
  if (form.source.delimiter == 0 || form.separator == 0 || form.mark == 0) {
    refuse(object.Env(), "one character each", "delimiter, separator and mark");
  }
  return form;
}

template <class Array>
Array read_typed(const Napi::Value& value, const char* name, napi_typedarray_type type) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    refuse(value.Env(), "another kind of typed array", name);
  }
  return value.As<Array>();
}

Napi::Uint32Array read_unsigned(const Napi::Value& value, const char* name) {
  return read_typed<Napi::Uint32Array>(value, name, napi_uint32_array);
}

Napi::Uint8Array read_bytes(const Napi::Value& value, const char* name) {
  return read_typed<Napi::Uint8Array>(value, name, napi_uint8_array);
}

Numbers view_of(const Napi::Uint32Array& array) { return {array.Data(), array.ElementLength()}; }

Napi::Object read_object(const Napi::Value& value, const char* name) {
  if (!value.IsObject()) refuse(value.Env(), "an object", name);
  return value.As<Napi::Object>();
}

Napi::ObjectReference kept(const Napi::Object& object) { return Napi::Persistent(object); }

LabelledRows read_rows(const Napi::Object& object) {
  LabelledRows rows;
  const Napi::Int32Array labels = read_integers(object.Get("labels"), "labels");
  rows.labels = labels.Data();
  rows.n = labels.ElementLength();
  rows.d = read_count(object, "d");
  const Napi::Value x = object.Get("x");
  const bool is_wide = x.IsTypedArray() && x.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
  if (is_wide) rows.x = static_cast<const double*>(read_doubles(x, "x", rows.n * rows.d).Data());
  else rows.x = static_cast<const float*>(read_floats(x, "x", rows.n * rows.d).Data());
  const Napi::Float64Array centroids = read_doubles(object.Get("centroids"), "centroids");
  if (centroids.ElementLength() % rows.d != 0) refuse(object.Env(), "whole rows", "centroids");
  rows.centroids.assign(centroids.Data(), centroids.Data() + centroids.ElementLength());
  rows.scale = read_number(object, "scale");
  rows.left_out = view_of(read_unsigned(object.Get("leftOut"), "leftOut"));
  if (!object.Get("pointRows").IsNull()) {
    rows.point_rows = view_of(read_unsigned(object.Get("pointRows"), "pointRows"));
    if (rows.point_rows.size != rows.n) refuse(object.Env(), "a row for each point", "pointRows");
  }
  return rows;
}

std::uint64_t read_position(const Napi::Value& value, const char* name) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0) || number > 9007199254740992.0) refuse(value.Env(), "a whole number", name);
  return static_cast<std::uint64_t>(number);
}

Napi::Value answer_of(Napi::Env env, const LabelledText& text) {
  const Napi::Object object = Napi::Object::New(env);
  object.Set("read", static_cast<double>(text.read));
  object.Set("records", static_cast<double>(text.records));
  object.Set("written", static_cast<double>(text.written));
  object.Set("record", static_cast<double>(text.after.record));
  object.Set("row", static_cast<double>(text.after.row));
  return object;
}

}  // namespace

Napi::Function LabelWriterObject::define(Napi::Env env) {
  return DefineClass(env, "LabelWriter", {InstanceMethod<&LabelWriterObject::write>("write")});
}

LabelWriterObject::LabelWriterObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<LabelWriterObject>(info) {
  const Napi::Object table = read_object(info[0], "rows");
  const Napi::Object form = read_object(info[1], "form");
  state_ = std::make_shared<LabelWriterState>(read_form(form), read_rows(table), thread_count(),
                                              read_count(form, "chunkBytes"));
  state_->x = kept(table.Get("x").As<Napi::Object>());
  state_->labels = kept(table.Get("labels").As<Napi::Object>());
  state_->left_out = kept(table.Get("leftOut").As<Napi::Object>());
  if (!table.Get("pointRows").IsNull()) state_->point_rows = kept(table.Get("pointRows").As<Napi::Object>());
}

Napi::Value LabelWriterObject::write(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (busy_) throw coded_error(env, "state", "The writer of labels is busy with another call.");
  Napi::Uint8Array text = read_bytes(info[0], "text");
  const Position from{read_position(info[1], "record"), read_position(info[2], "row")};
  Napi::Uint8Array out = read_bytes(info[3], "out");
  const std::string_view view(reinterpret_cast<const char*>(text.Data()), text.ElementLength());
  auto* to = reinterpret_cast<char*>(out.Data());
  const std::size_t room = out.ElementLength();
  auto held = std::make_shared<std::pair<Napi::ObjectReference, Napi::ObjectReference>>(kept(text), kept(out));
  const auto state = state_;
  auto answer = std::make_shared<LabelledText>();
  busy_ = true;
  Ref();
  return Job::start(
      env, [=] { *answer = state->lines.write(view, from, to, room); },
      [=](Napi::Env here) { return answer_of(here, *answer); },
      [this, held] {
        busy_ = false;
        Unref();
      });
}

}  // namespace centroid_lab

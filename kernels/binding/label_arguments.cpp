#include "label_arguments.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace centroid_lab {
namespace {

template <class Array>
Array read_typed(const Napi::Value& value, const char* name, napi_typedarray_type type) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    refuse(value.Env(), "another kind of typed array", name);
  }
  return value.As<Array>();
}

Numbers view_of(const Napi::Uint32Array& array) { return {array.Data(), array.ElementLength()}; }

std::vector<std::string> read_names(const Napi::Value& value, std::size_t k) {
  std::vector<std::string> names;
  if (!value.IsArray()) return names;
  const auto array = value.As<Napi::Array>();
  if (array.Length() != k) refuse(value.Env(), "a name for each centroid", "names");
  for (std::uint32_t at = 0; at < array.Length(); at++) names.push_back(Napi::Value(array[at]).ToString().Utf8Value());
  return names;
}

}  // namespace

char read_character(const Napi::Object& object, const char* name) {
  const std::string word = read_word_or_none(object, name);
  if (word.size() > 1) refuse(object.Env(), "one character of ASCII", name);
  return word.empty() ? '\0' : word.front();
}

std::uint64_t read_position(const Napi::Value& value, const char* name) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0) || number > 9007199254740992.0) refuse(value.Env(), "a whole number", name);
  return static_cast<std::uint64_t>(number);
}

Napi::Object read_object(const Napi::Value& value, const char* name) {
  if (!value.IsObject()) refuse(value.Env(), "an object", name);
  return value.As<Napi::Object>();
}

Napi::Uint8Array read_bytes(const Napi::Value& value, const char* name) {
  return read_typed<Napi::Uint8Array>(value, name, napi_uint8_array);
}

Napi::Uint32Array read_unsigned(const Napi::Value& value, const char* name) {
  return read_typed<Napi::Uint32Array>(value, name, napi_uint32_array);
}

LabelledRows read_labelled_rows(const Napi::Object& object) {
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
  rows.names = read_names(object.Get("names"), rows.centroids.size() / rows.d);
  rows.scale = read_number(object, "scale");
  rows.left_out = view_of(read_unsigned(object.Get("leftOut"), "leftOut"));
  if (!object.Get("pointRows").IsNull()) {
    rows.point_rows = view_of(read_unsigned(object.Get("pointRows"), "pointRows"));
    if (rows.point_rows.size != rows.n) refuse(object.Env(), "a row for each point", "pointRows");
  }
  return rows;
}

std::vector<Napi::ObjectReference> kept_arrays(const Napi::Object& object) {
  std::vector<Napi::ObjectReference> kept;
  for (const char* name : {"x", "labels", "leftOut", "pointRows"}) {
    if (!object.Get(name).IsNull()) kept.push_back(Napi::Persistent(object.Get(name).As<Napi::Object>()));
  }
  return kept;
}

}  // namespace centroid_lab

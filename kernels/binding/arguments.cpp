#include "arguments.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "job.hpp"

namespace centroid_lab {
namespace {

template <class Value, std::size_t size>
Value read_choice(const Napi::Object& object, const char* name,
                  const std::array<std::pair<const char*, Value>, size>& choices) {
  const std::string word = read_word(object, name);
  for (const auto& [text, value] : choices) {
    if (word == text) return value;
  }
  refuse(object.Env(), "a known word", name);
}

constexpr std::array<std::pair<const char*, StopRule>, 5> stop_rules{{
    {"relative-shift", StopRule::relative_shift},
    {"coordinate-shift", StopRule::coordinate_shift},
    {"inertia", StopRule::inertia},
    {"labels", StopRule::labels},
    {"none", StopRule::none},
}};

constexpr std::array<std::pair<const char*, EmptyPolicy>, 3> empty_policies{{
    {"keep", EmptyPolicy::keep},
    {"farthest", EmptyPolicy::farthest},
    {"drop", EmptyPolicy::drop},
}};

constexpr std::array<std::pair<const char*, Timing>, 3> timing_levels{{
    {"total", Timing::total},
    {"iterations", Timing::iterations},
    {"phases", Timing::phases},
}};

template <class Array>
Array read_array(const Napi::Value& value, const char* name, napi_typedarray_type type, const char* expected) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    refuse(value.Env(), expected, name);
  }
  return value.As<Array>();
}

void require_length(const Napi::TypedArray& array, std::size_t length, const char* name) {
  if (array.ElementLength() != length) refuse(array.Env(), std::to_string(length) + " values", name);
}

}  // namespace

void refuse(Napi::Env env, const std::string& expected, const std::string& name) {
  throw coded_error(env, "argument", "Expected " + expected + " for " + name + ".");
}

double read_number(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsNumber() || std::isnan(value.As<Napi::Number>().DoubleValue())) {
    refuse(object.Env(), "a number", name);
  }
  return value.As<Napi::Number>().DoubleValue();
}

std::size_t read_count(const Napi::Object& object, const char* name) {
  const double value = read_number(object, name);
  if (value < 1 || value > 9007199254740992.0 || value != std::floor(value)) {
    refuse(object.Env(), "a whole number of at least 1", name);
  }
  return static_cast<std::size_t>(value);
}

std::size_t read_count_or_none(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  return value.IsNull() || value.IsUndefined() ? 0 : read_count(object, name);
}

bool read_flag(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsBoolean()) refuse(object.Env(), "true or false", name);
  return value.As<Napi::Boolean>().Value();
}

std::string read_word(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsString()) refuse(object.Env(), "a word", name);
  return value.As<Napi::String>().Utf8Value();
}

std::string read_word_or_none(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  return value.IsNull() || value.IsUndefined() ? "" : read_word(object, name);
}

Napi::Float32Array read_floats(const Napi::Value& value, const char* name, std::size_t length) {
  auto array = read_array<Napi::Float32Array>(value, name, napi_float32_array, "a Float32Array");
  require_length(array, length, name);
  return array;
}

Napi::Int32Array read_integers(const Napi::Value& value, const char* name) {
  return read_array<Napi::Int32Array>(value, name, napi_int32_array, "an Int32Array");
}

Napi::Float64Array read_doubles(const Napi::Value& value, const char* name) {
  return read_array<Napi::Float64Array>(value, name, napi_float64_array, "a Float64Array");
}

Napi::Float64Array read_doubles(const Napi::Value& value, const char* name, std::size_t length) {
  Napi::Float64Array array = read_doubles(value, name);
  require_length(array, length, name);
  return array;
}

Rules read_rules(const Napi::Object& object) {
  Rules rules;
  rules.k = read_count(object, "k");
  rules.stop = read_choice(object, "stop", stop_rules);
  rules.threshold = read_number(object, "threshold");
  rules.empty = read_choice(object, "empty", empty_policies);
  rules.timing = read_choice(object, "timing", timing_levels);
  rules.track_changed = read_flag(object, "trackChanged");
  rules.track_inertia = read_flag(object, "trackInertia");
  rules.track_centroids = read_flag(object, "trackCentroids");
  return rules;
}

}  // namespace centroid_lab

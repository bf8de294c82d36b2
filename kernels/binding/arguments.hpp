// Reads arguments from JavaScript and refuses what the engine could not survive.
#pragma once

#include <napi.h>

#include <cstddef>
#include <string>
#include <type_traits>

#include "types.hpp"

namespace centroid_lab {

/// @throws Napi::Error with code `argument`.
[[noreturn]] void refuse(Napi::Env env, const std::string& expected, const std::string& name);

/// A whole number in 1..2^53.
std::size_t read_count(const Napi::Object& object, const char* name);
/// 0 where it is absent or null.
std::size_t read_count_or_none(const Napi::Object& object, const char* name);
bool read_flag(const Napi::Object& object, const char* name);
double read_number(const Napi::Object& object, const char* name);
std::string read_word(const Napi::Object& object, const char* name);
/// Empty where it is absent or null.
std::string read_word_or_none(const Napi::Object& object, const char* name);

/// A typed array of exactly `length` entries.
Napi::Float32Array read_floats(const Napi::Value& value, const char* name, std::size_t length);
Napi::Int32Array read_integers(const Napi::Value& value, const char* name);
Napi::Float64Array read_doubles(const Napi::Value& value, const char* name);
Napi::Float64Array read_doubles(const Napi::Value& value, const char* name, std::size_t length);

/// `read_floats` or `read_doubles` of that length.
template <class Real>
Napi::TypedArrayOf<Real> read_reals(const Napi::Value& value, const char* name, std::size_t length) {
  if constexpr (std::is_same_v<Real, double>) return read_doubles(value, name, length);
  else return read_floats(value, name, length);
}

/// k, stop, threshold, empty, timing and the track flags.
Rules read_rules(const Napi::Object& object);

}  // namespace centroid_lab

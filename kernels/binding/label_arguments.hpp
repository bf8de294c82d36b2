// What the writers of labels.csv read of JavaScript.
#pragma once

#include <napi.h>

#include <cstdint>
#include <vector>

#include "lines/label_cells.hpp"

namespace centroid_lab {

/// 0 where it is absent, null or empty.
char read_character(const Napi::Object& object, const char* name);
/// A whole number in 0..2^53.
std::uint64_t read_position(const Napi::Value& value, const char* name);
Napi::Object read_object(const Napi::Value& value, const char* name);
Napi::Uint8Array read_bytes(const Napi::Value& value, const char* name);
Napi::Uint32Array read_unsigned(const Napi::Value& value, const char* name);

/// { x, d, labels, centroids, scale, leftOut, pointRows }, of which the arrays are read in place.
LabelledRows read_labelled_rows(const Napi::Object& object);
/// Keeps those arrays alive.
std::vector<Napi::ObjectReference> kept_arrays(const Napi::Object& object);

}  // namespace centroid_lab

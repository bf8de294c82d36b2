// Tables of float32 numbers in files for JavaScript: kernels/reader/float_table.hpp.
#pragma once

#include <napi.h>

namespace centroid_lab {

/// readFloatTable(form, x, progress) -> a promise; see NativeFloatTable in src/engine/engines/native-addon/float-table.ts.
Napi::Value read_float_table_of(const Napi::CallbackInfo& info);

}  // namespace centroid_lab

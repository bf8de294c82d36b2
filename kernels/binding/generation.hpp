// Generated data for JavaScript.
#pragma once

#include <napi.h>

namespace centroid_lab {

/// uniformRows(seed, stream, first row, scales (d), units (d), out (rows, d), origin) -> a promise of nothing: `out`, of float64 or
/// float32, is filled.
Napi::Value uniform_rows_of(const Napi::CallbackInfo& info);

}  // namespace centroid_lab

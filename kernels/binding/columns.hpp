// Columns of a table as points: kernels/table, on all threads.
#pragma once

#include <napi.h>

namespace centroid_lab {

/// Sets columnMoments, columnSquares, columnNeighbours, incompleteRows, rowsBetween, fillPoints, sphereRanges, fillOnSphere and pointSquares; what
/// they take and answer is told by NativeColumns in src/engine/engines/native-addon/columns.ts.
void define_columns(Napi::Env env, Napi::Object exports);

}  // namespace centroid_lab

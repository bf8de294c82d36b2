// What native results look like in JavaScript. Numbers travel in one array: an object per iteration made here
// would cost more than a small problem's iterations.
#pragma once

#include <napi.h>

#include <vector>

#include "clustering.hpp"

namespace centroid_lab {

/// { stats: Float64Array (iterations, 12), stopped: the rule was met in the last of them,
///   centroids: Float32Array (iterations, k, d) or empty }. The order of
/// the twelve is that of `statFields` in src/engine/engines/cpu/stats.ts; negative means not counted.
Napi::Value advance_answer(Napi::Env env, const Advance& answer);

/// { labels, centroids, inertia, downloadMs }
Napi::Value read_answer(Napi::Env env, const Napi::Value& labels, const Clustering& clustering, double inertia);

}  // namespace centroid_lab

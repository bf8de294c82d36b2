// What native results look like in JavaScript. Numbers travel in one array: an object per iteration made here
// would cost more than a small problem's iterations.
#pragma once

#include <napi.h>

#include <vector>

#include "clustering.hpp"

namespace centroid_lab {

/// { stats: Float64Array (iterations, 12), stopped: the rule was met in the last of them,
///   centroids: Float32Array or Float64Array (iterations, k, d) or empty }. The order of
/// the twelve is that of `statFields` in src/engine/engines/cpu/stats.ts; negative means not counted.
template <class Real>
Napi::Value advance_answer(Napi::Env env, const AdvanceOf<Real>& answer);

/// { labels, centroids, inertia, downloadMs }
template <class Real>
Napi::Value read_answer(Napi::Env env, const Napi::Value& labels, const ClusteringOf<Real>& clustering, double inertia);

template <class Real>
Napi::TypedArrayOf<Real> copy_of(Napi::Env env, const std::vector<Real>& values);

}  // namespace centroid_lab

// Members and inertia of each cluster for any engine's labels.
#pragma once

#include <napi.h>

namespace centroid_lab {

/// clusterTotals(x, d, labels, centroids: Float64Array (k, d)) -> Promise<{ sizes, inertias } (Float64Array, k), or null
/// where a label is none of 0..k-1>. The arrays must not change until the answer is there.
Napi::Value cluster_totals_of(const Napi::CallbackInfo& info);

}  // namespace centroid_lab

// The regimes of `fused` on CUDA; fused.cu chooses among them by shape and device.
#pragma once

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Any n, d and k: tiles of points by centroids in registers, sums by atomics in global memory.
std::unique_ptr<DeviceVariant> make_fused_general(const Problem& problem);

/// k up to 16 and d up to 4; null for other shapes.
std::unique_ptr<DeviceVariant> make_fused_small(const Problem& problem);

/// Many points of two features: passes that write no labels by a table of the plane, all others by `single`, the former's answer;
/// elsewhere `single` itself.
std::unique_ptr<DeviceVariant> make_fused_grid(const Problem& problem, std::unique_ptr<DeviceVariant> single);

/// The same from 11 clusters on; `make_fused_grid` asks for it.
std::unique_ptr<DeviceVariant> make_fused_grid_many(const Problem& problem, std::unique_ptr<DeviceVariant> single);

/// 3 to 32 features and points that lie together: chunks of neighbours look only at the centroids that can be nearest to one of
/// theirs; what cannot be done so by `single`. Elsewhere `single` itself.
std::unique_ptr<DeviceVariant> make_fused_near(const Problem& problem, std::unique_ptr<DeviceVariant> single);

/// d up to 32, and k as long as shared memory holds the centroids; null for other shapes.
std::unique_ptr<DeviceVariant> make_fused_many(const Problem& problem);

/// The same by matrix units, from compute capability 8.0; null for other shapes and devices.
std::unique_ptr<DeviceVariant> make_fused_matrix(const Problem& problem);

/// Where the card holds all points in registers (d up to 4): whole runs in one launch, single passes by `single`;
/// otherwise `single` itself.
std::unique_ptr<DeviceVariant> make_fused_tiny(const Problem& problem, std::unique_ptr<DeviceVariant> single);

}  // namespace centroid_lab::cuda

// A copy of the points, cell by cell of the plane's table.
#pragma once

#include <cstddef>

#include "device_variant.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {

/// Rows of a block of ordered points: the copy is filled up with zeros to a multiple of it.
constexpr std::size_t ordered_batch = 256;

/// (n, 2) points in the order of 32 x 32 cells, and within these of 8 x 8 more, in these in any. By counting, on the device.
/// @throws std::bad_alloc for want of device memory.
Buffer<float> points_by_cell(const Problem& problem);

}  // namespace centroid_lab::cuda

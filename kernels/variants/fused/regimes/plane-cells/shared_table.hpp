// One table of the plane for all blocks, made by a kernel of its own: from 11 clusters on.
#pragma once

#include <memory>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Whether table and sums fit into the shared memory of a block.
bool shared_table_holds(const Problem& problem);

/// @param others make the passes that write labels. @throws std::bad_alloc for want of device memory.
std::unique_ptr<DeviceVariant> make_with_shared_table(const Problem& problem, std::unique_ptr<DeviceVariant> others);

}  // namespace centroid_lab::cuda

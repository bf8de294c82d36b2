// The primitives of the seedings on a CUDA device, with the bits of the processor's (kernels/common/seeding).
#pragma once

#include <cstddef>
#include <memory>

#include "seeding/steps.hpp"

namespace centroid_lab::cuda {

/// @param x (n, d) row-major; copied to the device.
/// @throws std::bad_alloc for want of device memory, std::runtime_error for a call that failed.
std::unique_ptr<SeedingSteps> make_device_seeding(const float* x, std::size_t n, std::size_t d, int device);

}  // namespace centroid_lab::cuda

// Large copies between memory of any kind and the device, at about the speed of the link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace centroid_lab::cuda {

/// Copies `bytes` to the current device and waits. Pageable memory takes several threads and page-locked slots that stay with the
/// process: the driver's own copy from there reaches a fifth of the link. @throws std::runtime_error.
void copy_to_device(void* to, const void* from, std::size_t bytes);

/// Copies `count` labels from the current device and waits; `clusters`, where given, says what each of them is to become.
/// @throws std::runtime_error.
void copy_labels(std::int32_t* to, const std::int32_t* from, std::size_t count, const std::vector<std::int32_t>* clusters);

}  // namespace centroid_lab::cuda

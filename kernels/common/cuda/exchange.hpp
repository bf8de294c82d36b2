// Who adds up the sums of several devices.
#pragma once

#include <string>

namespace centroid_lab::cuda {

/// Kernels that write to the memory of the other devices, or NCCL.
enum class Exchange { peer_copies, nccl };

/// @param word as plans and people name it. @throws std::invalid_argument for another.
Exchange exchange_of(const std::string& word);
const char* exchange_name(Exchange exchange);

/// Version of NCCL as 2.27.3; empty where it is not found.
std::string nccl_version();

}  // namespace centroid_lab::cuda

// Every CUDA call is checked, and an error names its call.
#pragma once

#include <cuda_runtime_api.h>

#include <new>
#include <stdexcept>
#include <string>

namespace centroid_lab::cuda {

/// @throws std::bad_alloc when the device has too little memory, else std::runtime_error naming call and cause.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// To be called after each kernel launch. @throws as `check`.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace centroid_lab::cuda

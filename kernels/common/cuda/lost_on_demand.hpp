// A device that is lost on demand, for the tests of what happens then; built in by CENTROID_LAB_FAULTS alone.
#pragma once

#include <cuda_runtime_api.h>

namespace centroid_lab::cuda {

#ifdef CENTROID_LAB_FAULTS

/// Counts passes of the device that CENTROID_LAB_LOST_DEVICE names ("1:40": the second device in its 41st pass) and lets it fail in
/// that one, as a fault of its own would: every later call that concerns it fails as well.
void lose_on_demand(int device, cudaStream_t stream);

#else

inline void lose_on_demand(int, cudaStream_t) {}

#endif

}  // namespace centroid_lab::cuda

// Ours on CUDA: assignment and sums in one pass, by the regime that suits shape and device. See README.md.
#include "fused_regimes.hpp"

namespace centroid_lab::cuda {

std::unique_ptr<DeviceVariant> make_fused(const Problem& problem) { return make_fused_general(problem); }

}  // namespace centroid_lab::cuda

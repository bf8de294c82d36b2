#include "cuda/cuda_engine.hpp"

#include <algorithm>

#include "cuda/device_seeding.hpp"
#include "engine.hpp"

namespace centroid_lab {

bool engine_offers(const std::string& variant) {
  const std::vector<std::string> names = cuda::cuda_variants();
  return std::find(names.begin(), names.end(), variant) != names.end();
}

std::unique_ptr<Clustering> open_clustering(const SessionRequest& request) {
  const auto& [x, n, d, rules, variant, device] = request;
  return cuda::open_points(variant, x, n, d, rules, static_cast<int>(device));
}

std::unique_ptr<SeedingSteps> open_seeding(const float* x, std::size_t n, std::size_t d, std::int64_t device) {
  return cuda::make_device_seeding(x, n, d, static_cast<int>(device));
}

}  // namespace centroid_lab

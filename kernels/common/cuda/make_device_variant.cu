#include <algorithm>
#include <stdexcept>
#include <utility>

#include "device_variant.hpp"

namespace centroid_lab::cuda {
namespace {

using Make = std::unique_ptr<DeviceVariant> (*)(const Problem&);

const std::vector<std::pair<const char*, Make>>& makers() {
  static const std::vector<std::pair<const char*, Make>> all{
      {"global-atomics", make_global_atomics},
      {"thrust", make_thrust},
      {"shared-centroids", make_shared_centroids},
      {"tree-reduction", make_tree_reduction},
      {"distance-matrix", make_distance_matrix},
      {"sort-reduce", make_sort_reduce},
      {"partial-sums", make_partial_sums},
      {"irregular-reduction", make_irregular_reduction},
      {"hybrid", make_hybrid},
      {"hybrid-parallel", make_hybrid_parallel},
      {"fused", make_fused},
      {"pruned", make_pruned},
  };
  return all;
}

}  // namespace

const std::vector<const char*>& device_variants() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> all;
    for (const auto& maker : makers()) all.push_back(maker.first);
    return all;
  }();
  return names;
}

std::unique_ptr<DeviceVariant> make_device_variant(const std::string& name, const Problem& problem) {
  for (const auto& [known, make] : makers()) {
    if (name == known) return make(problem);
  }
  throw std::invalid_argument("no variant of the CUDA engine is called " + name);
}

}  // namespace centroid_lab::cuda

#include <algorithm>
#include <stdexcept>

#include "variant.hpp"

namespace centroid_lab {

const std::vector<const char*>& cpu_variants() {
  static const std::vector<const char*> names{
      "sequential",
      "openmp",
#ifdef CENTROID_LAB_TBB
      "tbb",
#endif
#ifdef CENTROID_LAB_EIGEN
      "eigen",
#endif
      "distance-matrix",
      "fused",
      "pruned",
  };
  return names;
}

bool is_variant(const std::string& name) {
  const auto& names = cpu_variants();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::unique_ptr<Variant> make_variant(const std::string& name, const Points& points, std::size_t k,
                                      const Machine& machine) {
  if (name == "sequential") return make_sequential(points, k);
  if (name == "openmp") return make_openmp(points, k, machine);
#ifdef CENTROID_LAB_TBB
  if (name == "tbb") return make_tbb(points, k, machine);
#endif
#ifdef CENTROID_LAB_EIGEN
  if (name == "eigen") return make_eigen(points, k);
#endif
  if (name == "distance-matrix") return make_distance_matrix(points, k, machine);
  if (name == "fused") return make_fused(points, k, machine);
  if (name == "pruned") return make_pruned(points, k, machine);
  throw std::invalid_argument("no variant of the CPU engine is called " + name);
}

}  // namespace centroid_lab

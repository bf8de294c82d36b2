// `pruned`: chooses by shape how distances are skipped. See README.md.
#include <memory>

#include "filtering.hpp"
#include "leaves.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Centroids and points from which a tree pays.
constexpr std::size_t centroids_for_tree = 64;
constexpr std::size_t points_for_tree = 4096;

}  // namespace

std::unique_ptr<Variant> make_pruned(const Points& points, std::size_t k, const Machine& machine) {
  if (points.d <= most_tree_features && k >= centroids_for_tree && points.n >= points_for_tree) {
    return make_filtering(points, k, machine);
  }
  return make_fused(points, k, machine);
}

}  // namespace centroid_lab

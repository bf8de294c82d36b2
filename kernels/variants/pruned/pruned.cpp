// `pruned`: chooses by shape how distances are skipped. See README.md.
#include <memory>

#include "filtering.hpp"
#include "grouping.hpp"
#include "leaves.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Centroids and points from which a tree pays.
constexpr std::size_t centroids_for_tree = 64;
constexpr std::size_t points_for_tree = 4096;
/// Centroids and multiply-adds of an iteration from which groups pay.
constexpr std::size_t centroids_for_groups = 8;
constexpr double work_for_groups = 1e6;

bool suits_groups(const Points& points, std::size_t k) {
  const double work = static_cast<double>(points.n) * static_cast<double>(points.d) * static_cast<double>(k);
  return points.d > most_tree_features && points.d < most_group_features && k >= centroids_for_groups &&
         work >= work_for_groups;
}

}  // namespace

std::unique_ptr<Variant> make_pruned(const Points& points, std::size_t k, const Machine& machine) {
  if (points.d <= most_tree_features && k >= centroids_for_tree && points.n >= points_for_tree) {
    return make_filtering(points, k, machine);
  }
  if (suits_groups(points, k)) return make_grouping(points, k, machine);
  return make_fused(points, k, machine);
}

}  // namespace centroid_lab

// `pruned`: chooses by shape how distances are skipped. See README.md.
#include <memory>

#include "anchors.hpp"
#include "boxes.hpp"
#include "filtering.hpp"
#include "grouping.hpp"
#include "leaves.hpp"
#include "scanning.hpp"
#include "standing.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Centroids and points from which a tree pays.
constexpr std::size_t centroids_for_tree = 64;
constexpr std::size_t points_for_tree = 4096;
/// Features up to which it always does; with more, as long as leaves are expected to leave no more than this share of
/// the distances (on data without structure a tree is as fast as brute force at .15 to .2).
constexpr std::size_t features_for_tree = 3;
constexpr double largest_leaf_share = 0.12;
/// Points, and points a centroid, from which a plain list of boxes pays.
constexpr std::size_t points_for_boxes = 8192;
constexpr std::size_t points_of_centroid_for_boxes = 200;
/// Centroids and multiply-adds of an iteration from which groups pay.
constexpr std::size_t centroids_for_groups = 8;
constexpr double work_for_groups = 1e6;

bool suits_tree(const Points& points, std::size_t k) {
  if (points.d > most_tree_features || k < centroids_for_tree || points.n < points_for_tree) return false;
  return points.d <= features_for_tree || expected_leaf_share(points, k) <= largest_leaf_share;
}

bool suits_boxes(const Points& points, std::size_t k) {
  return points.d <= most_box_features && k > 1 && k <= most_box_centroids && points.n >= points_for_boxes &&
         points.n >= points_of_centroid_for_boxes * k;
}

bool suits_groups(const Points& points, std::size_t k) {
  const double work = static_cast<double>(points.n) * static_cast<double>(points.d) * static_cast<double>(k);
  return points.d > most_tree_features && points.d < most_group_features && k >= centroids_for_groups &&
         work >= work_for_groups;
}

}  // namespace

std::unique_ptr<Variant> make_pruned(const Points& points, std::size_t k, const Machine& machine) {
  if (suits_boxes(points, k)) return make_scanning(points, k, machine);
  if (suits_tree(points, k)) return make_filtering(points, k, machine);
  if (suits_groups(points, k)) return make_grouping(points, k, machine);
  return make_standing(make_fused(points, k, machine), points, k);
}

}  // namespace centroid_lab

#include "point_tree.hpp"

#include <algorithm>

#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Fills boxes and sums of a subtree from its leaves upwards.
class Summary {
 public:
  Summary(PointTree& tree, const FixedPoint& fixed, std::size_t n, std::size_t d)
      : tree_(tree), fixed_(fixed), n_(n), d_(d) {}

  void visit(const Subtree& subtree) {
    if (subtree.leaves == 1) return leaf(subtree);
    const std::size_t left_count = left_leaves(subtree.leaves);
    const Subtree left{subtree.node + 1, subtree.first_leaf, left_count};
    const Subtree right{subtree.node + 2 * left_count, subtree.first_leaf + left_count, subtree.leaves - left_count};
    visit(left);
    visit(right);
    join(subtree.node, left.node, right.node);
  }

  void join(std::size_t node, std::size_t left, std::size_t right) {
    for (std::size_t j = 0; j < d_; j++) {
      low(node, j) = std::min(low(left, j), low(right, j));
      high(node, j) = std::max(high(left, j), high(right, j));
      sum(node, j) = sum(left, j) + sum(right, j);
    }
  }

 private:
  float& low(std::size_t node, std::size_t j) { return tree_.boxes[node * 2 * d_ + j]; }
  float& high(std::size_t node, std::size_t j) { return tree_.boxes[(node * 2 + 1) * d_ + j]; }
  std::int64_t& sum(std::size_t node, std::size_t j) { return tree_.sums[node * d_ + j]; }

  void leaf(const Subtree& subtree) {
    const std::size_t first = subtree.first_leaf * leaf_points;
    const std::size_t count = std::min(leaf_points, n_ - first);
    const float* tile = tree_.points.tiles.data() + first / tile_points * tile_points * d_ + first % tile_points;
    for (std::size_t j = 0; j < d_; j++) {
      const float* values = tile + j * tile_points;
      const auto [least, most] = std::minmax_element(values, values + count);
      low(subtree.node, j) = *least;
      high(subtree.node, j) = *most;
      std::int64_t total = 0;
      for (std::size_t p = 0; p < count; p++) total += to_fixed(values[p], fixed_.scale()[j]);
      sum(subtree.node, j) = total;
    }
  }

  PointTree& tree_;
  const FixedPoint& fixed_;
  std::size_t n_;
  std::size_t d_;
};

/// The subtrees `levels` down, and the nodes above them from the top on.
void cut(const Subtree& subtree, std::size_t levels, std::vector<Subtree>& below, std::vector<Subtree>& above) {
  if (levels == 0 || subtree.leaves == 1) return below.push_back(subtree);
  above.push_back(subtree);
  const std::size_t left = left_leaves(subtree.leaves);
  cut({subtree.node + 1, subtree.first_leaf, left}, levels - 1, below, above);
  cut({subtree.node + 2 * left, subtree.first_leaf + left, subtree.leaves - left}, levels - 1, below, above);
}

}  // namespace

PointTree::PointTree(const Points& from, const FixedPoint& fixed, ThreadPool& pool)
    : points(kd_order(from, pool)), leaves((from.n + leaf_points - 1) / leaf_points) {
  boxes.resize(nodes() * 2 * from.d);
  sums.resize(nodes() * from.d);
  Summary summary(*this, fixed, from.n, from.d);
  std::vector<Subtree> below, above;
  constexpr std::size_t levels = 6;
  cut(root(), levels, below, above);
  const auto visit = [&](std::size_t, std::size_t first, std::size_t) { summary.visit(below[first]); };
  pool.share(below.size(), 1, visit, [] { return false; });
  for (auto parent = above.rbegin(); parent != above.rend(); parent++) {
    summary.join(parent->node, parent->node + 1, parent->node + 2 * left_leaves(parent->leaves));
  }
}

std::size_t PointTree::depth() const {
  std::size_t levels = 0;
  for (std::size_t left = leaves; left > 1; left = left_leaves(left)) levels++;
  return levels;
}

}  // namespace centroid_lab

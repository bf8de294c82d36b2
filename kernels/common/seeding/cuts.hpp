// Where a heap of rows is cut in two, and the cutting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace centroid_lab {

/// Features up to which cells are boxes, cut across their widest feature; with more, across the line between two points
/// that are far apart.
constexpr std::size_t max_box_features = 20;

/// Places of a branch: a cell of space begins with one.
constexpr std::size_t branch_points = 1024;

/// A row by where it lies across a cut.
struct alignas(8) Keyed {
  float key;
  std::uint32_t row;
};

struct Range {
  Keyed* first;
  std::size_t count;
};

/// Puts the item of rank `rank` in its place, none greater before it and none less after it. O(count)
void select(Keyed* items, std::size_t count, std::size_t rank);

/// How far a row of d features lies in a direction. Never NaN, which has no place in an order: products of huge coordinates may
/// overflow.
float along(const float* row, const float* direction, std::size_t d);

/// The direction of a cut, or its feature where `direction` is empty, and the share of rows that lie before it.
struct Cut {
  std::vector<float> direction;
  std::size_t feature = 0;
  double share = 0.5;

  float key_of(const float* row) const {
    return direction.empty() ? row[feature] : along(row, direction.data(), direction.size());
  }
};

/// For rows of d features, of which `samples` stand for all. @param gaps whether to look for a gap, else in the middle
Cut cut_of(std::span<const float* const> samples, std::size_t d, bool gaps);

}  // namespace centroid_lab

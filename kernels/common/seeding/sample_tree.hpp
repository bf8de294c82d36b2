// A coarse tree of cuts through a sample of rows, which tells of any row in which cell of space it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aligned.hpp"
#include "seeding/cuts.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Items of rows (key 0), each cell's together and from the beginning of a branch of places on.
struct RowsByCell {
  Aligned<Keyed> items;
  std::vector<Range> ranges;
};

/// O(n (d + log n)) or, across lines, O(n d log n); parallel. Cells are small enough for caches, unless points are equal.
/// After a cancel they are any.
RowsByCell rows_by_cell(const float* x, std::size_t n, std::size_t d, ThreadPool& pool, const CancelFlag& cancel);

class SampleTree {
 public:
  /// @param x (n, d) row-major
  /// @param cells about equally many rows in each, at least 1
  SampleTree(const float* x, std::size_t n, std::size_t d, std::size_t cells);

  /// The cell of each of `count` rows (count, d), 0..cells-1; neighbours in the tree have numbers near each other.
  void find_cells(const float* rows, std::size_t count, std::uint32_t* cells) const;

 private:
  /// Below the last cut lies a node that leads to itself.
  struct Node {
    std::uint32_t feature;
    /// The smallest key of a row that goes right.
    float min_right;
    std::uint32_t next[2];
  };

  std::uint32_t next_of(std::uint32_t node, const float* row) const {
    return nodes_[node].next[row[nodes_[node].feature] < nodes_[node].min_right ? 0 : 1];
  }
  std::uint32_t cell_along_lines(const float* row) const;
  /// The tree of sampled rows for `cells` cells from `cell` on.
  std::uint32_t grow(Keyed* samples, std::size_t count, std::size_t cell, std::size_t cells, std::size_t depth);

  const float* x_;
  std::size_t d_;
  std::vector<Node> nodes_;
  /// (nodes, d) where cuts are no features.
  std::vector<float> directions_;
  /// (nodes) cell of each node that leads to itself.
  std::vector<std::uint32_t> cells_;
  /// Cuts on the longest way.
  std::size_t depth_ = 0;
};

}  // namespace centroid_lab

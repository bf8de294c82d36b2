// What the vector kernels over a tree of points work on. Only plain pointers: this header is compiled for several
// instruction sets, and nothing inline may be shared between them by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/box-filter/candidate_list.hpp"

namespace centroid_lab {

/// Points of a leaf: half a tile (methods/tiles), whose layout is kept, so that its kernels fit.
constexpr std::size_t leaf_points = 32;

/// No cluster yet: the points below are new.
constexpr std::int32_t owner_none = -2;
/// The points below belong to several clusters: see the children, or in a leaf the labels.
constexpr std::int32_t owner_mixed = -1;

/// A subtree to be filtered. Nodes are numbered in preorder; a node of m leaves has 2m-1 nodes below and in it.
struct Subtree {
  std::size_t node;
  std::size_t first_leaf;
  std::size_t leaves;
};

/// Leaves of the left child of a node of `leaves` > 1.
constexpr std::size_t left_leaves(std::size_t leaves) { return leaves - leaves / 2; }

/// One pass over the tree, constant while it runs.
struct TreeJob {
  /// Points in the order of the tree, [tile][feature][64].
  const float* tiles;
  std::size_t n;
  std::size_t d;
  /// (n) index of each point before it was put in order.
  const std::uint32_t* order;

  /// (nodes) lowest (d) and highest (d) coordinates.
  const float* boxes;
  /// (nodes, d) fixed-point sums.
  const std::int64_t* node_sums;
  /// (nodes) cluster of all points below, or one of the two constants above.
  std::int32_t* owners;
  /// (leaves, leaf_points) clusters of the points of mixed leaves.
  std::int32_t* labels;
  /// (d) see FixedPoint.
  const float* scale;

  /// (live, d) centroids in play.
  const float* centroids;
  /// (live) index of each among all k.
  const std::int32_t* original;

  /// A centroid is left out of a list only where it stays behind another by this distance, see methods/box-filter.
  float skin;
  /// Null, or (n) where labels go, in the order of the points as they came; nothing else is then written.
  std::int32_t* out;
};

/// A leaf that no centroid owns, and the candidates for its points.
struct OpenLeaf {
  std::size_t node;
  std::size_t leaf;
  const std::int32_t* members;
  std::size_t count;
};

/// What one thread adds up and hands back.
struct TreeSink {
  /// (k, d) and (k): changes against the pass before.
  std::int64_t* sums;
  std::int64_t* counts;
  /// (k) clusters whose sums changed.
  std::uint8_t* touched;
  std::int64_t changed;
  /// Distances computed at leaves.
  std::int64_t distances;

  /// Room for the lists of one path: `columns` d x stride floats a level, `members` stride integers a level.
  float* columns;
  std::int32_t* members;
  std::size_t stride;

  /// Levels to go down before what is left is handed back by `defer`.
  std::size_t levels;
  void* owner;
  void (*defer)(void* owner, std::size_t d, const Subtree& subtree, const CandidateList& list);
  /// Null: no leaf is kept.
  void (*keep)(void* owner, const OpenLeaf& leaf);
};

struct TreeKernels {
  /// Filters a subtree; `list` holds what is left for it. The points below get their clusters.
  void (*visit)(const TreeJob& job, const Subtree& subtree, const CandidateList& list, TreeSink& sink);
  /// The points of one leaf again, against a list kept from an earlier pass.
  void (*revisit)(const TreeJob& job, const OpenLeaf& leaf, TreeSink& sink);
};

/// Features up to which trees are built.
constexpr std::size_t max_tree_features = 8;

extern const TreeKernels baseline_tree;
#if defined(__x86_64__)
extern const TreeKernels avx2_tree;
extern const TreeKernels avx512_tree;
#endif

}  // namespace centroid_lab

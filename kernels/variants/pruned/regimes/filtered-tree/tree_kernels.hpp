// One pass over a tree of points: subtrees that one centroid owns are taken whole, the rest goes down to the leaves.
// Sums change only where clusters change, as in `fused`. Included once per instruction set, after its vectors.
#pragma once

#include "leaves.hpp"
#include "methods/box-filter/box_filter.hpp"

namespace centroid_lab {
namespace {

/// Points of a leaf in its tile: feature j of point p lies at [j * 64 + p].
inline const float* leaf_at(const TreeJob& job, std::size_t leaf) {
  constexpr std::size_t in_tile = 64 / leaf_points;
  return job.tiles + leaf / in_tile * 64 * job.d + leaf % in_tile * leaf_points;
}

inline std::size_t points_of_leaf(const TreeJob& job, std::size_t leaf) {
  const std::size_t left = job.n - leaf * leaf_points;
  return left < leaf_points ? left : leaf_points;
}

inline std::size_t points_of(const TreeJob& job, const Subtree& subtree) {
  const std::size_t first = subtree.first_leaf * leaf_points;
  const std::size_t last = first + subtree.leaves * leaf_points;
  return (last < job.n ? last : job.n) - first;
}

inline Subtree left_of(const Subtree& parent) {
  return {parent.node + 1, parent.first_leaf, left_leaves(parent.leaves)};
}

inline Subtree right_of(const Subtree& parent) {
  const std::size_t left = left_leaves(parent.leaves);
  return {parent.node + 2 * left, parent.first_leaf + left, parent.leaves - left};
}

/// Adds `sign` times a node or a point to the changes of a cluster.
template <int D>
inline void add_to(std::int32_t cluster, const std::int64_t* sums, std::int64_t count, std::int64_t sign,
                   TreeSink& sink) {
  std::int64_t* to = sink.sums + static_cast<std::size_t>(cluster) * D;
  for (int j = 0; j < D; j++) to[j] += sign * sums[j];
  sink.counts[cluster] += sign * count;
  sink.touched[cluster] = 1;
}

template <int D>
inline void move_leaf_point(const TreeJob& job, const float* point, std::int32_t to, std::int32_t from,
                            TreeSink& sink) {
  std::int64_t fixed[D];
  for (int j = 0; j < D; j++) fixed[j] = __builtin_llrintf(point[j * 64] * job.scale[j]);
  add_to<D>(to, fixed, 1, 1, sink);
  if (from >= 0) add_to<D>(from, fixed, 1, -1, sink);
  sink.changed++;
}

/// Gives every point below to `cluster`.
template <int D>
void own(const TreeJob& job, const Subtree& subtree, std::int32_t cluster, TreeSink& sink) {
  std::int32_t& owner = job.owners[subtree.node];
  const std::int32_t before = owner;
  owner = cluster;
  if (before == cluster) return;
  if (before != owner_mixed) {
    const std::int64_t* sums = job.node_sums + subtree.node * D;
    const std::int64_t count = static_cast<std::int64_t>(points_of(job, subtree));
    add_to<D>(cluster, sums, count, 1, sink);
    if (before != owner_none) add_to<D>(before, sums, count, -1, sink);
    sink.changed += count;
    return;
  }
  if (subtree.leaves > 1) {
    own<D>(job, left_of(subtree), cluster, sink);
    own<D>(job, right_of(subtree), cluster, sink);
    return;
  }
  const float* points = leaf_at(job, subtree.first_leaf);
  const std::int32_t* kept = job.labels + subtree.first_leaf * leaf_points;
  for (std::size_t p = 0; p < points_of_leaf(job, subtree.first_leaf); p++) {
    if (kept[p] != cluster) move_leaf_point<D>(job, points + p, cluster, kept[p], sink);
  }
}

/// Clusters of the points of a leaf: distances to the candidates, the float32 chain of `fused`.
template <int D>
inline void label_leaf(const TreeJob& job, std::size_t leaf, const std::int32_t* members, std::size_t count,
                       std::int32_t* labels) {
  constexpr int vectors = static_cast<int>(leaf_points) / Vectors::lanes;
  constexpr int V = vectors < 4 ? vectors : 4;
  const float* points = leaf_at(job, leaf);
  for (std::size_t p = 0; p < leaf_points; p += V * Vectors::lanes) {
    Vectors::Floats least[V];
    Vectors::Integers nearest[V];
    for (int v = 0; v < V; v++) {
      least[v] = Vectors::all(__builtin_inff());
      nearest[v] = Vectors::all(job.original[members[0]]);
    }
    for (std::size_t i = 0; i < count; i++) {
      const float* centroid = job.centroids + static_cast<std::size_t>(members[i]) * D;
      const auto cluster = Vectors::all(job.original[members[i]]);
      for (int v = 0; v < V; v++) {
        auto squares = Vectors::all(0.0F);
        for (int j = 0; j < D; j++) {
          const auto x = Vectors::load(points + static_cast<std::size_t>(j) * 64 + p + v * Vectors::lanes);
          const auto difference = Vectors::subtract(x, Vectors::all(centroid[j]));
          squares = Vectors::add_product(difference, difference, squares);
        }
        const auto closer = Vectors::is_less(squares, least[v]);
        least[v] = Vectors::choose(closer, squares, least[v]);
        nearest[v] = Vectors::choose(closer, cluster, nearest[v]);
      }
    }
    for (int v = 0; v < V; v++) Vectors::store(labels + p + v * Vectors::lanes, nearest[v]);
  }
}

/// Compares the new labels of a leaf with the old ones and moves what changed.
template <int D>
inline void accumulate_leaf(const TreeJob& job, std::size_t node, std::size_t leaf, const std::int32_t* labels,
                        TreeSink& sink) {
  const std::size_t count = points_of_leaf(job, leaf);
  std::int32_t* kept = job.labels + leaf * leaf_points;
  if (job.owners[node] != owner_mixed) {
    for (std::size_t p = 0; p < leaf_points; p++) kept[p] = job.owners[node];
    job.owners[node] = owner_mixed;
  }
  std::int32_t any = 0;
  for (std::size_t p = 0; p < leaf_points; p++) any |= labels[p] ^ kept[p];
  if (any == 0) return;
  const float* points = leaf_at(job, leaf);
  for (std::size_t p = 0; p < count; p++) {
    if (labels[p] != kept[p]) move_leaf_point<D>(job, points + p, labels[p], kept[p], sink);
  }
  for (std::size_t p = 0; p < leaf_points; p++) kept[p] = labels[p];
}

inline void push_down(const TreeJob& job, const Subtree& subtree) {
  std::int32_t& owner = job.owners[subtree.node];
  if (owner == owner_mixed) return;
  job.owners[left_of(subtree).node] = owner;
  job.owners[right_of(subtree).node] = owner;
  owner = owner_mixed;
}

inline void label_all(const TreeJob& job, const Subtree& subtree, std::int32_t cluster) {
  const std::size_t first = subtree.first_leaf * leaf_points;
  for (std::size_t p = first; p < first + points_of(job, subtree); p++) job.out[job.order[p]] = cluster;
}

template <int D>
void visit_leaf(const TreeJob& job, const Subtree& subtree, const CandidateList& list, TreeSink& sink) {
  alignas(64) std::int32_t labels[leaf_points];
  label_leaf<D>(job, subtree.first_leaf, list.members, list.count, labels);
  sink.distances += static_cast<std::int64_t>(list.count * leaf_points);
  if (job.out != nullptr) {
    const std::uint32_t* order = job.order + subtree.first_leaf * leaf_points;
    for (std::size_t p = 0; p < points_of_leaf(job, subtree.first_leaf); p++) job.out[order[p]] = labels[p];
    return;
  }
  accumulate_leaf<D>(job, subtree.node, subtree.first_leaf, labels, sink);
  if (sink.keep == nullptr) return;
  sink.keep(sink.owner, {subtree.node, subtree.first_leaf, list.members, list.count});
}

template <int D>
void visit_node(const TreeJob& job, const Subtree& subtree, const CandidateList& list, std::size_t level,
                TreeSink& sink) {
  float* columns = sink.columns + level * D * sink.stride;
  std::int32_t* members = sink.members + level * sink.stride;
  CandidateList left{members, columns, sink.stride, 1};
  if (list.count > 1) {
    left.count = filter<D>(job.boxes + subtree.node * 2 * D, list, job.skin, members, columns, sink.stride);
  } else {
    left.members = list.members;
  }
  if (left.count == 1) {
    const std::int32_t cluster = job.original[left.members[0]];
    if (job.out != nullptr) label_all(job, subtree, cluster);
    else own<D>(job, subtree, cluster, sink);
    return;
  }
  if (subtree.leaves == 1) return visit_leaf<D>(job, subtree, left, sink);
  if (job.out == nullptr) push_down(job, subtree);
  if (level == sink.levels) {
    sink.defer(sink.owner, D, left_of(subtree), left);
    sink.defer(sink.owner, D, right_of(subtree), left);
    return;
  }
  visit_node<D>(job, left_of(subtree), left, level + 1, sink);
  visit_node<D>(job, right_of(subtree), left, level + 1, sink);
}

inline void visit_subtree(const TreeJob& job, const Subtree& subtree, const CandidateList& list, TreeSink& sink) {
  switch (job.d) {
    case 1: return visit_node<1>(job, subtree, list, 0, sink);
    case 2: return visit_node<2>(job, subtree, list, 0, sink);
    case 3: return visit_node<3>(job, subtree, list, 0, sink);
    case 4: return visit_node<4>(job, subtree, list, 0, sink);
    case 5: return visit_node<5>(job, subtree, list, 0, sink);
    case 6: return visit_node<6>(job, subtree, list, 0, sink);
    case 7: return visit_node<7>(job, subtree, list, 0, sink);
    case 8: return visit_node<8>(job, subtree, list, 0, sink);
    default: return;
  }
}

template <int D>
inline void revisit_leaf_of(const TreeJob& job, const OpenLeaf& leaf, TreeSink& sink) {
  alignas(64) std::int32_t labels[leaf_points];
  label_leaf<D>(job, leaf.leaf, leaf.members, leaf.count, labels);
  sink.distances += static_cast<std::int64_t>(leaf.count * leaf_points);
  accumulate_leaf<D>(job, leaf.node, leaf.leaf, labels, sink);
}

inline void revisit_leaf(const TreeJob& job, const OpenLeaf& leaf, TreeSink& sink) {
  switch (job.d) {
    case 1: return revisit_leaf_of<1>(job, leaf, sink);
    case 2: return revisit_leaf_of<2>(job, leaf, sink);
    case 3: return revisit_leaf_of<3>(job, leaf, sink);
    case 4: return revisit_leaf_of<4>(job, leaf, sink);
    case 5: return revisit_leaf_of<5>(job, leaf, sink);
    case 6: return revisit_leaf_of<6>(job, leaf, sink);
    case 7: return revisit_leaf_of<7>(job, leaf, sink);
    case 8: return revisit_leaf_of<8>(job, leaf, sink);
    default: return;
  }
}

}  // namespace
}  // namespace centroid_lab

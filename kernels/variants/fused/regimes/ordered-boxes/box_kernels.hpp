// One pass over a plain list of boxes: what a box around sixteen of them leaves is tried on these, side by side in vectors. A
// box that one centroid owns is taken whole, in the others the candidates are compared with the points. The bound is that of
// box_filter.hpp, first with a centroid in each lane, then with a box.
// Included once per instruction set, after its vectors.
#pragma once

#include "boxes.hpp"
#include "box_filter.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t box_points = 64;
constexpr std::uint32_t every_lane = (2U << (Vectors::lanes - 1)) - 1;

/// The boxes of one vector.
template <int D>
struct BoxLanes {
  Vectors::Floats low[D];
  Vectors::Floats high[D];

  BoxLanes(const BoxJob& job, std::size_t first) {
    for (int j = 0; j < D; j++) {
      low[j] = Vectors::load(job.low + static_cast<std::size_t>(j) * job.stride + first);
      high[j] = Vectors::load(job.high + static_cast<std::size_t>(j) * job.stride + first);
    }
  }
};

/// For each box a centroid near its middle with its cluster, and the right side of the test of box_filter.hpp without Q.
template <int D>
struct BoxNearest {
  Vectors::Floats centroid[D];
  Vectors::Integers cluster;
  Vectors::Floats slack;

  BoxNearest(const BoxJob& job, const BoxLanes<D>& boxes, const CandidateList& list) {
    Vectors::Floats middle[D];
    for (int j = 0; j < D; j++) {
      const auto half = Vectors::all(0.5F);
      const auto zero = Vectors::all(0.0F);
      middle[j] = Vectors::add_product(half, boxes.low[j], Vectors::add_product(half, boxes.high[j], zero));
      centroid[j] = Vectors::all(list.columns[static_cast<std::size_t>(j) * list.stride]);
    }
    Vectors::Floats least = Vectors::all(__builtin_inff());
    cluster = Vectors::all(job.original[list.members[0]]);
    for (std::size_t c = 0; c < list.count; c++) {
      Vectors::Floats own[D];
      for (int j = 0; j < D; j++) own[j] = Vectors::all(list.columns[static_cast<std::size_t>(j) * list.stride + c]);
      Vectors::Floats squares = Vectors::all(0.0F);
      for (int j = 0; j < D; j++) {
        const auto difference = Vectors::subtract(own[j], middle[j]);
        squares = Vectors::add_product(difference, difference, squares);
      }
      const auto closer = Vectors::is_less(squares, least);
      least = Vectors::smaller(squares, least);
      cluster = Vectors::choose(closer, Vectors::all(job.original[list.members[c]]), cluster);
      for (int j = 0; j < D; j++) centroid[j] = Vectors::choose(closer, own[j], centroid[j]);
    }
    constexpr float m = (D + 6) * 0x1p-23F;
    Vectors::Floats squares = Vectors::all(0.0F);
    for (int j = 0; j < D; j++) {
      const auto below = Vectors::magnitude(Vectors::subtract(centroid[j], boxes.low[j]));
      const auto above = Vectors::magnitude(Vectors::subtract(centroid[j], boxes.high[j]));
      const auto far = Vectors::larger(below, above);
      squares = Vectors::add_product(far, far, squares);
    }
    slack = Vectors::add_product(Vectors::all(3 * m), squares, Vectors::all(D * 0x1p-120F));
  }
};

/// Bits of the boxes that candidate `c` is not ruled out in.
template <int D>
inline std::uint32_t boxes_left(const BoxLanes<D>& boxes, const BoxNearest<D>& nearest, const CandidateList& list,
                                std::size_t c) {
  constexpr float m = (D + 6) * 0x1p-23F;
  auto mine = Vectors::all(0.0F);
  auto theirs = Vectors::all(0.0F);
  for (int j = 0; j < D; j++) {
    const auto z = Vectors::all(list.columns[static_cast<std::size_t>(j) * list.stride + c]);
    const auto s = nearest.centroid[j];
    const auto corner = Vectors::choose(Vectors::is_less(s, z), boxes.high[j], boxes.low[j]);
    const auto to_z = Vectors::subtract(z, corner);
    const auto to_s = Vectors::subtract(s, corner);
    theirs = Vectors::add_product(to_z, to_z, theirs);
    mine = Vectors::add_product(to_s, to_s, mine);
  }
  const auto right = Vectors::add_product(mine, Vectors::all(1 + m), nearest.slack);
  const auto left = Vectors::add_product(theirs, Vectors::all(1 - m), Vectors::all(0.0F));
  return ~Vectors::bits(Vectors::is_less(right, left)) & every_lane;
}

inline std::size_t points_of_box(const BoxJob& job, std::size_t box) {
  const std::size_t left = job.n - box * box_points;
  return left < box_points ? left : box_points;
}

/// Adds `sign` times a box or a point to the changes of a cluster.
template <int D>
inline void add_to(std::int32_t cluster, const std::int64_t* sums, std::int64_t count, std::int64_t sign,
                   BoxSink& sink) {
  std::int64_t* to = sink.sums + static_cast<std::size_t>(cluster) * D;
  for (int j = 0; j < D; j++) to[j] += sign * sums[j];
  sink.counts[cluster] += sign * count;
  sink.touched[cluster] = 1;
}

/// Gives points of a box to a cluster, those whose bit is set.
template <int D>
inline void move_points(const BoxJob& job, std::size_t box, std::uint64_t moving, const BoxLabel* to,
                        const BoxLabel* from, BoxSink& sink) {
  const float* points = job.tiles + box * box_points * D;
  sink.changed += __builtin_popcountll(moving);
  for (; moving != 0; moving &= moving - 1) {
    const int p = __builtin_ctzll(moving);
    std::int64_t fixed[D];
    for (int j = 0; j < D; j++) fixed[j] = __builtin_llrintf(points[j * 64 + p] * job.scale[j]);
    add_to<D>(to[p], fixed, 1, 1, sink);
    add_to<D>(from[p], fixed, 1, -1, sink);
  }
}

inline std::uint64_t points_mask(std::size_t count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Bits of the labels of a box that differ.
inline std::uint64_t unequal(const BoxLabel* a, const BoxLabel* b) {
  std::uint64_t bits = 0;
#if defined(__AVX512BW__)
  const auto half = [&](std::size_t p) -> std::uint64_t {
    return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(a + p), _mm512_loadu_si512(b + p));
  };
  bits = half(0) | half(box_points / 2) << box_points / 2;
#else
  for (int p = 0; p < 64; p++) bits |= static_cast<std::uint64_t>(a[p] != b[p]) << p;
#endif
  return bits;
}

inline void fill_labels(BoxLabel* labels, std::int32_t cluster) {
  for (std::size_t p = 0; p < box_points; p++) labels[p] = static_cast<BoxLabel>(cluster);
}

/// Gives all points of a box to `cluster`.
template <int D>
inline void own_box(const BoxJob& job, std::size_t box, std::int32_t cluster, BoxSink& sink) {
  const std::int32_t before = job.owners[box];
  job.owners[box] = cluster;
  const std::size_t count = points_of_box(job, box);
  if (before == box_is_mixed) {
    alignas(64) BoxLabel to[box_points];
    fill_labels(to, cluster);
    BoxLabel* kept = job.labels + box * box_points;
    move_points<D>(job, box, unequal(to, kept) & points_mask(count), to, kept, sink);
    return;
  }
  const std::int64_t* sums = job.box_sums + box * D;
  const auto members = static_cast<std::int64_t>(count);
  add_to<D>(cluster, sums, members, 1, sink);
  if (before != box_is_new) add_to<D>(before, sums, members, -1, sink);
  sink.changed += members;
}

/// The lanes as labels, side by side.
inline void store_labels(BoxLabel* to, Vectors::Integers value) {
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(value));
#else
  alignas(64) std::int32_t wide[Vectors::lanes];
  Vectors::store(wide, value);
  for (int lane = 0; lane < Vectors::lanes; lane++) to[lane] = static_cast<BoxLabel>(wide[lane]);
#endif
}

/// The exactly nearest of some candidates to point p of a box.
__attribute__((noinline)) inline std::int32_t exact_cluster(const BoxJob& job, const float* point,
                                                            const std::int32_t* members, std::size_t count) {
  ExactChoice choice(point, box_points, 1, job.d);
  for (std::size_t i = 0; i < count; i++) {
    choice.offer(job.centroids + static_cast<std::size_t>(members[i]) * job.d, job.original[members[i]]);
  }
  return choice.nearest();
}

/// Clusters of the points of a box: distances to the candidates, and where the second best comes within the margin of
/// methods/canonical, the exact ones.
template <int D>
inline void label_box(const BoxJob& job, std::size_t box, const std::int32_t* members, std::size_t count,
                      BoxLabel* labels) {
  constexpr int V = 4;
  const float* points = job.tiles + box * box_points * D;
  for (std::size_t p = 0; p < box_points; p += V * Vectors::lanes) {
    Vectors::Floats x[V][D];
    Vectors::Floats least[V];
    Vectors::Floats second[V];
    Vectors::Integers nearest[V];
    for (int v = 0; v < V; v++) {
      for (int j = 0; j < D; j++) x[v][j] = Vectors::load(points + static_cast<std::size_t>(j) * 64 + p + v * Vectors::lanes);
      second[v] = Vectors::all(__builtin_inff());
      nearest[v] = Vectors::all(job.original[members[0]]);
    }
    const auto square = [&](int v, const float* centroid) {
      auto squares = Vectors::all(0.0F);
      for (int j = 0; j < D; j++) {
        const auto difference = Vectors::subtract(x[v][j], Vectors::all(centroid[j]));
        squares = Vectors::add_product(difference, difference, squares);
      }
      return squares;
    };
    const float* first = job.centroids + static_cast<std::size_t>(members[0]) * D;
    for (int v = 0; v < V; v++) least[v] = square(v, first);
    for (std::size_t i = 1; i < count; i++) {
      const float* centroid = job.centroids + static_cast<std::size_t>(members[i]) * D;
      const auto cluster = Vectors::all(job.original[members[i]]);
      for (int v = 0; v < V; v++) {
        const auto squares = square(v, centroid);
        const auto closer = Vectors::is_less(squares, least[v]);
        second[v] = Vectors::smaller_size(second[v], Vectors::larger_size(squares, least[v]));
        least[v] = Vectors::smaller(squares, least[v]);
        nearest[v] = Vectors::choose(closer, cluster, nearest[v]);
      }
    }
    for (int v = 0; v < V; v++) {
      const std::size_t at = p + static_cast<std::size_t>(v) * Vectors::lanes;
      store_labels(labels + at, nearest[v]);
      const auto bound = Vectors::add_product(least[v], Vectors::all(job.near.factor), Vectors::all(job.near.rest));
      std::uint32_t open = ~Vectors::bits(Vectors::is_less(bound, second[v])) & every_lane;
      for (; open != 0; open &= open - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctz(open));
        labels[at + lane] = static_cast<BoxLabel>(exact_cluster(job, points + at + lane, members, count));
      }
    }
  }
}

/// Gives the points of a box their labels.
template <int D>
inline void accumulate_box(const BoxJob& job, std::size_t box, const BoxLabel* labels, BoxSink& sink) {
  // New points go to one cluster first, as a whole; what is left to do are few.
  if (job.owners[box] == box_is_new) own_box<D>(job, box, labels[0], sink);
  BoxLabel* kept = job.labels + box * box_points;
  if (job.owners[box] != box_is_mixed) {
    fill_labels(kept, job.owners[box]);
    job.owners[box] = box_is_mixed;
  }
  const std::uint64_t moving = unequal(labels, kept) & points_mask(points_of_box(job, box));
  if (moving == 0) return;
  move_points<D>(job, box, moving, labels, kept, sink);
  __builtin_memcpy(kept, labels, box_points * sizeof(BoxLabel));
}

/// Bits of the lanes of `words` in which bit `bit` is set.
inline std::uint32_t lanes_with(const std::uint32_t* words, int bit) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask(_mm512_loadu_si512(words), _mm512_set1_epi32(1 << bit));
#else
  std::uint32_t lanes = 0;
  for (int lane = 0; lane < Vectors::lanes; lane++) lanes |= (words[lane] >> bit & 1) << lane;
  return lanes;
#endif
}

/// Bits of a vector's boxes for each candidate.
struct BoxCandidates {
  std::uint32_t left[max_box_centroids];

  /// Members of `list` that are left for one box, in its order; `members` needs room for a vector more.
  std::size_t of(int box, const CandidateList& list, std::int32_t* members) const {
    std::size_t count = 0;
    for (std::size_t c = 0; c < list.count; c += Vectors::lanes) {
      const std::size_t here = list.count - c;
      const std::uint32_t real = here < Vectors::lanes ? (1U << here) - 1 : every_lane;
      const std::uint32_t chosen = lanes_with(left + c, box) & real;
      keep_lanes(list.members + c, chosen, members + count);
      count += static_cast<std::size_t>(__builtin_popcount(chosen));
    }
    return count;
  }
};

/// Gives boxes of a vector, those whose bit is set, to the clusters in their lanes.
template <int D>
inline void own_boxes(const BoxJob& job, std::size_t first, std::uint32_t owned, const std::int32_t* clusters,
                      BoxSink& sink) {
  std::uint32_t others = owned & differing(clusters, job.owners + first);
  for (; others != 0; others &= others - 1) {
    const int lane = __builtin_ctz(others);
    own_box<D>(job, first + static_cast<std::size_t>(lane), clusters[lane], sink);
  }
}

/// As many boxes as a vector has lanes, those whose bit is set in `real`, with the candidates for them all.
template <int D>
inline void visit_vector(const BoxJob& job, std::size_t first, std::uint32_t real, const CandidateList& list,
                         BoxSink& sink) {
  alignas(64) std::int32_t clusters[Vectors::lanes];
  if (list.count == 1) {
    Vectors::store(clusters, Vectors::all(job.original[list.members[0]]));
    return own_boxes<D>(job, first, real, clusters, sink);
  }
  const BoxLanes<D> boxes(job, first);
  const BoxNearest<D> nearest(job, boxes, list);
  BoxCandidates candidates;
  std::uint32_t once = 0;
  std::uint32_t twice = 0;
  for (std::size_t c = 0; c < list.count; c++) {
    const std::uint32_t left = boxes_left<D>(boxes, nearest, list, c);
    candidates.left[c] = left;
    twice |= once & left;
    once |= left;
  }
  for (std::uint32_t open = twice & real; open != 0; open &= open - 1) {
    const int lane = __builtin_ctz(open);
    std::int32_t members[max_box_centroids + beyond_list];
    const std::size_t count = candidates.of(lane, list, members);
    alignas(64) BoxLabel labels[box_points];
    const std::size_t box = first + static_cast<std::size_t>(lane);
    label_box<D>(job, box, members, count, labels);
    accumulate_box<D>(job, box, labels, sink);
  }
  Vectors::store(clusters, nearest.cluster);
  own_boxes<D>(job, first, ~twice & real, clusters, sink);
}

/// Sixteen boxes: what the box around them all leaves of the centroids is tried on each.
template <int D>
inline void visit_group(const BoxJob& job, std::size_t first, std::size_t last, BoxSink& sink) {
  constexpr std::size_t stride = max_box_centroids + beyond_list;
  std::int32_t members[stride];
  float columns[D * stride];
  CandidateList list{members, columns, stride, 0};
  list.count = filter<D>(job.groups + first / boxes_together * 2 * D, job.all, members, columns, stride);
  const std::size_t end = last - first < boxes_together ? last : first + boxes_together;
  for (std::size_t box = first; box < end; box += Vectors::lanes) {
    const std::size_t here = end - box;
    visit_vector<D>(job, box, here < Vectors::lanes ? (1U << here) - 1 : every_lane, list, sink);
  }
}

template <int D>
void visit_boxes_of(const BoxJob& job, std::size_t first, std::size_t last, BoxSink& sink) {
  BoxSink mine = sink;
  for (std::size_t box = first; box < last; box += boxes_together) visit_group<D>(job, box, last, mine);
  sink = mine;
}

inline void visit_boxes(const BoxJob& job, std::size_t first, std::size_t last, BoxSink& sink) {
  switch (job.d) {
    case 1: return visit_boxes_of<1>(job, first, last, sink);
    case 2: return visit_boxes_of<2>(job, first, last, sink);
    case 3: return visit_boxes_of<3>(job, first, last, sink);
    case 4: return visit_boxes_of<4>(job, first, last, sink);
    case 5: return visit_boxes_of<5>(job, first, last, sink);
    case 6: return visit_boxes_of<6>(job, first, last, sink);
    case 7: return visit_boxes_of<7>(job, first, last, sink);
    default: return visit_boxes_of<8>(job, first, last, sink);
  }
}

/// Smallest, largest and the fixed-point sum of values.
struct Extent {
  float low;
  float high;
  std::int64_t sum;
};

inline Extent extent_of(const float* values, std::size_t count, float scale) {
  Extent extent{values[0], values[0], 0};
  for (std::size_t p = 0; p < count; p++) {
    extent.low = values[p] < extent.low ? values[p] : extent.low;
    extent.high = values[p] > extent.high ? values[p] : extent.high;
    extent.sum += __builtin_llrintf(values[p] * scale);
  }
  return extent;
}

/// As `extent_of`, of a whole box.
inline Extent extent_of_box(const float* values, float scale) {
#if defined(__AVX512DQ__)
  Vectors::Floats low = Vectors::load(values);
  Vectors::Floats high = low;
  __m512i sum = _mm512_setzero_si512();
  for (std::size_t p = 0; p < box_points; p += 16) {
    const auto value = Vectors::load(values + p);
    low = Vectors::smaller(low, value);
    high = Vectors::larger(high, value);
    const auto scaled = _mm512_mul_ps(value, Vectors::all(scale));
    sum = _mm512_add_epi64(sum, _mm512_cvtps_epi64(_mm512_castps512_ps256(scaled)));
    sum = _mm512_add_epi64(sum, _mm512_cvtps_epi64(_mm512_extractf32x8_ps(scaled, 1)));
  }
  return {_mm512_reduce_min_ps(low), _mm512_reduce_max_ps(high), _mm512_reduce_add_epi64(sum)};
#else
  return extent_of(values, box_points, scale);
#endif
}

/// The box around boxes of a feature that lie together.
inline void surround_boxes(const BoxJob& job, std::size_t first, std::size_t last, std::size_t feature,
                           const BoxMeasures& to) {
  float low = to.low[feature * job.stride + first];
  float high = to.high[feature * job.stride + first];
  for (std::size_t box = first; box < last; box++) {
    const float least = to.low[feature * job.stride + box];
    const float most = to.high[feature * job.stride + box];
    low = least < low ? least : low;
    high = most > high ? most : high;
  }
  float* group = to.groups + first / boxes_together * 2 * job.d;
  group[feature] = low;
  group[job.d + feature] = high;
}

inline void measure_boxes(const BoxJob& job, std::size_t first, std::size_t last, const BoxMeasures& to) {
  for (std::size_t box = first; box < last; box++) {
    const std::size_t count = points_of_box(job, box);
    for (std::size_t j = 0; j < job.d; j++) {
      const float* values = job.tiles + (box * job.d + j) * box_points;
      const float scale = job.scale[j];
      const Extent extent = count == box_points ? extent_of_box(values, scale) : extent_of(values, count, scale);
      to.low[j * job.stride + box] = extent.low;
      to.high[j * job.stride + box] = extent.high;
      to.sums[box * job.d + j] = extent.sum;
    }
  }
  for (std::size_t box = first; box < last; box += boxes_together) {
    const std::size_t end = last - box < boxes_together ? last : box + boxes_together;
    for (std::size_t j = 0; j < job.d; j++) surround_boxes(job, box, end, j, to);
  }
}

}  // namespace
}  // namespace centroid_lab

// Which centroids can be nearest somewhere in a box (Pelleg & Moore 1999; Kanungo et al. 2002).
//
// Let s be the candidate nearest to the middle of the box. A candidate z is left out when |v-z|^2 > |v-s|^2 holds for every v
// of the box; one corner decides. With m = 2 (d+6) u, u = 2^-24, A the largest distance from s to the box, P and Q the two
// computed squares in the corner the test is
//     P (1-m) > Q (1+m) + 3 m A^2 + tiny;
// proof.md says why that is right. Included once per instruction set, after its vectors.
#pragma once

#include "compact.hpp"
#include "candidate_list.hpp"

namespace centroid_lab {
namespace {

/// Position in the list of the candidate nearest to the middle of the box. Any choice is right; this one leaves little.
template <int D>
inline std::size_t nearest_to_middle(const float* box, const CandidateList& list) {
  Vectors::Floats middle[D];
  for (int j = 0; j < D; j++) middle[j] = Vectors::all(0.5F * box[j] + 0.5F * box[D + j]);
  std::size_t nearest = 0;
  Vectors::Floats least = Vectors::all(__builtin_inff());
  Vectors::Integers from = Vectors::all(std::int32_t{0});
  for (std::size_t i = 0; i < list.count; i += Vectors::lanes) {
    Vectors::Floats squares = Vectors::all(0.0F);
    for (int j = 0; j < D; j++) {
      const auto difference = Vectors::subtract(Vectors::load(list.columns + j * list.stride + i), middle[j]);
      squares = Vectors::add_product(difference, difference, squares);
    }
    const auto closer = Vectors::is_less(squares, least);
    least = Vectors::choose(closer, squares, least);
    from = Vectors::choose(closer, Vectors::all(static_cast<std::int32_t>(i)), from);
  }
  const int lane = lane_of_smallest(least);
  alignas(64) std::int32_t starts[Vectors::lanes];
  Vectors::store(starts, from);
  nearest = static_cast<std::size_t>(starts[lane] + lane);
  return nearest < list.count ? nearest : 0;
}

/// The right side of the test above without Q.
template <int D>
inline float slack(const float* box, const float* nearest) {
  constexpr float m = (D + 6) * 0x1p-23F;
  float squares = 0;
  for (int j = 0; j < D; j++) {
    const float low = __builtin_fabsf(nearest[j] - box[j]);
    const float high = __builtin_fabsf(nearest[j] - box[D + j]);
    const float far = low > high ? low : high;
    squares += far * far;
  }
  return 3 * m * squares + D * 0x1p-120F;
}

/// What `list` leaves for the box, in the same order; never nothing. `members` and `columns` need room for a vector
/// more than is left. @returns how many are left.
template <int D>
inline std::size_t filter(const float* box, const CandidateList& list, std::int32_t* members, float* columns,
                          std::size_t stride) {
  constexpr float m = (D + 6) * 0x1p-23F;
  const std::size_t chosen = nearest_to_middle<D>(box, list);
  float nearest[D];
  for (int j = 0; j < D; j++) nearest[j] = list.columns[j * list.stride + chosen];
  const auto bound = Vectors::all(slack<D>(box, nearest));
  std::size_t left = 0;
  for (std::size_t i = 0; i < list.count; i += Vectors::lanes) {
    auto mine = Vectors::all(0.0F);
    auto theirs = Vectors::all(0.0F);
    for (int j = 0; j < D; j++) {
      const auto z = Vectors::load(list.columns + j * list.stride + i);
      const auto s = Vectors::all(nearest[j]);
      const auto corner = Vectors::choose(Vectors::is_less(s, z), Vectors::all(box[D + j]), Vectors::all(box[j]));
      const auto to_z = Vectors::subtract(z, corner);
      const auto to_s = Vectors::subtract(s, corner);
      theirs = Vectors::add_product(to_z, to_z, theirs);
      mine = Vectors::add_product(to_s, to_s, mine);
    }
    const auto right = Vectors::add_product(mine, Vectors::all(1 + m), bound);
    const auto zero = Vectors::all(0.0F);
    const auto out = Vectors::is_less(right, Vectors::add_product(theirs, Vectors::all(1 - m), zero));
    const std::size_t here = list.count - i;
    const std::uint32_t real = here < Vectors::lanes ? (1U << here) - 1 : ((2U << (Vectors::lanes - 1)) - 1);
    const std::uint32_t kept = ~Vectors::bits(out) & real;
    for (int j = 0; j < D; j++) keep_lanes(list.columns + j * list.stride + i, kept, columns + j * stride + left);
    keep_lanes(list.members + i, kept, members + left);
    left += static_cast<std::size_t>(__builtin_popcount(kept));
  }
  // What comes after the list is never nearest.
  for (int lane = 0; lane < Vectors::lanes; lane++) columns[left + lane] = __builtin_inff();
  return left;
}

}  // namespace
}  // namespace centroid_lab

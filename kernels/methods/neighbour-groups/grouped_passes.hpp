// Passes over tiles that go on by groups of neighbouring points where these leave most distances out.
#pragma once

#include <cstddef>
#include <memory>

#include "methods/tiles/tile_passes.hpp"
#include "variant.hpp"

namespace centroid_lab {

/// When points are put in an order of neighbours. Results do not depend on it.
struct GroupingRule {
  /// Multiply-adds of each point, a thread, in the passes before a sample is looked at, which takes a twentieth of that; the
  /// next look is after twice as many passes, and so on.
  std::size_t work_before_look = 12'000;
  /// Share of all distances that groups may leave.
  double largest_share = 0.25;
  /// What ordering takes, in distances of each point to one centroid: so many are to be left out of passes like those that
  /// there were before it.
  double distances_of_order = 128;
};

/// As make_tile_passes, which it begins with.
std::unique_ptr<Variant> make_grouped_passes(const Points& points, std::size_t k, const Machine& machine, Choice choice,
                                             const GroupingRule& rule = {});

}  // namespace centroid_lab

// Passes over groups of neighbouring points, each with a list of the centroids that can be nearest to one of them. See README.md
// of `fused` and proof.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "variant.hpp"

namespace centroid_lab {

class GroupPasses : public Variant {
 public:
  /// Share of all distances that the lists of the last pass left; 1 before there are any.
  virtual double share_of_distances() const = 0;
};

/// @param order (n) indices of the points, neighbours together
std::unique_ptr<GroupPasses> make_group_passes(const Points& points, std::size_t k, const Machine& machine,
                                               std::vector<std::uint32_t> order);

}  // namespace centroid_lab

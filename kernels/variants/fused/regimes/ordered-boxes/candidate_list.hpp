// What the filter works on. Only plain pointers: this header is compiled for several instruction sets, and nothing
// inline may be shared between them by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab {

/// Centroids that may be nearest somewhere in a region, in ascending order of their index.
struct CandidateList {
  /// Positions among the packed centroids.
  const std::int32_t* members;
  /// Their coordinates, [feature][stride].
  const float* columns;
  std::size_t stride;
  std::size_t count;
};

}  // namespace centroid_lab

#pragma once

#include <cstddef>

namespace centroid_lab {

/// What the machine can do at most, measured.
struct Floors {
  /// Float32 multiply-adds in a millisecond, all threads.
  double products_per_ms;
  /// Bytes read from memory in a millisecond, all threads.
  double bytes_per_ms;
  /// Second-level caches of all threads: what fits is not read from memory every time. 0 where the system does not say.
  std::size_t cache_bytes;
};

Floors measure_floors(std::size_t threads);

}  // namespace centroid_lab

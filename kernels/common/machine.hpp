#pragma once

#include <cstddef>

namespace centroid_lab {

/// Threads to work with: CENTROID_LAB_THREADS (1..1024) where set, else the processors this process may use.
std::size_t thread_count();

}  // namespace centroid_lab

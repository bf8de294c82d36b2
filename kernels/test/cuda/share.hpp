// Which of the checks a process makes: tools that watch every access take a minute for a part of them.
#pragma once

#include <cstddef>

namespace centroid_lab::cuda_test {

/// Checks number part, part + of, part + 2 of and so on.
struct Share {
  std::size_t part = 0;
  std::size_t of = 1;
  std::size_t asked = 0;
};

inline Share share;

/// Whether the next check is this process's.
inline bool is_ours() { return share.asked++ % share.of == share.part; }

}  // namespace centroid_lab::cuda_test

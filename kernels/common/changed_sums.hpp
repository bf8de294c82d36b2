// What one worker adds up in a pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "aligned.hpp"
#include "fixed_point.hpp"

namespace centroid_lab {

/// Changes of the sums against the pass before, and which clusters they concern.
struct Changes {
  ExactSums sums;
  Aligned<std::uint8_t> touched;
  std::int64_t changed = 0;

  void reset(std::size_t k, std::size_t d) {
    sums.reset(k, d);
    touched.assign(k, 0);
    changed = 0;
  }

  /// Adds everything to `total` and leaves nothing. @returns points that changed their label.
  std::int64_t hand_over(ExactSums& total) {
    for (std::size_t cluster = 0; cluster < touched.size(); cluster++) {
      if (touched[cluster]) hand_over(cluster, total);
    }
    const std::int64_t points = changed;
    changed = 0;
    return points;
  }

 private:
  void hand_over(std::size_t cluster, ExactSums& total) {
    const std::size_t d = sums.sums.size() / touched.size();
    std::int64_t* from = sums.sums.data() + cluster * d;
    std::int64_t* to = total.sums.data() + cluster * d;
    for (std::size_t j = 0; j < d; j++) to[j] += from[j];
    std::fill_n(from, d, 0);
    total.counts[cluster] += sums.counts[cluster];
    sums.counts[cluster] = 0;
    touched[cluster] = 0;
  }
};

}  // namespace centroid_lab

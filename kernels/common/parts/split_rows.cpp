#include "parts/split_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace centroid_lab {

std::vector<RowRange> split_rows(std::size_t n, const std::vector<double>& speeds, std::size_t step) {
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  const auto last = static_cast<std::size_t>(
      std::distance(std::find_if(speeds.rbegin(), speeds.rend(), [](double speed) { return speed > 0; }), speeds.rend()));
  std::vector<RowRange> ranges;
  double so_far = 0;
  std::size_t first = 0;
  for (const double speed : speeds) {
    so_far += speed;
    const double share = static_cast<double>(n) * (so_far / all);
    const auto border = static_cast<std::size_t>(std::llround(share / static_cast<double>(step))) * step;
    // Rounding of the speeds must leave no rows over.
    const std::size_t end = ranges.size() + 1 >= last ? n : std::clamp(border, first, n);
    ranges.push_back({first, speed > 0 ? end - first : 0});
    if (speed > 0) first = end;
  }
  return ranges;
}

}  // namespace centroid_lab

#include "box_share.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "methods/estimates/ball_candidates.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

/// Boxes that stand for all, points among which their neighbours are looked for, and points that stand for centroids.
constexpr std::size_t probes = 24;
constexpr std::size_t probe_points = 8192;
constexpr std::size_t max_stand_ins = 1024;

}  // namespace

double expected_box_share(const Points& points, std::size_t k) {
  const std::size_t d = points.d;
  const std::size_t probed = std::min(probe_points, points.n);
  const std::size_t count = std::min(k, max_stand_ins);
  std::vector<float> centroids;
  for (std::size_t c = 0; c < count; c++) {
    const float* row = points.row(c * points.n / count);
    centroids.insert(centroids.end(), row, row + d);
  }
  // A box reaches as far among all points as it does among some, but for their density.
  const double density = static_cast<double>(probed) / static_cast<double>(points.n);
  const float scale = static_cast<float>(std::pow(density, 1 / static_cast<double>(d)));
  std::vector<float> squares(probed);
  double left = 0;
  for (std::size_t probe = 0; probe < probes; probe++) {
    const float* middle = points.row((2 * probe + 1) * points.n / (2 * probes));
    for (std::size_t i = 0; i < probed; i++) squares[i] = estimated_distance(middle, points.row(i * points.n / probed), d);
    const auto last = squares.begin() + static_cast<std::ptrdiff_t>(std::min(tile_points, probed) - 1);
    std::nth_element(squares.begin(), last, squares.end());
    left += static_cast<double>(candidates_of(middle, scale * std::sqrt(*last), centroids.data(), count, d));
  }
  return left / static_cast<double>(probes * count);
}

}  // namespace centroid_lab

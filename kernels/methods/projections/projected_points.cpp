#include "methods/projections/projected_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace centroid_lab {
namespace {

/// Squared length of a row without the middle, in float64.
double centred_square(const float* row, const std::vector<double>& middle) {
  double sums[4] = {};
  for (std::size_t j = 0; j < middle.size(); j++) {
    const double difference = static_cast<double>(row[j]) - middle[j];
    sums[j % 4] += difference * difference;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The last coordinate: what the directions do not see of a row.
float rest_of(double square, const double* along, std::size_t width) {
  double seen = 0;
  for (std::size_t i = 0; i < width; i++) seen += along[i] * along[i];
  return static_cast<float>(std::sqrt(std::max(0.0, square - seen)));
}

}  // namespace

Projection::Projection(Directions directions, const ProjectionKernels& kernels)
    : directions_(std::move(directions)), offset_(directions_.offset()), kernels_(kernels) {}

void Projection::apply(const float* rows, std::size_t count, float* to) const {
  const std::size_t d = directions_.middle.size();
  const std::size_t width = directions_.width;
  std::vector<double> along(count * width);
  kernels_.project(rows, count, d, directions_.columns.data(), width, offset_.data(), along.data());
  for (std::size_t row = 0; row < count; row++) {
    const double* from = along.data() + row * width;
    float* coordinates = to + row * (width + 1);
    for (std::size_t i = 0; i < width; i++) coordinates[i] = static_cast<float>(from[i]);
    coordinates[width] = rest_of(centred_square(rows + row * d, directions_.middle), from, width);
  }
}

ProjectedPoints::ProjectedPoints(const Points& points, const Projection& projection, ThreadPool& pool)
    : tiles(tiles_for(points.n) * tile_points * projection.coordinates()), squares(tiles_for(points.n) * tile_points) {
  const std::size_t width = projection.coordinates();
  const auto fill = [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<float> rows(tile_points * width);
    for (std::size_t tile = first; tile < last; tile++) {
      const std::size_t start = tile * tile_points;
      const std::size_t count = std::min(tile_points, points.n - start);
      projection.apply(points.row(start), count, rows.data());
      std::fill(rows.begin() + static_cast<std::ptrdiff_t>(count * width), rows.end(), 0.0F);
      float* to = tiles.data() + start * width;
      for (std::size_t p = 0; p < tile_points; p++) {
        double square = 0;
        for (std::size_t i = 0; i < width; i++) {
          const float value = rows[p * width + i];
          to[i * tile_points + p] = value;
          square += static_cast<double>(value) * static_cast<double>(value);
        }
        squares[start + p] = static_cast<float>(square);
      }
    }
  };
  pool.share(tiles_for(points.n), 1, fill, [] { return false; });
}

}  // namespace centroid_lab

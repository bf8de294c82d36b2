#include "moments.hpp"

#include <algorithm>
#include <cmath>

#include "lane_sum.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t block_points = 1024;

/// Calls visit(first, last) for each block of points.
template <class Visit>
void for_each_block(std::size_t n, Visit visit) {
  for (std::size_t first = 0; first < n; first += block_points) visit(first, std::min(n, first + block_points));
}

template <class Real>
std::vector<double> mean_of(const PointsOf<Real>& points) {
  std::vector<double> mean(points.d, 0.0);
  std::vector<double> block(points.d);
  for_each_block(points.n, [&](std::size_t first, std::size_t last) {
    std::fill(block.begin(), block.end(), 0.0);
    for (std::size_t i = first; i < last; i++) {
      const Real* row = points.row(i);
      for (std::size_t j = 0; j < points.d; j++) block[j] += row[j];
    }
    for (std::size_t j = 0; j < points.d; j++) mean[j] += block[j];
  });
  for (double& value : mean) value /= static_cast<double>(points.n);
  return mean;
}

template <class Real>
double squares_about(const PointsOf<Real>& points, const std::vector<double>& mean) {
  double squares = 0;
  for_each_block(points.n, [&](std::size_t first, std::size_t last) {
    double block = 0;
    for (std::size_t i = first; i < last; i++) {
      const Real* row = points.row(i);
      for (std::size_t j = 0; j < points.d; j++) {
        const double difference = row[j] - mean[j];
        block += difference * difference;
      }
    }
    squares += block;
  });
  return squares;
}

}  // namespace

template <class Real>
Moments moments_of(const PointsOf<Real>& points) {
  Moments moments;
  moments.mean = mean_of(points);
  moments.squares = squares_about(points, moments.mean);
  return moments;
}

template <class Real>
double inertia_from_sums(const Moments& moments, const Real* centroids, const PassResult& pass) {
  const std::size_t d = moments.mean.size();
  LaneSum clusters;
  for (std::size_t cluster = 0; cluster < pass.counts.size(); cluster++) {
    if (std::isnan(centroids[cluster * d])) continue;
    LaneSum features;
    const double members = static_cast<double>(pass.counts[cluster]);
    for (std::size_t j = 0; members > 0 && j < d; j++) {
      const std::size_t at = cluster * d + j;
      const double centre = centroids[at] - moments.mean[j];
      features.add(centre * (members * centre - 2 * (pass.sums[at] - members * moments.mean[j])));
    }
    clusters.add(features.total());
  }
  return std::max(0.0, moments.squares + clusters.total());
}

template <class Real>
double squared_distance(const Real* point, const Real* centroid, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) {
    const double difference = static_cast<double>(point[j]) - static_cast<double>(centroid[j]);
    sum += difference * difference;
  }
  return sum;
}

template Moments moments_of(const PointsOf<float>&);
template Moments moments_of(const PointsOf<double>&);
template double inertia_from_sums(const Moments&, const float*, const PassResult&);
template double inertia_from_sums(const Moments&, const double*, const PassResult&);
template double squared_distance(const float*, const float*, std::size_t);
template double squared_distance(const double*, const double*, std::size_t);

}  // namespace centroid_lab

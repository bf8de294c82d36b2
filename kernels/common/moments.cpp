#include "moments.hpp"

#include <algorithm>
#include <cmath>

#include "lane_sum.hpp"
#include "parts/in_order.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t block_points = 1024;

std::size_t block_count(std::size_t n) { return (n + block_points - 1) / block_points; }

/// Calls visit(first, last) for each block of points.
template <class Visit>
void for_each_block(std::size_t n, Visit visit) {
  for (std::size_t first = 0; first < n; first += block_points) visit(first, std::min(n, first + block_points));
}

/// (blocks, d) sums of each block.
template <class Real>
std::vector<double> sums_of_blocks(const PointsOf<Real>& points) {
  const std::size_t d = points.d;
  std::vector<double> blocks(block_count(points.n) * d, 0.0);
  for_each_block(points.n, [&](std::size_t first, std::size_t last) {
    double* const block = blocks.data() + first / block_points * d;
    for (std::size_t i = first; i < last; i++) {
      const Real* row = points.row(i);
      for (std::size_t j = 0; j < d; j++) block[j] += row[j];
    }
  });
  return blocks;
}

/// (blocks) sums of squares about `mean`.
template <class Real>
std::vector<double> squares_of_blocks(const PointsOf<Real>& points, const std::vector<double>& mean) {
  std::vector<double> blocks(block_count(points.n), 0.0);
  for_each_block(points.n, [&](std::size_t first, std::size_t last) {
    double block = 0;
    for (std::size_t i = first; i < last; i++) {
      const Real* row = points.row(i);
      for (std::size_t j = 0; j < points.d; j++) {
        const double difference = row[j] - mean[j];
        block += difference * difference;
      }
    }
    blocks[first / block_points] = block;
  });
  return blocks;
}

/// (size) of blocks (blocks, size), added up in the order of the rows.
std::vector<double> added_up(const std::vector<double>& blocks, std::size_t size, ProcessGroup* group) {
  std::vector<double> all(size, 0.0);
  const CancelFlag never{false};
  in_order(group, all, never, [&](std::vector<double>& sums) {
    for (std::size_t at = 0; at < blocks.size(); at++) sums[at % size] += blocks[at];
  });
  return all;
}

}  // namespace

template <class Real>
Moments moments_of(const PointsOf<Real>& points, ProcessGroup* group) {
  Moments moments;
  moments.mean = added_up(sums_of_blocks(points), points.d, group);
  for (double& value : moments.mean) value /= static_cast<double>(points.whole_n());
  moments.squares = added_up(squares_of_blocks(points, moments.mean), 1, group).front();
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

template Moments moments_of(const PointsOf<float>&, ProcessGroup*);
template Moments moments_of(const PointsOf<double>&, ProcessGroup*);
template double inertia_from_sums(const Moments&, const float*, const PassResult&);
template double inertia_from_sums(const Moments&, const double*, const PassResult&);
template double squared_distance(const float*, const float*, std::size_t);
template double squared_distance(const double*, const double*, std::size_t);

}  // namespace centroid_lab

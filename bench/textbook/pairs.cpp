// Textbook k-means over pairs of doubles, one thread: what `sequential` is measured against at d = 2. See README.md.
#include <cstddef>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <vector>

#include "input.hpp"

namespace {

struct Pair {
  double x = 0;
  double y = 0;
};

double squared_distance(const Pair& a, const Pair& b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  return x * x + y * y;
}

void assign(const std::vector<Pair>& points, const std::vector<Pair>& centroids, std::vector<std::size_t>& labels) {
  for (std::size_t point = 0; point < points.size(); ++point) {
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t nearest = 0;
    for (std::size_t cluster = 0; cluster < centroids.size(); ++cluster) {
      const double distance = squared_distance(points[point], centroids[cluster]);
      if (distance < smallest) {
        smallest = distance;
        nearest = cluster;
      }
    }
    labels[point] = nearest;
  }
}

/// A cluster without members keeps its centroid.
void update(const std::vector<Pair>& points, const std::vector<std::size_t>& labels, std::vector<Pair>& centroids) {
  std::vector<Pair> sums(centroids.size());
  std::vector<std::size_t> counts(centroids.size(), 0);
  for (std::size_t point = 0; point < points.size(); ++point) {
    const std::size_t cluster = labels[point];
    sums[cluster].x += points[point].x;
    sums[cluster].y += points[point].y;
    counts[cluster] += 1;
  }
  for (std::size_t cluster = 0; cluster < centroids.size(); ++cluster) {
    if (counts[cluster] == 0) continue;
    const double members = static_cast<double>(counts[cluster]);
    centroids[cluster] = {sums[cluster].x / members, sums[cluster].y / members};
  }
}

std::vector<Pair> pairs_of(const std::vector<float>& values) {
  std::vector<Pair> pairs(values.size() / 2);
  for (std::size_t at = 0; at < pairs.size(); ++at) pairs[at] = {values[2 * at], values[2 * at + 1]};
  return pairs;
}

void cluster(const Input& input) {
  if (input.d != 2) throw std::runtime_error("pairs have 2 coordinates, not " + std::to_string(input.d));
  const std::vector<Pair> points = pairs_of(input.points);
  std::vector<Pair> centroids = pairs_of(input.centroids);
  std::vector<std::size_t> labels(points.size());
  const std::clock_t began = std::clock();
  for (int iteration = 0; iteration < input.iterations; ++iteration) {
    assign(points, centroids, labels);
    update(points, labels, centroids);
  }
  const std::clock_t taken = std::clock() - began;
  std::vector<double> result;
  for (const Pair& centroid : centroids) result.insert(result.end(), {centroid.x, centroid.y});
  print_result(taken, input.iterations, result);
}

}  // namespace

int main(int count, char** arguments) { return run_program(count, arguments, cluster); }

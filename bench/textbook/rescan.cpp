// Textbook k-means in any number of dimensions, one thread: assignment, then for each cluster a rescan of all points.
// What `sequential` is measured against beside pairs.cpp. See README.md.
#include <cstddef>
#include <ctime>
#include <limits>
#include <vector>

#include "input.hpp"

namespace {

float squared_distance(const float* point, const float* centroid, std::size_t d) {
  float sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const float difference = point[j] - centroid[j];
    sum += difference * difference;
  }
  return sum;
}

void assign(const Input& input, const std::vector<float>& centroids, std::vector<int>& labels) {
  for (std::size_t point = 0; point < input.n; ++point) {
    float smallest = std::numeric_limits<float>::infinity();
    int nearest = 0;
    for (std::size_t cluster = 0; cluster < input.k; ++cluster) {
      const float distance = squared_distance(&input.points[point * input.d], &centroids[cluster * input.d], input.d);
      if (distance < smallest) {
        smallest = distance;
        nearest = static_cast<int>(cluster);
      }
    }
    labels[point] = nearest;
  }
}

/// The mean of one cluster's members, by a look at every point; without members the centroid stays.
void update(const Input& input, const std::vector<int>& labels, int cluster, std::vector<double>& sums,
            float* centroid) {
  std::size_t members = 0;
  for (double& sum : sums) sum = 0;
  for (std::size_t point = 0; point < input.n; ++point) {
    if (labels[point] != cluster) continue;
    members += 1;
    for (std::size_t j = 0; j < input.d; ++j) sums[j] += input.points[point * input.d + j];
  }
  if (members == 0) return;
  for (std::size_t j = 0; j < input.d; ++j) centroid[j] = static_cast<float>(sums[j] / static_cast<double>(members));
}

void cluster(const Input& input) {
  std::vector<float> centroids = input.centroids;
  std::vector<int> labels(input.n);
  std::vector<double> sums(input.d);
  const std::clock_t began = std::clock();
  for (int iteration = 0; iteration < input.iterations; ++iteration) {
    assign(input, centroids, labels);
    for (std::size_t each = 0; each < input.k; ++each) {
      update(input, labels, static_cast<int>(each), sums, &centroids[each * input.d]);
    }
  }
  print_result(std::clock() - began, input.iterations, centroids);
}

}  // namespace

int main(int count, char** arguments) { return run_program(count, arguments, cluster); }

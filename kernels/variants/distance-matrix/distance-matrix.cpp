// `distance-matrix`: all n k distances stored, then argmin, then atomic sums. See README.md.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "fixed_point.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

class DistanceMatrix final : public TwoPhase {
 public:
  DistanceMatrix(const Points& points, std::size_t k, const Machine& machine)
      : TwoPhase(points, k), team_(static_cast<int>(machine.threads)), fixed_(points),
        distances_(std::make_unique_for_overwrite<float[]>(points.n * k)) {
    initialise_matrix();
  }

 private:
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    return fill_distances(centroids, cancel) && take_nearest(labels, cancel, changed);
  }

  /// Every page of the matrix is touched first by the thread that will write it, and before anything is timed.
  void initialise_matrix() {
#pragma omp parallel for num_threads(team_) schedule(static)
    for (std::int64_t i = 0; i < size(); i++) std::fill_n(row_of(i), k_, 0.0F);
  }

  /// Distances (n, k), direct difference form in float32. The row of a dropped cluster is NaN, and so are its
  /// distances. A loop cannot be left, so points are skipped when cancelled.
  bool fill_distances(const float* centroids, const CancelFlag& cancel) {
#pragma omp parallel for num_threads(team_) schedule(static)
    for (std::int64_t i = 0; i < size(); i++) {
      if (cancel.load(std::memory_order_relaxed)) continue;
      const float* point = points_.row(static_cast<std::size_t>(i));
      float* distances = row_of(i);
      for (std::size_t cluster = 0; cluster < k_; cluster++) {
        distances[cluster] = squared_distance(point, centroids + cluster * points_.d);
      }
    }
    return !cancel.load(std::memory_order_relaxed);
  }

  float squared_distance(const float* point, const float* centroid) const {
    float distance = 0;
    for (std::size_t j = 0; j < points_.d; j++) {
      const float difference = point[j] - centroid[j];
      distance += difference * difference;
    }
    return distance;
  }

  /// Argmin of every row of the matrix; `changed` counts labels that were others before.
  bool take_nearest(std::int32_t* labels, const CancelFlag& cancel, std::int64_t& changed) {
    std::int64_t different = 0;
#pragma omp parallel for num_threads(team_) schedule(guided) reduction(+ : different)
    for (std::int64_t i = 0; i < size(); i++) {
      if (cancel.load(std::memory_order_relaxed)) continue;
      const std::int32_t nearest = smallest_of(row_of(i));
      different += nearest != labels[i];
      labels[i] = nearest;
    }
    changed = different;
    return !cancel.load(std::memory_order_relaxed);
  }

  /// Lowest index of the smallest distance. NaN takes no part; the first number is the first candidate: no sentinel.
  std::int32_t smallest_of(const float* distances) const {
    std::size_t nearest = 0;
    while (nearest + 1 < k_ && std::isnan(distances[nearest])) nearest++;
    for (std::size_t cluster = nearest + 1; cluster < k_; cluster++) {
      if (distances[cluster] < distances[nearest]) nearest = cluster;
    }
    return static_cast<std::int32_t>(nearest);
  }

  /// Integer sums shared by all threads: whichever comes first, the total is the same.
  void sum_members(PassResult& result) override {
    total_.reset(k_, points_.d);
#pragma omp parallel for num_threads(team_) schedule(static)
    for (std::int64_t i = 0; i < size(); i++) add_point(static_cast<std::size_t>(i));
    total_.store(fixed_, result);
  }

  void add_point(std::size_t point) {
    const std::size_t label = static_cast<std::size_t>(labels_[point]);
    const float* row = points_.row(point);
    const float* scale = fixed_.scale();
    std::int64_t* sums = total_.sums.data() + label * points_.d;
    std::int64_t& count = total_.counts[label];
#pragma omp atomic
    count++;
    for (std::size_t j = 0; j < points_.d; j++) {
      const std::int64_t value = to_fixed(row[j], scale[j]);
#pragma omp atomic
      sums[j] += value;
    }
  }

  float* row_of(std::int64_t point) { return distances_.get() + static_cast<std::size_t>(point) * k_; }

  std::int64_t size() const { return static_cast<std::int64_t>(points_.n); }

  int team_;
  FixedPoint fixed_;
  /// (n, k) row-major.
  std::unique_ptr<float[]> distances_;
  ExactSums total_;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<DistanceMatrix>(points, k, machine);
}

}  // namespace

CpuRegime distance_matrix_as_studied() { return {"distance-matrix", as_studied, make}; }

}  // namespace centroid_lab

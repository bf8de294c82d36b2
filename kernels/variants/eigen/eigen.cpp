// `eigen`: whole-matrix expressions, each column of the points replicated k times. See README.md.
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fixed_point.hpp"
#include "nearest.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

/// Row by row, as the points come and as the argmin walks: by columns, k = 5000 took five times as long.
using Matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

class EigenExpressions final : public TwoPhase {
 public:
  EigenExpressions(const Points& points, std::size_t k)
      : TwoPhase(points, k), fixed_(points), distances_(size(), static_cast<Index>(k)) {
    const Eigen::Map<const Matrix> x(points.x, size(), static_cast<Index>(points.d));
    replicas_.reserve(points.d);
    for (Index j = 0; j < x.cols(); j++) replicas_.emplace_back(x.col(j).replicate(1, static_cast<Index>(k)));
  }

 private:
  /// The expressions over the rows of one block after another, so that the cancel flag is looked at in between.
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    take_in_play(centroids);
    const std::size_t step = points_per_look(k_, points_.d);
    changed = 0;
    for (std::size_t first = 0; first < points_.n; first += step) {
      if (cancel.load(std::memory_order_relaxed)) return false;
      const std::size_t count = std::min(step, points_.n - first);
      fill_distances(static_cast<Index>(first), static_cast<Index>(count));
      for (std::size_t i = first; i < first + count; i++) {
        const std::int32_t nearest = nearest_of_row(static_cast<Index>(i));
        changed += nearest != labels[i];
        labels[i] = nearest;
      }
    }
    return true;
  }

  /// Centroids without the rows of dropped clusters (NaN): what Eigen's minimum makes of NaN is not defined.
  void take_in_play(const float* centroids) {
    const Eigen::Map<const Matrix> all(centroids, static_cast<Index>(k_), static_cast<Index>(points_.d));
    clusters_.clear();
    for (std::size_t cluster = 0; cluster < k_; cluster++) {
      if (!std::isnan(all(static_cast<Index>(cluster), 0))) clusters_.push_back(static_cast<std::int32_t>(cluster));
    }
    in_play_.resize(static_cast<Index>(clusters_.size()), all.cols());
    for (Index at = 0; at < in_play_.rows(); at++) in_play_.row(at) = all.row(clusters_[static_cast<std::size_t>(at)]);
  }

  /// Squared distances of `count` points to all centroids in play, direct difference form.
  void fill_distances(Index first, Index count) {
    const Index k = in_play_.rows();
    auto distances = distances_.block(first, 0, count, k);
    const auto squares = [&](Index j) {
      const auto coordinates = replicas_[static_cast<std::size_t>(j)].block(first, 0, count, k);
      return (coordinates.rowwise() - in_play_.col(j).transpose()).square();
    };
    distances = squares(0);
    for (Index j = 1; j < in_play_.cols(); j++) distances += squares(j);
  }

  /// Clusters in play stand in the order of their index, so the first of equal minima is the lowest.
  std::int32_t nearest_of_row(Index point) const {
    Index nearest = 0;
    distances_.row(point).head(in_play_.rows()).minCoeff(&nearest);
    return clusters_[static_cast<std::size_t>(nearest)];
  }

  void sum_members(PassResult& result) override {
    total_.reset(k_, points_.d);
    const float* scale = fixed_.scale();
    for (std::size_t i = 0; i < points_.n; i++) {
      const std::size_t label = static_cast<std::size_t>(labels_[i]);
      const float* row = points_.row(i);
      std::int64_t* sums = total_.sums.data() + label * points_.d;
      total_.counts[label]++;
      for (std::size_t j = 0; j < points_.d; j++) sums[j] += to_fixed(row[j], scale[j]);
    }
    total_.store(fixed_, result);
  }

  Index size() const { return static_cast<Index>(points_.n); }

  FixedPoint fixed_;
  /// d times (n, k): column c of replica j is feature j of all points.
  std::vector<Matrix> replicas_;
  /// (n, k), of which as many columns are used as clusters are in play.
  Matrix distances_;
  /// (clusters in play, d) and their indices.
  Matrix in_play_;
  std::vector<std::int32_t> clusters_;
  ExactSums total_;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine&) {
  return std::make_unique<EigenExpressions>(points, k);
}

}  // namespace

CpuRegime eigen_as_studied() { return {"eigen", as_studied, make}; }

}  // namespace centroid_lab

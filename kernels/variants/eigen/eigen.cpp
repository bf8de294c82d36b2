// `eigen`: whole-matrix expressions, each column of the points replicated k times. See README.md.
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fixed_point.hpp"
#include "known_features.hpp"
#include "nearest.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

/// Row by row, as the points come and as the argmin walks.
using Matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

/// `squares(0) + ... + squares(D - 1)`, in this order: an expression, of which nothing is stored.
template <Index D, class Squares>
auto sum_of(const Squares& squares) {
  if constexpr (D == 1) return squares(0);
  else return sum_of<D - 1>(squares) + squares(D - 1);
}

class EigenExpressions final : public TwoPhase {
 public:
  EigenExpressions(const Points& points, std::size_t k) : TwoPhase(points, k), fixed_(points) {
    if (points.d > max_known_features) return;
    replicas_.reserve(points.d);
    for (Index j = 0; j < features(); j++) replicas_.emplace_back(rows().col(j).replicate(1, static_cast<Index>(k)));
  }

 private:
  bool label_all(const float* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    take_in_play(centroids);
    return with_known_features(points_.d, [&](auto d) {
      if constexpr (d == 0) return label_by_points(cancel, labels, changed);
      else return label_replicated<static_cast<Index>(d)>(cancel, labels, changed);
    });
  }

  /// Centroids without the rows of dropped clusters (NaN): what Eigen's minimum makes of NaN is not defined.
  void take_in_play(const float* centroids) {
    const Eigen::Map<const Matrix> all(centroids, static_cast<Index>(k_), features());
    clusters_.clear();
    for (std::size_t cluster = 0; cluster < k_; cluster++) {
      if (!std::isnan(all(static_cast<Index>(cluster), 0))) clusters_.push_back(static_cast<std::int32_t>(cluster));
    }
    in_play_.resize(features(), static_cast<Index>(clusters_.size()));
    for (Index at = 0; at < in_play_.cols(); at++) {
      in_play_.col(at) = all.row(clusters_[static_cast<std::size_t>(at)]).transpose();
    }
  }

  /// All distances as one expression over the replicas; a row of it is computed when its smallest is asked for.
  template <Index D>
  bool label_replicated(const CancelFlag& cancel, std::int32_t* labels, std::int64_t& changed) const {
    const auto squares = [this](Index j) {
      const auto coordinates = replicas_[static_cast<std::size_t>(j)].leftCols(in_play_.cols());
      return (coordinates.rowwise() - in_play_.row(j)).square();
    };
    const auto distances = sum_of<D>(squares);
    return label_each(cancel, labels, changed, [&](Index i, Index* nearest) { distances.row(i).minCoeff(nearest); });
  }

  /// Any number of features: the expression itself takes a point once for every centroid.
  bool label_by_points(const CancelFlag& cancel, std::int32_t* labels, std::int64_t& changed) const {
    const auto x = rows();
    return label_each(cancel, labels, changed, [&](Index i, Index* nearest) {
      (in_play_.colwise() - x.row(i).transpose()).square().colwise().sum().minCoeff(nearest);
    });
  }

  /// Clusters in play stand in the order of their index, so the first of equal minima is the lowest.
  template <class Argmin>
  bool label_each(const CancelFlag& cancel, std::int32_t* labels, std::int64_t& changed, const Argmin& argmin) const {
    const std::size_t step = points_per_look(k_, points_.d);
    changed = 0;
    for (std::size_t i = 0; i < points_.n; i++) {
      if (i % step == 0 && cancel.load(std::memory_order_relaxed)) return false;
      Index nearest = 0;
      argmin(static_cast<Index>(i), &nearest);
      const std::int32_t label = clusters_[static_cast<std::size_t>(nearest)];
      changed += label != labels[i];
      labels[i] = label;
    }
    return true;
  }

  void sum_members(PassResult& result) override {
    total_.reset(k_, points_.d);
    with_known_features(points_.d, [&](auto d) { add_rows(Features<d>(points_.d)); });
    total_.store(fixed_, result);
  }

  template <std::size_t D>
  void add_rows(Features<D> number) {
    const std::size_t d = number.count();
    const float* scale = fixed_.scale();
    for (std::size_t i = 0; i < points_.n; i++) {
      const std::size_t label = static_cast<std::size_t>(labels_[i]);
      const float* row = points_.x + i * d;
      std::int64_t* sums = total_.sums.data() + label * d;
      total_.counts[label]++;
      for (std::size_t j = 0; j < d; j++) sums[j] += to_fixed(row[j], scale[j]);
    }
  }

  Eigen::Map<const Matrix> rows() const {
    return Eigen::Map<const Matrix>(points_.x, static_cast<Index>(points_.n), features());
  }

  Index features() const { return static_cast<Index>(points_.d); }

  FixedPoint fixed_;
  /// d times (n, k): column c of replica j is feature j of all points. None above `max_known_features`.
  std::vector<Matrix> replicas_;
  /// (d, clusters in play) and their indices.
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

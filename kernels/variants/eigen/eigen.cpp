// `eigen`: whole-matrix expressions, each column of the points replicated k times, in float32 or float64. See README.md.
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <vector>

#include "known_features.hpp"
#include "nearest.hpp"
#include "sum_rows.hpp"
#include "two_phase.hpp"

namespace centroid_lab {
namespace {

/// Row by row, as the points come and as the argmin walks.
template <class Real>
using MatrixOf = Eigen::Array<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

/// `squares(0) + ... + squares(D - 1)`, in this order: an expression, of which nothing is stored.
template <Index D, class Squares>
auto sum_of(const Squares& squares) {
  if constexpr (D == 1) return squares(0);
  else return sum_of<D - 1>(squares) + squares(D - 1);
}

template <class Real>
class EigenExpressions final : public TwoPhaseOf<Real> {
 public:
  EigenExpressions(const PointsOf<Real>& points, std::size_t k) : TwoPhaseOf<Real>(points, k) {}

 private:
  using Matrix = MatrixOf<Real>;
  using Row = Eigen::Array<Real, 1, Eigen::Dynamic, Eigen::RowMajor>;
  using TwoPhaseOf<Real>::points_;
  using TwoPhaseOf<Real>::k_;
  using TwoPhaseOf<Real>::labels_;

  bool label_all(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels,
                 std::int64_t& changed) override {
    take_in_play(centroids);
    return with_known_features(points_.d, [&](auto d) {
      if constexpr (d == 0) return label_by_points(cancel, labels, changed);
      else return this->template label_replicated<static_cast<Index>(d)>(cancel, labels, changed);
    });
  }

  /// Centroids without the rows of dropped clusters (NaN): what Eigen's minimum makes of NaN is not defined.
  void take_in_play(const Real* centroids) {
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

  /// The distances of a point as one expression: its row of the replicated columns, one number k times for each feature, is never
  /// stored, nor is anything made of it.
  template <Index D>
  bool label_replicated(const CancelFlag& cancel, std::int32_t* labels, std::int64_t& changed) const {
    const auto x = rows();
    return label_each(cancel, labels, changed, [&](Index i, Index* nearest) {
      const auto squares = [&](Index j) {
        return (Row::Constant(in_play_.cols(), x(i, j)) - in_play_.row(j)).square();
      };
      sum_of<D>(squares).minCoeff(nearest);
    });
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

  void sum_members(PassResult& result) override { sum_rows(points_, labels_, k_, result); }

  Eigen::Map<const Matrix> rows() const {
    return Eigen::Map<const Matrix>(points_.x, static_cast<Index>(points_.n), features());
  }

  Index features() const { return static_cast<Index>(points_.d); }

  /// (d, clusters in play) and their indices.
  Matrix in_play_;
  std::vector<std::int32_t> clusters_;
};

template <class Real>
std::unique_ptr<VariantOf<Real>> make(const PointsOf<Real>& points, std::size_t k, const Machine&) {
  return std::make_unique<EigenExpressions<Real>>(points, k);
}

}  // namespace

CpuRegime eigen_as_studied() {
  return {.variant = "eigen", .name = as_studied, .make = make<float>, .make_float64 = make<double>};
}

}  // namespace centroid_lab

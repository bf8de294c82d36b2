#include "empty_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "exact_order.hpp"
#include "fixed_point.hpp"
#include "moments.hpp"

namespace centroid_lab {
namespace {

struct Candidate {
  double distance;
  std::size_t point;
};

/// Points by falling distance to their own centroid, exactly where they are float32; the lowest index first among equals.
template <class Real>
class Order {
 public:
  Order(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, const Real* centroids)
      : points_(points), labels_(labels), centroids_(centroids),
        // Of float64 squares, each of which is off by (d + 3) 2^-53 of itself.
        margin_(4 * (static_cast<double>(points.d) + 4) * 0x1p-53) {}

  /// As a max-heap has it.
  bool operator()(const Candidate& a, const Candidate& b) const {
    const int order = compare(a, b);
    return order != 0 ? order < 0 : a.point > b.point;
  }

  const Real* own(std::size_t point) const {
    return centroids_ + static_cast<std::size_t>(labels_[point]) * points_.d;
  }

 private:
  int compare(const Candidate& a, const Candidate& b) const {
    const double difference = a.distance - b.distance;
    if constexpr (std::is_same_v<Real, float>) {
      if (std::abs(difference) <= margin_ * std::max(a.distance, b.distance)) {
        return exact_order(points_.row(a.point), own(a.point), points_.row(b.point), own(b.point), points_.d);
      }
    }
    return difference < 0 ? -1 : difference > 0 ? 1 : 0;
  }

  const PointsOf<Real>& points_;
  const std::vector<std::int32_t>& labels_;
  const Real* centroids_;
  double margin_;
};

template <class Real>
std::vector<Candidate> candidates_of(const PointsOf<Real>& points, const Order<Real>& order) {
  std::vector<Candidate> heap(points.n);
  for (std::size_t i = 0; i < points.n; i++) heap[i] = {squared_distance(points.row(i), order.own(i), points.d), i};
  std::make_heap(heap.begin(), heap.end(), order);
  return heap;
}

/// Of each point that goes, the cluster that takes it, in the order in which they go.
struct Move {
  std::size_t point;
  std::size_t donor;
  std::size_t taker;
};

template <class Real>
std::vector<Move> choose_moves(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, const Order<Real>& order,
                               std::vector<std::int64_t>& counts) {
  std::vector<Move> moves;
  std::vector<Candidate> heap = candidates_of(points, order);
  for (std::size_t taker = 0; taker < counts.size(); taker++) {
    if (counts[taker] > 0) continue;
    // A donor only ever loses members, so a candidate that is refused once is refused for good.
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), order);
      const std::size_t point = heap.back().point;
      heap.pop_back();
      const auto donor = static_cast<std::size_t>(labels[point]);
      if (counts[donor] < 2) continue;
      counts[donor]--;
      counts[taker] = 1;
      moves.push_back({point, donor, taker});
      break;
    }
  }
  return moves;
}

/// Sums of the donors without what left them: float64 of the whole numbers (fixed_point.hpp) of the members that stay.
void set_donor_sums(const Points& points, const std::vector<std::int32_t>& labels, const std::vector<Move>& moves,
                    std::vector<double>& sums) {
  const std::size_t d = points.d;
  const FixedPoint fixed(points);
  std::vector<std::int64_t> whole(sums.size());
  std::vector<std::uint8_t> gave(sums.size() / d);
  for (const Move& move : moves) gave[move.donor] = 1;
  for (std::size_t i = 0; i < points.n; i++) {
    const auto cluster = static_cast<std::size_t>(labels[i]);
    if (gave[cluster] == 0) continue;
    for (std::size_t j = 0; j < d; j++) whole[cluster * d + j] += to_fixed(points.row(i)[j], fixed.scale()[j]);
  }
  for (const Move& move : moves) {
    const float* row = points.row(move.point);
    for (std::size_t j = 0; j < d; j++) whole[move.donor * d + j] -= to_fixed(row[j], fixed.scale()[j]);
  }
  for (const Move& move : moves) {
    const std::size_t at = move.donor * d;
    for (std::size_t j = 0; j < d; j++) sums[at + j] = static_cast<double>(whole[at + j]) * fixed.unit(j);
  }
}

void set_donor_sums(const PointsOf<double>& points, const std::vector<std::int32_t>&, const std::vector<Move>& moves,
                    std::vector<double>& sums) {
  for (const Move& move : moves) {
    const double* row = points.row(move.point);
    for (std::size_t j = 0; j < points.d; j++) sums[move.donor * points.d + j] -= row[j];
  }
}

}  // namespace

template <class Real>
void fill_with_farthest(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, const Real* centroids,
                        PassResult& pass) {
  const Order<Real> order(points, labels, centroids);
  const std::vector<Move> moves = choose_moves(points, labels, order, pass.counts);
  set_donor_sums(points, labels, moves, pass.sums);
  for (const Move& move : moves) {
    const Real* row = points.row(move.point);
    std::copy_n(row, points.d, pass.sums.begin() + static_cast<std::ptrdiff_t>(move.taker * points.d));
  }
}

template void fill_with_farthest(const PointsOf<float>&, const std::vector<std::int32_t>&, const float*, PassResult&);
template void fill_with_farthest(const PointsOf<double>&, const std::vector<std::int32_t>&, const double*, PassResult&);

}  // namespace centroid_lab

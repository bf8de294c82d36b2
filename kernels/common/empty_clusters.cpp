#include "empty_clusters.hpp"

#include <algorithm>

#include "moments.hpp"

namespace centroid_lab {
namespace {

struct Candidate {
  double distance;
  std::size_t point;
};

/// Order of a max-heap: farthest first, lowest index among equals.
bool comes_later(const Candidate& a, const Candidate& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.point > b.point;
}

template <class Real>
std::vector<Candidate> candidates_of(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels,
                                     const Real* centroids) {
  std::vector<Candidate> heap(points.n);
  for (std::size_t i = 0; i < points.n; i++) {
    const Real* own = centroids + static_cast<std::size_t>(labels[i]) * points.d;
    heap[i] = {squared_distance(points.row(i), own, points.d), i};
  }
  std::make_heap(heap.begin(), heap.end(), comes_later);
  return heap;
}

template <class Real>
void move_point(const PointsOf<Real>& points, std::size_t point, std::size_t donor, std::size_t taker, PassResult& pass) {
  const Real* row = points.row(point);
  for (std::size_t j = 0; j < points.d; j++) {
    pass.sums[donor * points.d + j] -= row[j];
    pass.sums[taker * points.d + j] = row[j];
  }
  pass.counts[donor]--;
  pass.counts[taker] = 1;
}

}  // namespace

template <class Real>
void fill_with_farthest(const PointsOf<Real>& points, const std::vector<std::int32_t>& labels, const Real* centroids,
                        PassResult& pass) {
  std::vector<Candidate> heap = candidates_of(points, labels, centroids);
  for (std::size_t taker = 0; taker < pass.counts.size(); taker++) {
    if (pass.counts[taker] > 0) continue;
    // A donor only ever loses members, so a candidate that is refused once is refused for good.
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), comes_later);
      const std::size_t point = heap.back().point;
      heap.pop_back();
      const std::size_t donor = static_cast<std::size_t>(labels[point]);
      if (pass.counts[donor] < 2) continue;
      move_point(points, point, donor, taker, pass);
      break;
    }
  }
}

template void fill_with_farthest(const PointsOf<float>&, const std::vector<std::int32_t>&, const float*, PassResult&);
template void fill_with_farthest(const PointsOf<double>&, const std::vector<std::int32_t>&, const double*, PassResult&);

}  // namespace centroid_lab

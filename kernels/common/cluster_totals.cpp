#include "cluster_totals.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "machine.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

/// Points of a piece at least, also for each cluster; and pieces at most.
constexpr std::size_t points_of_piece = 4096;
constexpr std::size_t points_for_cluster = 4;
constexpr std::size_t max_pieces = 64;
/// Points whose distances are computed at once, before they are added up.
constexpr std::size_t points_at_once = 256;
/// Coordinates below which waking threads would take longer than the work.
constexpr std::size_t coordinates_for_threads = 100'000;

std::size_t pieces_for(std::size_t n, std::size_t k) {
  const std::size_t pieces = n / std::max(points_of_piece, points_for_cluster * k);
  return std::clamp(pieces, std::size_t{1}, max_pieces);
}

/// One piece's share. Room for all pieces is made before threads begin, for their tasks must not throw.
struct Piece {
  std::vector<double> sizes;
  std::vector<double> inertias;
  std::vector<double> distances;
};

/// Squared distances of `Together` neighbouring points side by side: each is a chain of additions that waits for itself.
template <std::size_t Together, class Real>
void square_rows(const Real* row, std::size_t d, const double* const* centroids, double* to) {
  double sums[Together] = {};
  for (std::size_t j = 0; j < d; j++) {
    for (std::size_t p = 0; p < Together; p++) {
      const double difference = static_cast<double>(row[p * d + j]) - centroids[p][j];
      sums[p] += difference * difference;
    }
  }
  for (std::size_t p = 0; p < Together; p++) to[p] = sums[p];
}

/// Squared distances of points first..last-1 to their centroids.
template <class Real>
void square_points(const LabelledPoints<Real>& of, std::size_t first, std::size_t last, double* to) {
  constexpr std::size_t together = 4;
  const auto centroid = [&](std::size_t i) { return of.centroids + static_cast<std::size_t>(of.labels[i]) * of.d; };
  std::size_t i = first;
  for (; i + together <= last; i += together) {
    const double* const centroids[together] = {centroid(i), centroid(i + 1), centroid(i + 2), centroid(i + 3)};
    square_rows<together>(of.x + i * of.d, of.d, centroids, to + (i - first));
  }
  for (; i < last; i++) {
    const double* const own[] = {centroid(i)};
    square_rows<1>(of.x + i * of.d, of.d, own, to + (i - first));
  }
}

/// @returns false where a label is no cluster.
bool are_clusters(const std::int32_t* labels, std::size_t count, std::size_t k) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; i++) largest = std::max(largest, static_cast<std::uint32_t>(labels[i]));
  return largest < k;
}

template <class Real>
bool add_piece(const LabelledPoints<Real>& of, std::size_t first, std::size_t last, Piece& piece) {
  double squares[points_at_once];
  for (std::size_t i = first; i < last; i += points_at_once) {
    const std::size_t end = std::min(last, i + points_at_once);
    if (!are_clusters(of.labels + i, end - i, of.k)) return false;
    square_points(of, i, end, squares);
    for (std::size_t p = i; p < end; p++) {
      const auto label = static_cast<std::size_t>(of.labels[p]);
      piece.sizes[label]++;
      piece.inertias[label] += squares[p - i];
    }
    if (piece.distances.empty()) continue;
    for (std::size_t p = i; p < end; p++) piece.distances[static_cast<std::size_t>(of.labels[p])] += std::sqrt(squares[p - i]);
  }
  return true;
}

}  // namespace

double ClusterTotals::inertia() const {
  double sum = 0;
  for (const double own : inertias) sum += own;
  return sum;
}

template <class Real>
bool cluster_totals(const LabelledPoints<Real>& labelled, std::size_t threads, const CancelFlag& cancel, ClusterTotals& to,
                    bool with_distances) {
  const std::size_t count = pieces_for(labelled.n, labelled.k);
  const std::vector<double> none(labelled.k);
  const std::vector<double> own = with_distances ? none : std::vector<double>();
  std::vector<Piece> pieces(count, {none, none, own});
  const bool is_small = labelled.n * labelled.d < coordinates_for_threads;
  ThreadPool pool(is_small ? 1 : std::min(threads, count));
  std::atomic<bool> fit{true};
  const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at++) {
      const bool mine = add_piece(labelled, at * labelled.n / count, (at + 1) * labelled.n / count, pieces[at]);
      if (!mine) fit.store(false, std::memory_order_relaxed);
    }
  };
  const auto stopped = [&] { return cancel.load(std::memory_order_relaxed) || !fit.load(std::memory_order_relaxed); };
  if (!pool.share(count, 1, visit, stopped) || !fit.load(std::memory_order_relaxed)) return false;
  to.sizes = none;
  to.inertias = none;
  to.distances = own;
  for (const Piece& piece : pieces) {
    for (std::size_t cluster = 0; cluster < labelled.k; cluster++) {
      to.sizes[cluster] += piece.sizes[cluster];
      to.inertias[cluster] += piece.inertias[cluster];
      if (with_distances) to.distances[cluster] += piece.distances[cluster];
    }
  }
  return true;
}

template <class Real>
double inertia_of_labels(const PointsOf<Real>& points, const Real* centroids, std::size_t k,
                         const std::int32_t* labels, const CancelFlag& cancel) {
  const std::vector<double> wide(centroids, centroids + k * points.d);
  ClusterTotals totals;
  const LabelledPoints<Real> labelled{points.x, points.n, points.d, labels, wide.data(), k};
  return cluster_totals(labelled, thread_count(), cancel, totals) ? totals.inertia() : -1;
}

template bool cluster_totals(const LabelledPoints<float>&, std::size_t, const CancelFlag&, ClusterTotals&, bool);
template double inertia_of_labels(const PointsOf<float>&, const float*, std::size_t, const std::int32_t*,
                                  const CancelFlag&);
template double inertia_of_labels(const PointsOf<double>&, const double*, std::size_t, const std::int32_t*,
                                  const CancelFlag&);

}  // namespace centroid_lab

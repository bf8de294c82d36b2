#include "empty_clusters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

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
    // Squares of differences of float32 do not vanish in float64: both are where their centroids are.
    if (a.distance == 0 && b.distance == 0) return 0;
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

/// A point that a process offers, as it is told to the others.
struct Offer {
  std::size_t row = 0;
  std::size_t donor = 0;
  std::vector<float> x;
};

/// The processes' points for the empty clusters: who offers what is farthest gives it.
class FarthestOfAll {
 public:
  FarthestOfAll(const Points& points, std::size_t first, const std::vector<std::int32_t>& labels, const float* centroids,
                ProcessGroup& group, const CancelFlag& cancel)
      : points_(points), first_(first), labels_(labels), centroids_(centroids), group_(group), cancel_(cancel),
        order_(points, labels, centroids), heap_(candidates_of(points, order_)) {}

  /// The point that goes next; nothing where none may. @returns false when cancelled
  bool next(const std::vector<std::int64_t>& counts, std::optional<Offer>& best) {
    refuse_last_members(counts);
    std::vector<std::int64_t> all(group_.size() * fields(), 0);
    if (!heap_.empty()) write(all.data() + group_.rank() * fields());
    if (!group_.sum(all.data(), all.size(), cancel_)) return false;
    best.reset();
    std::size_t giver = 0;
    for (std::size_t rank = 0; rank < group_.size(); rank++) {
      const std::int64_t* told = all.data() + rank * fields();
      if (told[0] == 0) continue;
      Offer offer = read(told);
      if (best && !is_farther(offer, *best)) continue;
      best = std::move(offer);
      giver = rank;
    }
    if (best && giver == group_.rank()) pop();
    return true;
  }

 private:
  std::size_t fields() const { return 3 + points_.d; }

  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), order_);
    heap_.pop_back();
  }

  /// A donor only ever loses members, so a candidate that is refused once is refused for good.
  void refuse_last_members(const std::vector<std::int64_t>& counts) {
    while (!heap_.empty() && counts[static_cast<std::size_t>(labels_[heap_.front().point])] < 2) pop();
  }

  void write(std::int64_t* to) const {
    const std::size_t point = heap_.front().point;
    to[0] = 1;
    to[1] = static_cast<std::int64_t>(first_ + point);
    to[2] = labels_[point];
    for (std::size_t j = 0; j < points_.d; j++) to[3 + j] = std::bit_cast<std::int32_t>(points_.row(point)[j]);
  }

  Offer read(const std::int64_t* from) const {
    Offer offer{static_cast<std::size_t>(from[1]), static_cast<std::size_t>(from[2]), {}};
    for (std::size_t j = 0; j < points_.d; j++) offer.x.push_back(std::bit_cast<float>(static_cast<std::int32_t>(from[3 + j])));
    return offer;
  }

  /// Offers come by rank, and so by row: of equals the earlier stays.
  bool is_farther(const Offer& a, const Offer& b) const {
    const std::size_t d = points_.d;
    return exact_order(a.x.data(), centroids_ + a.donor * d, b.x.data(), centroids_ + b.donor * d, d) > 0;
  }

  const Points& points_;
  const std::size_t first_;
  const std::vector<std::int32_t>& labels_;
  const float* centroids_;
  ProcessGroup& group_;
  const CancelFlag& cancel_;
  const Order<float> order_;
  std::vector<Candidate> heap_;
};

/// A point of any process that went to an empty cluster.
struct Gift {
  Offer offer;
  std::size_t taker;
};

/// As `set_donor_sums`, over all rows.
bool set_donor_sums(const Points& points, const std::vector<std::int32_t>& labels, const std::vector<Gift>& gifts,
                    ProcessGroup& group, const CancelFlag& cancel, std::vector<double>& sums) {
  const std::size_t d = points.d;
  const FixedPoint fixed(points);
  std::vector<std::int64_t> whole(sums.size());
  std::vector<std::uint8_t> gave(sums.size() / d);
  for (const Gift& gift : gifts) gave[gift.offer.donor] = 1;
  for (std::size_t i = 0; i < points.n; i++) {
    const auto cluster = static_cast<std::size_t>(labels[i]);
    if (gave[cluster] == 0) continue;
    for (std::size_t j = 0; j < d; j++) whole[cluster * d + j] += to_fixed(points.row(i)[j], fixed.scale()[j]);
  }
  if (!group.sum(whole.data(), whole.size(), cancel)) return false;
  for (const auto& [offer, taker] : gifts) {
    for (std::size_t j = 0; j < d; j++) whole[offer.donor * d + j] -= to_fixed(offer.x[j], fixed.scale()[j]);
  }
  for (const auto& [offer, taker] : gifts) {
    const std::size_t at = offer.donor * d;
    for (std::size_t j = 0; j < d; j++) sums[at + j] = static_cast<double>(whole[at + j]) * fixed.unit(j);
  }
  return true;
}

}  // namespace

bool fill_with_farthest_of_all(const Points& points, std::size_t first, const std::vector<std::int32_t>& labels,
                               const float* centroids, ProcessGroup& group, const CancelFlag& cancel, PassResult& pass) {
  FarthestOfAll farthest(points, first, labels, centroids, group, cancel);
  std::vector<Gift> gifts;
  for (std::size_t taker = 0; taker < pass.counts.size(); taker++) {
    if (pass.counts[taker] > 0) continue;
    std::optional<Offer> offer;
    if (!farthest.next(pass.counts, offer)) return false;
    if (!offer) break;
    pass.counts[offer->donor]--;
    pass.counts[taker] = 1;
    gifts.push_back({*std::move(offer), taker});
  }
  if (!set_donor_sums(points, labels, gifts, group, cancel, pass.sums)) return false;
  for (const auto& [offer, taker] : gifts) {
    std::copy_n(offer.x.data(), points.d, pass.sums.begin() + static_cast<std::ptrdiff_t>(taker * points.d));
  }
  return true;
}

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

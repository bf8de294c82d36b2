#include "cluster_totals.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "machine.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

/// Points of a block, the unit of float64 sums (kernels/contract.md), and blocks that wait to be added up.
constexpr std::size_t points_of_block = std::size_t{1} << 14;
constexpr std::size_t max_blocks = 64;
/// Bytes of blocks that wait for the sums of the processes before.
constexpr std::size_t waiting_bytes = std::size_t{1} << 28;
/// Points whose distances are computed at once, before they are added up.
constexpr std::size_t points_at_once = 256;
/// Coordinates below which waking threads would take longer than the work.
constexpr std::size_t coordinates_for_threads = 100'000;

/// One block's share. Room is made before threads begin, for their tasks must not throw.
struct Block {
  std::vector<double> sizes;
  std::vector<double> inertias;
  std::vector<double> distances;

  void clear() {
    for (auto* values : {&sizes, &inertias, &distances}) std::fill(values->begin(), values->end(), 0.0);
  }
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
bool add_block(const LabelledPoints<Real>& of, std::size_t first, std::size_t last, Block& block) {
  double squares[points_at_once];
  for (std::size_t i = first; i < last; i += points_at_once) {
    const std::size_t end = std::min(last, i + points_at_once);
    if (!are_clusters(of.labels + i, end - i, of.k)) return false;
    square_points(of, i, end, squares);
    for (std::size_t p = i; p < end; p++) {
      const auto label = static_cast<std::size_t>(of.labels[p]);
      block.sizes[label]++;
      block.inertias[label] += squares[p - i];
    }
    if (block.distances.empty()) continue;
    for (std::size_t p = i; p < end; p++) block.distances[static_cast<std::size_t>(of.labels[p])] += std::sqrt(squares[p - i]);
  }
  return true;
}

void add_up(const Block& block, ClusterTotals& to) {
  for (std::size_t cluster = 0; cluster < to.sizes.size(); cluster++) {
    to.sizes[cluster] += block.sizes[cluster];
    to.inertias[cluster] += block.inertias[cluster];
  }
  for (std::size_t cluster = 0; cluster < to.distances.size(); cluster++) to.distances[cluster] += block.distances[cluster];
}

/// The sums that processes before this one have, and what is made of them for those behind.
class TotalsOfAll {
 public:
  TotalsOfAll(ProcessGroup& group, const CancelFlag& cancel) : group_(group), cancel_(cancel) {}

  /// @returns false when cancelled, or where a label of another process is no cluster
  bool begin(ClusterTotals& to) {
    if (group_.rank() == 0) return true;
    std::vector<double> all(numbers(to));
    if (!group_.receive(all.data(), all.size() * sizeof(double), group_.rank() - 1, cancel_)) return false;
    unpack(all, to);
    return true;
  }

  bool end(bool fit, ClusterTotals& to) {
    std::vector<double> all = packed(to);
    // What is wrong here is not to be taken for right elsewhere.
    if (!fit) std::fill(all.begin(), all.end(), std::numeric_limits<double>::quiet_NaN());
    const std::size_t bytes = all.size() * sizeof(double);
    const std::size_t last = group_.size() - 1;
    if (group_.rank() < last && !group_.send(all.data(), bytes, group_.rank() + 1, cancel_)) return false;
    if (!group_.broadcast(all.data(), bytes, last, cancel_)) return false;
    unpack(all, to);
    return !std::isnan(to.sizes.front());
  }

 private:
  static std::size_t numbers(const ClusterTotals& of) { return of.sizes.size() + of.inertias.size() + of.distances.size(); }

  static std::vector<double> packed(const ClusterTotals& from) {
    std::vector<double> all;
    for (const auto* values : {&from.sizes, &from.inertias, &from.distances}) all.insert(all.end(), values->begin(), values->end());
    return all;
  }

  static void unpack(const std::vector<double>& all, ClusterTotals& to) {
    auto from = all.begin();
    for (auto* values : {&to.sizes, &to.inertias, &to.distances}) {
      const auto end = from + static_cast<std::ptrdiff_t>(values->size());
      std::copy(from, end, values->begin());
      from = end;
    }
  }

  ProcessGroup& group_;
  const CancelFlag& cancel_;
};

std::size_t blocks_at_once(std::size_t k, bool waits) {
  return waits ? std::max(max_blocks, waiting_bytes / (k * 3 * sizeof(double))) : max_blocks;
}

template <class Real>
bool own_totals(const LabelledPoints<Real>& labelled, std::size_t threads, const CancelFlag& cancel, ClusterTotals& to,
                TotalsOfAll* others, bool& begun) {
  const std::size_t count = (labelled.n + points_of_block - 1) / points_of_block;
  std::vector<Block> blocks(std::min(count, blocks_at_once(labelled.k, others != nullptr)), {to.sizes, to.inertias, to.distances});
  const bool is_small = labelled.n * labelled.d < coordinates_for_threads;
  ThreadPool pool(is_small ? 1 : std::min(threads, std::max<std::size_t>(count, 1)));
  std::atomic<bool> fit{true};
  const auto stopped = [&] { return cancel.load(std::memory_order_relaxed) || !fit.load(std::memory_order_relaxed); };
  for (std::size_t start = 0; start < count; start += blocks.size()) {
    const std::size_t here = std::min(blocks.size(), count - start);
    const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t at = first; at < last; at++) {
        const std::size_t begin = (start + at) * points_of_block;
        blocks[at].clear();
        const bool mine = add_block(labelled, begin, std::min(labelled.n, begin + points_of_block), blocks[at]);
        if (!mine) fit.store(false, std::memory_order_relaxed);
      }
    };
    if (!pool.share(here, 1, visit, stopped) || !fit.load(std::memory_order_relaxed)) return false;
    if (others != nullptr && start == 0) {
      begun = true;
      if (!others->begin(to)) return false;
    }
    for (std::size_t at = 0; at < here; at++) add_up(blocks[at], to);
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
                    bool with_distances, ProcessGroup* group) {
  to.sizes.assign(labelled.k, 0.0);
  to.inertias.assign(labelled.k, 0.0);
  to.distances.assign(with_distances ? labelled.k : 0, 0.0);
  bool begun = false;
  if (group == nullptr) return own_totals(labelled, threads, cancel, to, nullptr, begun);
  TotalsOfAll others(*group, cancel);
  const bool fit = own_totals(labelled, threads, cancel, to, &others, begun);
  if (!begun && !others.begin(to)) return false;
  return others.end(fit, to);
}

template <class Real>
double inertia_of_labels(const PointsOf<Real>& points, const Real* centroids, std::size_t k,
                         const std::int32_t* labels, const CancelFlag& cancel) {
  const std::vector<double> wide(centroids, centroids + k * points.d);
  ClusterTotals totals;
  const LabelledPoints<Real> labelled{points.x, points.n, points.d, labels, wide.data(), k};
  return cluster_totals(labelled, thread_count(), cancel, totals) ? totals.inertia() : -1;
}

template bool cluster_totals(const LabelledPoints<float>&, std::size_t, const CancelFlag&, ClusterTotals&, bool,
                             ProcessGroup*);
template double inertia_of_labels(const PointsOf<float>&, const float*, std::size_t, const std::int32_t*,
                                  const CancelFlag&);
template double inertia_of_labels(const PointsOf<double>&, const double*, std::size_t, const std::int32_t*,
                                  const CancelFlag&);

}  // namespace centroid_lab

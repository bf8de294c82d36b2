#include "verification.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "seeding/groups.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

/// Operations below which one thread does everything, and that a thread does between two looks at the cancel flag.
constexpr std::size_t work_at_once = std::size_t{1} << 18;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::size_t items_at_once(std::size_t work_of_item) { return work_at_once / work_of_item + 1; }

/// Of `count` items, with threads for no longer than that.
std::size_t threads_for(std::size_t threads, std::size_t count, std::size_t work_of_item) {
  return std::clamp<std::size_t>(count / items_at_once(work_of_item), 1, threads);
}

/// Calls visit(worker, first, last) for stretches of 0..count-1.
template <class Visit>
void share(std::size_t threads, std::size_t count, std::size_t work_of_item, const CancelFlag& cancel,
           const Visit& visit) {
  ThreadPool pool(threads_for(threads, count, work_of_item));
  pool.share(count, items_at_once(work_of_item), visit, [&] { return cancel.load(std::memory_order_relaxed); });
}

/// How many of 0..count-1 are as `is` says.
template <class Is>
std::size_t count_of(std::size_t threads, std::size_t count, std::size_t work_of_item, const CancelFlag& cancel,
                     const Is& is) {
  std::atomic<std::size_t> found{0};
  share(threads, count, work_of_item, cancel, [&](std::size_t, std::size_t first, std::size_t last) {
    std::size_t mine = 0;
    for (std::size_t at = first; at < last; at++) mine += is(at) ? 1 : 0;
    found.fetch_add(mine, std::memory_order_relaxed);
  });
  return found.load();
}

/// 32 points on their way through the seedings' kernels.
struct Group {
  std::vector<float> rows;
  std::vector<float> columns;
  std::vector<double> values;
  double smallest[group_points] = {};
  std::int64_t best[group_points] = {};

  explicit Group(std::size_t d) : rows(group_points * d), columns(group_points * d), values(group_points * d) {}
};

}  // namespace

Verification::Verification(const float* x, std::size_t n, std::size_t d, std::size_t threads)
    : x_(x), n_(n), d_(d), threads_(threads) {}

void Verification::ranges(const CancelFlag& cancel, double* to) const {
  const std::size_t threads = threads_for(threads_, n_, d_);
  std::vector<double> least(threads * d_, infinity);
  std::vector<double> most(threads * d_, -infinity);
  share(threads, n_, d_, cancel, [&](std::size_t worker, std::size_t first, std::size_t last) {
    double* low = least.data() + worker * d_;
    double* high = most.data() + worker * d_;
    for (std::size_t i = first; i < last; i++) {
      for (std::size_t j = 0; j < d_; j++) {
        const double value = x_[i * d_ + j];
        low[j] = value < low[j] ? value : low[j];
        high[j] = value > high[j] ? value : high[j];
      }
    }
  });
  for (std::size_t j = 0; j < d_; j++) {
    for (std::size_t worker = 1; worker < threads; worker++) {
      least[j] = std::min(least[j], least[worker * d_ + j]);
      most[j] = std::max(most[j], most[worker * d_ + j]);
    }
    to[j] = most[j] - least[j];
  }
}

void Verification::nearest(const Centres& centres, const LookedAt& looked, const CancelFlag& cancel, double* distances,
                          std::int32_t* labels) const {
  const SeedingKernels& kernels = best_seeding_kernels();
  const std::size_t groups = (looked.count + group_points - 1) / group_points;
  const std::size_t work = group_points * d_ * centres.k;
  const std::size_t threads = threads_for(threads_, groups, work);
  std::vector<Group> held(threads, Group(d_));
  const auto look = [&](Group& group, std::size_t start) {
    const std::size_t count = std::min(group_points, looked.count - start);
    const float* rows = x_ + start * d_;
    if (looked.rows != nullptr) {
      for (std::size_t i = 0; i < count; i++) {
        std::copy_n(x_ + looked.row(start + i) * d_, d_, group.rows.data() + i * d_);
      }
      rows = group.rows.data();
    }
    kernels.gather(rows, count, d_, group.columns.data());
    kernels.widen(group.columns.data(), d_, group.values.data());
    std::fill_n(group.smallest, group_points, infinity);
    std::fill_n(group.best, group_points, std::int64_t{-1});
    for (std::size_t c = 0; c < centres.k; c++) {
      kernels.compare(group.values.data(), centres.values + c * d_, d_, static_cast<std::int64_t>(c), group.smallest,
                      group.best);
    }
    for (std::size_t i = 0; i < count; i++) {
      labels[start + i] = static_cast<std::int32_t>(group.best[i]);
      distances[start + i] = group.best[i] < 0 ? not_a_number : group.smallest[i];
    }
  };
  share(threads, groups, work, cancel, [&](std::size_t worker, std::size_t first, std::size_t last) {
    for (std::size_t group = first; group < last; group++) look(held[worker], group * group_points);
  });
}

std::size_t Verification::inexact(const Centres& centres, const LookedAt& looked, const double* smallest,
                                 const std::int32_t* labels, const Slack& slack, const CancelFlag& cancel) const {
  return count_of(threads_, looked.count, d_, cancel, [&](std::size_t at) {
    const std::size_t point = looked.row(at);
    const double own = squared_distance(point, centres, labels[point]);
    return !(own <= smallest[at] * slack.factor + slack.least);
  });
}

std::size_t Verification::farther(const Centres& centres, const std::int32_t* labels, const std::int32_t* others,
                                 const Slack& slack, const CancelFlag& cancel) const {
  return count_of(threads_, n_, 1, cancel, [&](std::size_t point) {
    if (labels[point] == others[point]) return false;
    const double other = squared_distance(point, centres, others[point]);
    const double own = squared_distance(point, centres, labels[point]);
    return other == other && !(own <= other * slack.factor + slack.least);
  });
}

void Verification::open_members(const Centres& centres, const Slack& slack, const CancelFlag& cancel,
                               double* to) const {
  const std::size_t work = centres.k * d_;
  const std::size_t threads = threads_for(threads_, n_, work);
  std::vector<std::vector<double>> distances(threads, std::vector<double>(centres.k));
  std::vector<std::atomic<std::int64_t>> open(centres.k);
  share(threads, n_, work, cancel, [&](std::size_t worker, std::size_t first, std::size_t last) {
    std::vector<double>& mine = distances[worker];
    for (std::size_t point = first; point < last; point++) {
      double nearest = infinity;
      for (std::size_t c = 0; c < centres.k; c++) {
        mine[c] = squared_distance(point, centres, static_cast<std::int32_t>(c));
        nearest = mine[c] < nearest ? mine[c] : nearest;
      }
      const double bound = nearest * slack.factor + slack.least;
      const auto is_near = [bound](double distance) { return distance <= bound; };
      if (std::count_if(mine.begin(), mine.end(), is_near) < 2) continue;
      for (std::size_t c = 0; c < centres.k; c++) {
        if (is_near(mine[c])) open[c].fetch_add(1, std::memory_order_relaxed);
      }
    }
  });
  std::transform(open.begin(), open.end(), to, [](const auto& count) { return static_cast<double>(count.load()); });
}

void Verification::sums(const std::int32_t* labels, std::size_t k, const CancelFlag& cancel, double* sums,
                       double* counts) const {
  // A thread has sums of its own, which must not be more than the points.
  const std::size_t affordable = std::max<std::size_t>(1, n_ / (4 * k));
  const std::size_t threads = std::min(threads_for(threads_, n_, d_), affordable);
  std::vector<double> parts((threads - 1) * k * (d_ + 1), 0.0);
  const auto sums_of = [&](std::size_t worker) {
    return worker == 0 ? sums : parts.data() + (worker - 1) * k * (d_ + 1);
  };
  const auto counts_of = [&](std::size_t worker) { return worker == 0 ? counts : sums_of(worker) + k * d_; };
  std::fill_n(sums, k * d_, 0.0);
  std::fill_n(counts, k, 0.0);
  const std::size_t step = items_at_once(d_);
  ThreadPool pool(threads);
  // Stretches of their own and not whoever comes first: the order of the additions is always the same.
  pool.run([&](std::size_t worker) {
    double* to = sums_of(worker);
    double* members = counts_of(worker);
    const std::size_t end = n_ * (worker + 1) / threads;
    for (std::size_t start = n_ * worker / threads; start < end && !cancel.load(std::memory_order_relaxed);
         start += step) {
      for (std::size_t i = start; i < std::min(end, start + step); i++) {
        const auto cluster = static_cast<std::uint32_t>(labels[i]);
        if (cluster >= k) continue;
        members[cluster]++;
        for (std::size_t j = 0; j < d_; j++) to[cluster * d_ + j] += x_[i * d_ + j];
      }
    }
  });
  for (std::size_t worker = 1; worker < threads; worker++) {
    for (std::size_t at = 0; at < k * d_; at++) sums[at] += sums_of(worker)[at];
    for (std::size_t at = 0; at < k; at++) counts[at] += counts_of(worker)[at];
  }
}

std::size_t Verification::same(const std::int32_t* a, const std::int32_t* b, const CancelFlag& cancel) const {
  return count_of(threads_, n_, 1, cancel, [&](std::size_t point) { return a[point] == b[point]; });
}

/// NaN for a label that is no cluster.
double Verification::squared_distance(std::size_t point, const Centres& centres, std::int32_t cluster) const {
  if (cluster < 0 || static_cast<std::size_t>(cluster) >= centres.k) return not_a_number;
  const float* row = x_ + point * d_;
  const double* centre = centres.values + static_cast<std::size_t>(cluster) * d_;
  double sum = 0;
  for (std::size_t j = 0; j < d_; j++) {
    const double difference = row[j] - centre[j];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace centroid_lab

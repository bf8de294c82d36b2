// Greedy k-means++ that compares a candidate only with points it may come nearer to, README.md.
#include <algorithm>
#include <limits>

#include "seeding/cells.hpp"
#include "seeding/seeding.hpp"

namespace centroid_lab {
namespace {

/// Rounds that are made plainly first: in them a candidate lowers so many points that looking for them costs more.
constexpr std::size_t plain_rounds = 3;
/// Coordinates of a point that are compared plainly in the time of putting it in order, and of all rounds in which little is
/// skipped: so many, and so many for each feature. With more threads, which plain rounds keep busier, the more.
constexpr std::size_t coordinates_of_order = 500;
constexpr std::size_t rows_of_order = 260;
constexpr std::size_t threads_of_order = 10;
/// The least mean square of a feature's difference that the filters are let loose on: below lie float32 without all their
/// digits, which are slow and filter nothing. Points in engine units are far above.
constexpr double min_square = 0x1p-100;
/// Additions to a sum that take as long as lowering the sum of a block, on one thread.
constexpr std::size_t additions_of_lowering = 10;

/// The rounds after the first ones.
class SkippingRounds {
 public:
  SkippingRounds(const float* x, std::size_t n, std::size_t d, std::vector<double>& nearest, RunningSums& sums,
                 ThreadPool& pool, const CancelFlag& cancel)
      : x_(x), d_(d), nearest_(nearest), sums_(sums), pool_(pool), cancel_(cancel),
        cells_(x, n, d, nearest, pool, cancel) {
    sums_.begin();
  }

  /// Whether any D2 is left. The sum is told from 0 by its margin, or exactly.
  bool is_anything_left() {
    if (sums_.about() > sums_.margin()) return true;
    refresh();
    return sums_.about() > 0;
  }

  std::int32_t pick(double share) {
    const auto row = sums_.pick_share(share);
    if (row.has_value()) return *row;
    refresh();
    return sums_.pick(share * sums_.about());
  }

  /// The place in the list of the row with the smallest potential, ties to the first.
  std::size_t best_of(const std::vector<std::int32_t>& drawn) {
    const std::vector<double> gains = cells_.gains(drawn);
    const double most = *std::max_element(gains.begin(), gains.end());
    const double least = most - margin_of(most);
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < drawn.size(); at++) {
      if (gains[at] >= least && !repeats(drawn, open, at)) open.push_back(at);
    }
    return open.size() == 1 ? open.front() : best_of(open);
  }

  /// Row `at` of the last list becomes a centre.
  void commit(std::size_t at) {
    const Cells::Changes changes = cells_.changes(at);
    if (cancel_.load(std::memory_order_relaxed)) return;
    const std::size_t count = cells_.lower(changes, nearest_.data());
    if (count * additions_of_lowering * pool_.size() > nearest_.size()) {
      sums_.refresh(pool_, cancel_, true);
      return;
    }
    for (const auto& some : changes) {
      for (const auto& change : some) sums_.lower(change.row, change.before - change.squared);
    }
    if (sums_.add_up_blocks()) refresh();
  }

  void refresh() { sums_.refresh(pool_, cancel_); }

 private:
  /// How far gains must lie apart for the potentials, as they are defined and rounded, to lie so too.
  double margin_of(double most) const {
    const double of_sums = 2 * (sums_.about() + sums_.margin()) * (static_cast<double>(sums_.blocks()) + 200);
    return 2 * std::numeric_limits<double>::epsilon() * (of_sums + 2 * most * cells_.roundings());
  }

  /// Whether an open candidate is the same point: its potential is the same, and it was drawn before.
  bool repeats(const std::vector<std::int32_t>& drawn, const std::vector<std::size_t>& open, std::size_t at) const {
    const float* point = x_ + static_cast<std::size_t>(drawn[at]) * d_;
    return std::any_of(open.begin(), open.end(), [&](std::size_t earlier) {
      return std::equal(point, point + d_, x_ + static_cast<std::size_t>(drawn[earlier]) * d_);
    });
  }

  /// Of candidates whose gains lie too near to each other: their potentials to the last bit.
  std::size_t best_of(const std::vector<std::size_t>& open) {
    refresh();
    std::size_t best = open.front();
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t at : open) {
      const double potential = potential_of(at);
      if (potential < least) {
        least = potential;
        best = at;
      }
    }
    return best;
  }

  /// Lowers D2 for the moment of summing.
  double potential_of(std::size_t at) {
    const Cells::Changes changes = cells_.changes(at);
    std::vector<std::uint8_t> touched(sums_.blocks(), 0);
    for (const auto& some : changes) {
      for (const auto& change : some) {
        nearest_[change.row] = change.squared;
        touched[change.row / block_points] = 1;
      }
    }
    const double potential = sums_.total_with(touched);
    for (const auto& some : changes) {
      for (const auto& change : some) nearest_[change.row] = change.before;
    }
    return potential;
  }

  const float* x_;
  std::size_t d_;
  std::vector<double>& nearest_;
  RunningSums& sums_;
  ThreadPool& pool_;
  const CancelFlag& cancel_;
  Cells cells_;
};

/// Whether the rounds save more than putting the points in order costs.
bool pays(std::size_t rounds, std::size_t candidates, std::size_t d, std::size_t threads) {
  if (candidates > max_candidates || d > max_filter_features || rounds <= plain_rounds) return false;
  const std::size_t saved = (rounds - plain_rounds) * (candidates + 1) * d;
  return saved * threads_of_order > (coordinates_of_order + rows_of_order * d) * (threads_of_order + threads - 1);
}

}  // namespace

std::vector<std::int32_t> Seeding::greedy(std::int32_t first, const std::vector<double>& uniforms,
                                          std::size_t candidates) {
  if (!may_order_ || !pays(uniforms.size() / candidates, candidates, d_, pool_.size())) {
    return SeedingSteps::greedy(first, uniforms, candidates);
  }
  const auto some = uniforms.begin() + static_cast<std::ptrdiff_t>(plain_rounds * candidates);
  std::vector<std::int32_t> rows = SeedingSteps::greedy(first, {uniforms.begin(), some}, candidates);
  if (rows.size() <= plain_rounds || cancel) return rows;
  const double potential = sums_.total();
  if (potential < min_square * static_cast<double>(n_ * d_)) {
    return further_rounds(std::move(rows), potential, uniforms, plain_rounds * candidates, candidates);
  }
  return skipping_rounds(std::move(rows), uniforms, candidates);
}

std::vector<std::int32_t> Seeding::skipping_rounds(std::vector<std::int32_t> rows, const std::vector<double>& uniforms,
                                                   std::size_t candidates) {
  // The cells have columns of their own; whoever asks plainly afterwards has them made again.
  const std::size_t size = columns_.size();
  columns_ = Aligned<float>();
  std::fill(gathered_.begin(), gathered_.end(), 0);
  SkippingRounds rounds(x_, n_, d_, nearest_, sums_, pool_, cancel);
  for (std::size_t at = plain_rounds * candidates; at + candidates <= uniforms.size(); at += candidates) {
    if (cancel.load(std::memory_order_relaxed) || !rounds.is_anything_left()) break;
    std::vector<std::int32_t> drawn;
    for (std::size_t one = at; one < at + candidates; one++) drawn.push_back(rounds.pick(uniforms[one]));
    const std::size_t best = rounds.best_of(drawn);
    rows.push_back(drawn[best]);
    rounds.commit(best);
  }
  rounds.refresh();
  columns_.resize(size);
  return rows;
}

}  // namespace centroid_lab

// Values of given ranks by their bits: kernels/contract.md, "From cells to points".
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include "aligned.hpp"
#include "pieces.hpp"

namespace centroid_lab::table {
namespace {

constexpr int digit_bits = 16;
constexpr int digits = 4;
constexpr std::size_t bins = 1 << digit_bits;
/// Values that are sorted rather than counted once more.
constexpr std::uint64_t max_sorted = 1 << 16;

using Histogram = std::vector<std::uint64_t>;

/// In the order of the numbers, as unsigned: negative ones have all bits turned, the others the sign bit set.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

double number_of(std::uint64_t key) {
  return std::bit_cast<double>((key >> 63) != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

/// Values whose keys begin alike, at least one of which is asked for.
struct Group {
  std::uint64_t prefix;
  /// How many values lie below, and how many there are.
  std::uint64_t below;
  std::uint64_t count;
};

int shift_for(int known) { return 64 - digit_bits * known; }

/// Which group a key belongs to by its first digits; the number of groups for none.
std::size_t group_of(const std::vector<Group>& groups, std::uint64_t key, int known) {
  if (known == 0) return 0;
  const std::uint64_t prefix = key >> shift_for(known);
  std::size_t at = 0;
  while (at < groups.size() && groups[at].prefix != prefix) at++;
  return at;
}

/// Adds the counts of other processes.
void add_others(ProcessGroup* group, std::vector<Histogram>& counts) {
  if (group == nullptr) return;
  const CancelFlag never{false};
  for (Histogram& own : counts) {
    std::vector<std::int64_t> all(own.begin(), own.end());
    group->sum(all.data(), all.size(), never);
    std::copy(all.begin(), all.end(), own.begin());
  }
}

/// Counts of the digit after the first `known` ones, for each group.
std::vector<Histogram> count_digit(const Series& series, const std::vector<Group>& groups, int known, std::size_t threads) {
  std::vector<Histogram> all(groups.size(), Histogram(bins));
  std::mutex adding;
  const std::size_t pieces = piece_count(series.length);
  const std::size_t workers = std::clamp(pieces, std::size_t{1}, threads);
  ThreadPool pool(workers);
  pool.run([&](std::size_t worker) {
    std::vector<std::vector<std::uint32_t>> own(groups.size(), std::vector<std::uint32_t>(bins));
    const std::size_t first = worker * pieces / workers * points_of_piece;
    const std::size_t last = std::min(series.length, (worker + 1) * pieces / workers * points_of_piece);
    each_value(series, first, last, [&](double value) {
      const std::uint64_t key = key_of(value + 0.0);
      const std::size_t group = group_of(groups, key, known);
      if (group < groups.size()) own[group][key >> shift_for(known + 1) & (bins - 1)]++;
    });
    const std::lock_guard<std::mutex> lock(adding);
    for (std::size_t group = 0; group < groups.size(); group++) {
      for (std::size_t bin = 0; bin < bins; bin++) all[group][bin] += own[group][bin];
    }
  });
  add_others(series.group, all);
  return all;
}

/// The parts of a group in which one of the ranks (ascending) lies.
void split(const Group& group, const Histogram& counts, const std::vector<std::uint64_t>& ranks, std::vector<Group>& parts) {
  std::uint64_t under = group.below;
  for (std::size_t bin = 0; bin < bins; bin++) {
    const auto inside = std::lower_bound(ranks.begin(), ranks.end(), under);
    if (inside != ranks.end() && *inside < under + counts[bin]) {
      parts.push_back({group.prefix << digit_bits | bin, under, counts[bin]});
    }
    under += counts[bin];
  }
}

/// The values of a rank in groups whose members are few, sorted.
std::vector<std::vector<double>> gather(const Series& series, const std::vector<Group>& groups, int known,
                                        std::size_t threads) {
  std::vector<std::vector<double>> members(groups.size());
  std::mutex adding;
  each_piece(series.length, threads, [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<std::vector<double>> own(groups.size());
    each_value(series, first, last, [&](double value) {
      const std::size_t group = group_of(groups, key_of(value + 0.0), known);
      if (group < groups.size()) own[group].push_back(value + 0.0);
    });
    const std::lock_guard<std::mutex> lock(adding);
    for (std::size_t group = 0; group < groups.size(); group++) {
      members[group].insert(members[group].end(), own[group].begin(), own[group].end());
    }
  });
  for (std::vector<double>& own : members) std::sort(own.begin(), own.end());
  return members;
}

/// @param ranks ascending, each once @returns their values
std::vector<double> values_of_ranks(const Series& series, const std::vector<std::uint64_t>& ranks,
                                    const Histogram& first_digit, std::uint64_t count, std::size_t threads) {
  std::vector<Group> groups;
  split({0, 0, count}, first_digit, ranks, groups);
  int known = 1;
  const auto members = [&] {
    std::uint64_t all = 0;
    for (const Group& group : groups) all += group.count;
    return all;
  };
  // What other processes have is only counted.
  for (; known < digits && (series.group != nullptr || members() > max_sorted); known++) {
    const std::vector<Histogram> counts = count_digit(series, groups, known, threads);
    std::vector<Group> parts;
    for (std::size_t group = 0; group < groups.size(); group++) split(groups[group], counts[group], ranks, parts);
    groups = std::move(parts);
  }
  std::vector<std::vector<double>> sorted;
  if (known < digits) sorted = gather(series, groups, known, threads);
  std::vector<double> values;
  for (const std::uint64_t rank : ranks) {
    std::size_t at = 0;
    while (rank >= groups[at].below + groups[at].count) at++;
    values.push_back(known == digits ? number_of(groups[at].prefix) : sorted[at][rank - groups[at].below]);
  }
  return values;
}

/// Ranks from 0 on either side of a share of the way up through `count` values.
struct Ranks {
  std::uint64_t low;
  std::uint64_t high;
  double part;
};

Ranks ranks_of(double share, std::uint64_t count) {
  const double position = share * static_cast<double>(count - 1);
  return {static_cast<std::uint64_t>(std::floor(position)), static_cast<std::uint64_t>(std::ceil(position)),
          position - std::floor(position)};
}

std::vector<Neighbours> nothing_of(const std::vector<double>& shares) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return std::vector<Neighbours>(shares.size(), {none, none, none});
}

/// By counting the digits of all values: whatever they are, and whoever holds them.
std::vector<Neighbours> counted_neighbours(const Series& series, const std::vector<double>& shares, std::size_t threads) {
  const Histogram first = count_digit(series, {{0, 0, 0}}, 0, threads).front();
  std::uint64_t count = 0;
  for (const std::uint64_t in_bin : first) count += in_bin;
  if (count == 0) return nothing_of(shares);
  std::vector<std::uint64_t> ranks;
  for (const double share : shares) {
    const Ranks own = ranks_of(share, count);
    ranks.insert(ranks.end(), {own.low, own.high});
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  const std::vector<double> values = values_of_ranks(series, ranks, first, count, threads);
  const auto value = [&](std::uint64_t rank) {
    return values[static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin())];
  };
  std::vector<Neighbours> found;
  for (const double share : shares) {
    const Ranks own = ranks_of(share, count);
    found.push_back({value(own.low), value(own.high), own.part});
  }
  return found;
}

/// Values looked at to find out where about a rank lies; of no more than a few times as many the digits are counted.
constexpr std::size_t sampled = 1 << 12;
constexpr std::size_t worth_sampling = 4 * sampled;
/// Half of the share of the sample between which a rank is looked for: some four standard deviations of it.
constexpr double margin = 1.0 / 32;
/// Of the sample, one part in so many lies between them at most: where many values are the same, their digits are counted.
constexpr std::size_t min_parts = 8;
/// Values that are looked at side by side.
constexpr std::size_t lanes = 4;

/// The values from one of a sample to another. Of NaN nothing is true.
struct Bracket {
  double from;
  double to;
  std::uint64_t below = 0;
  /// Not filled with zeros before they are written.
  Aligned<double> inside = {};

  void look_at(const double* values, std::size_t count) {
    std::uint64_t under[lanes] = {};
    for (std::size_t i = 0; i < count; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; lane++) under[lane] += values[i + lane] < from;
    }
    for (const std::uint64_t own : under) below += own;
    std::size_t kept = inside.size();
    inside.resize(kept + count);
    for (std::size_t i = 0; i < count; i++) {
      inside[kept] = values[i];
      kept += static_cast<std::size_t>(values[i] >= from) & static_cast<std::size_t>(values[i] <= to);
    }
    inside.resize(kept);
  }

  void add(const Bracket& other) {
    below += other.below;
    inside.insert(inside.end(), other.inside.begin(), other.inside.end());
  }

  bool has(std::uint64_t rank) const { return rank >= below && rank - below < inside.size(); }

  /// Of a rank that it has.
  double value_of(std::uint64_t rank) {
    const auto place = inside.begin() + static_cast<std::ptrdiff_t>(rank - below);
    std::nth_element(inside.begin(), place, inside.end());
    return *place;
  }
};

/// What one look at all values finds.
struct Looked {
  std::uint64_t count = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::vector<Bracket> brackets;

  /// @param values with room for `lanes` more
  void look_at(double* values, std::size_t read) {
    const std::size_t whole = (read + lanes - 1) / lanes * lanes;
    std::fill(values + read, values + whole, std::numeric_limits<double>::quiet_NaN());
    std::uint64_t present[lanes] = {};
    double lows[lanes], highs[lanes];
    std::fill_n(lows, lanes, low);
    std::fill_n(highs, lanes, high);
    for (std::size_t i = 0; i < whole; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; lane++) {
        const double value = values[i + lane];
        present[lane] += value == value;
        lows[lane] = value < lows[lane] ? value : lows[lane];
        highs[lane] = value > highs[lane] ? value : highs[lane];
      }
    }
    for (const std::uint64_t own : present) count += own;
    low = *std::min_element(lows, lows + lanes);
    high = *std::max_element(highs, highs + lanes);
    for (Bracket& bracket : brackets) bracket.look_at(values, whole);
  }

  void add(const Looked& other) {
    count += other.count;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    for (std::size_t at = 0; at < brackets.size(); at++) brackets[at].add(other.brackets[at]);
  }
};

/// Of one point in each stretch of the series, anywhere in it, since rows may repeat a pattern. Ascending.
std::vector<double> sample_of(const Series& series) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  std::vector<double> sample;
  const std::size_t step = series.length / sampled;
  for (std::size_t drawn = 0; drawn < sampled; drawn++) {
    const std::size_t at = drawn * step + (drawn * golden >> 32) % step;
    double value = 0;
    series.read(at, at + 1, &value);
    if (value == value) sample.push_back(value);
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

/// About a share of the way up through a sample; none where too many of its values lie there.
std::optional<Bracket> bracket_about(double share, const std::vector<double>& sample) {
  const auto at = [&](double part) {
    return sample[static_cast<std::size_t>(std::round(std::clamp(part, 0.0, 1.0) * static_cast<double>(sample.size() - 1)))];
  };
  const Bracket bracket{at(share - margin), at(share + margin)};
  const auto first = std::lower_bound(sample.begin(), sample.end(), bracket.from);
  const auto last = std::upper_bound(sample.begin(), sample.end(), bracket.to);
  if (static_cast<std::size_t>(last - first) > sample.size() / min_parts) return std::nullopt;
  return bracket;
}

/// Mostly in one look at all values, between those of a sample; nothing where that does not do.
std::vector<Neighbours> selected_neighbours(const Series& series, const std::vector<double>& shares, std::size_t threads) {
  const std::vector<double> sample = sample_of(series);
  if (sample.empty()) return {};
  Looked nothing;
  std::vector<std::size_t> bracket_of;
  for (const double share : shares) {
    bracket_of.push_back(nothing.brackets.size());
    // The ends are seen by themselves.
    if (share <= 0 || share >= 1) continue;
    const std::optional<Bracket> bracket = bracket_about(share, sample);
    if (!bracket) return {};
    nothing.brackets.push_back(*bracket);
  }
  Looked all = nothing;
  std::mutex adding;
  each_piece(series.length, threads, [&](std::size_t, std::size_t first, std::size_t last) {
    Looked own = nothing;
    double values[values_at_once + lanes];
    for (std::size_t at = first; at < last; at += values_at_once) {
      const std::size_t read = std::min(values_at_once, last - at);
      series.read(at, at + read, values);
      own.look_at(values, read);
    }
    const std::lock_guard<std::mutex> lock(adding);
    all.add(own);
  });
  std::vector<Neighbours> found;
  for (std::size_t at = 0; at < shares.size(); at++) {
    const auto [low, high, part] = ranks_of(shares[at], all.count);
    if (shares[at] <= 0 || shares[at] >= 1) {
      const double end = shares[at] <= 0 ? all.low : all.high;
      found.push_back({end, end, part});
      continue;
    }
    Bracket& bracket = all.brackets[bracket_of[at]];
    if (!bracket.has(low) || !bracket.has(high)) return {};
    found.push_back({bracket.value_of(low), bracket.value_of(high), part});
  }
  return found;
}

}  // namespace

std::vector<Neighbours> neighbours_of(const Series& series, const std::vector<double>& shares, std::size_t threads) {
  std::vector<Neighbours> found;
  if (series.group == nullptr && series.length >= worth_sampling) found = selected_neighbours(series, shares, threads);
  if (found.empty()) found = counted_neighbours(series, shares, threads);
  // -0 is 0.
  for (Neighbours& own : found) {
    own.low += 0.0;
    own.high += 0.0;
  }
  return found;
}

}  // namespace centroid_lab::table

// Values of given ranks by their bits: kernels/contract.md, "From cells to points".
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

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

}  // namespace

std::vector<Neighbours> neighbours_of(const Series& series, const std::vector<double>& shares, std::size_t threads) {
  const Histogram first = count_digit(series, {{0, 0, 0}}, 0, threads).front();
  std::uint64_t count = 0;
  for (const std::uint64_t in_bin : first) count += in_bin;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (count == 0) return std::vector<Neighbours>(shares.size(), {none, none, none});
  const auto last = static_cast<double>(count - 1);
  const auto low = [&](double share) { return static_cast<std::uint64_t>(std::floor(share * last)); };
  const auto high = [&](double share) { return static_cast<std::uint64_t>(std::ceil(share * last)); };
  std::vector<std::uint64_t> ranks;
  for (const double share : shares) ranks.insert(ranks.end(), {low(share), high(share)});
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  const std::vector<double> values = values_of_ranks(series, ranks, first, count, threads);
  const auto value = [&](std::uint64_t rank) {
    return values[static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin())];
  };
  std::vector<Neighbours> found;
  for (const double share : shares) {
    const double position = share * last;
    found.push_back({value(low(share)), value(high(share)), position - std::floor(position)});
  }
  return found;
}

}  // namespace centroid_lab::table

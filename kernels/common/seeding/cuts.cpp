#include "seeding/cuts.hpp"

#include <algorithm>
#include <array>

namespace centroid_lab {
namespace {

/// Keys that a pivot is chosen from, in a small and in a large range.
constexpr std::size_t few_keys = 7;
constexpr std::size_t many_keys = 63;
constexpr std::size_t large = 4096;
/// Below this many, the library's selection.
constexpr std::size_t few = 48;
/// A cut that leaves more than this share of the squares is no gap: of values that lie evenly it leaves a quarter.
constexpr double max_left_by_gap = 0.15;

float dot(const float* a, const float* b, std::size_t d) {
  float sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= d; j += 8) {
    for (std::size_t lane = 0; lane < 8; lane++) sums[lane] += a[j + lane] * b[j + lane];
  }
  for (; j < d; j++) sums[0] += a[j] * b[j];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// Brings what goes left to the front, without a branch that could be mispredicted. Items are moved as one number: a load
/// after stores in pieces would have to wait for them.
template <class GoesLeft>
std::size_t partition(Keyed* items, std::size_t count, const GoesLeft& goes_left) {
  using Whole = std::uint64_t __attribute__((may_alias));
  Whole* moved = reinterpret_cast<Whole*>(items);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t step = goes_left(items[i].key) ? 1 : 0;
    const Whole item = moved[i];
    moved[i] = moved[left];
    moved[left] = item;
    left += step;
  }
  return left;
}

/// The sample whose share of smaller ones is that of `rank`.
float pivot_of(const Keyed* items, std::size_t count, std::size_t rank) {
  const std::size_t size = count < large ? few_keys : many_keys;
  std::array<float, many_keys> samples;
  for (std::size_t i = 0; i < size; i++) {
    const float key = items[(2 * i + 1) * count / (2 * size)].key;
    std::size_t at = i;
    for (; at > 0 && samples[at - 1] > key; at--) samples[at] = samples[at - 1];
    samples[at] = key;
  }
  return samples[rank * size / count];
}

/// The share of sorted values before the cut that leaves the least squares on both sides, where that is a gap between two
/// heaps; else the middle.
double share_of_cut(const std::vector<float>& sorted) {
  const auto count = static_cast<double>(sorted.size());
  double total = 0, squares = 0;
  for (const float value : sorted) total += value;
  for (const float value : sorted) squares += (value - total / count) * (value - total / count);
  double best = (1 - max_left_by_gap) * squares, share = 0.5, sum = 0;
  for (std::size_t i = 1; i < sorted.size(); i++) {
    sum += sorted[i - 1];
    const auto left = static_cast<double>(i);
    const double apart = sum / left - (total - sum) / (count - left);
    const double between = apart * apart * left * (count - left) / count;
    if (between > best && 8 * i >= sorted.size() && 8 * i <= 7 * sorted.size()) {
      best = between;
      share = left / count;
    }
  }
  return share;
}

std::size_t widest_feature(std::span<const float* const> samples, std::size_t d) {
  std::size_t widest = 0;
  float width = -1;
  for (std::size_t j = 0; j < d; j++) {
    float low = samples[0][j], high = low;
    for (const float* sample : samples) {
      low = std::min(low, sample[j]);
      high = std::max(high, sample[j]);
    }
    if (high - low > width) {
      width = high - low;
      widest = j;
    }
  }
  return widest;
}

const float* farthest(std::span<const float* const> samples, const float* from, std::size_t d) {
  const float* answer = from;
  float most = -1;
  for (const float* sample : samples) {
    const float squared = dot(sample, sample, d) - 2 * dot(sample, from, d);
    if (sample == samples[0] || squared > most) {
      most = squared;
      answer = sample;
    }
  }
  return answer;
}

std::vector<float> longest_direction(std::span<const float* const> samples, std::size_t d) {
  const float* one = farthest(samples, samples[0], d);
  const float* other = farthest(samples, one, d);
  std::vector<float> direction(d);
  for (std::size_t j = 0; j < d; j++) direction[j] = other[j] - one[j];
  return direction;
}

}  // namespace

void select(Keyed* items, std::size_t count, std::size_t rank) {
  while (count > few) {
    const float pivot = pivot_of(items, count, rank);
    std::size_t left = partition(items, count, [pivot](float key) { return key < pivot; });
    if (rank < left) {
      count = left;
      continue;
    }
    if (left < count / few) {
      // Hardly anything is less: take out what is equal too, so that equal values cannot hold this up.
      left += partition(items + left, count - left, [pivot](float key) { return key <= pivot; });
      if (rank < left) return;
    }
    items += left;
    count -= left;
    rank -= left;
  }
  const auto is_less = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  if (rank < count) std::nth_element(items, items + rank, items + count, is_less);
}

float along(const float* row, const float* direction, std::size_t d) {
  const float key = dot(row, direction, d);
  return key == key ? key : 0;
}

Cut cut_of(std::span<const float* const> samples, std::size_t d, bool gaps) {
  Cut cut;
  if (d <= max_box_features) cut.feature = widest_feature(samples, d);
  else cut.direction = longest_direction(samples, d);
  if (gaps) {
    std::vector<float> keys(samples.size());
    for (std::size_t i = 0; i < keys.size(); i++) keys[i] = cut.key_of(samples[i]);
    std::sort(keys.begin(), keys.end());
    cut.share = share_of_cut(keys);
  }
  return cut;
}

}  // namespace centroid_lab

// What is to be carried out, as it was planned.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace centroid_lab::cuda {

/// What a regime cannot carry out, in one sentence.
class RegimeRefused : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// What regimes with a filter would not do by itself for the data and the device at hand; for tests.
struct FilterTuning {
  /// mma.sync where the device has wgmma.
  bool without_wgmma = false;
  /// Cells that the points are parted into; 0: as they are worth.
  std::size_t cells = 0;
  /// Balls whatever the data.
  bool balls = false;
  /// By bounds of points: open points are visited whatever that costs.
  bool visits_always = false;
};

/// Workers of `partial-sums` where nobody asks for another number: the study's.
constexpr int default_workers = 512;

/// A variant and how it is carried out, as it was planned (regimes.cuda.ts): nothing is chosen here.
struct VariantPlan {
  VariantPlan(const char* its_variant) : variant(its_variant) {}
  VariantPlan(std::string its_variant) : variant(std::move(its_variant)) {}

  std::string variant;
  /// Tried in order: the last is built whatever the data, those before it where the probe they hang on finds what they need.
  /// Empty for variants with one way only.
  std::vector<std::string> regimes;
  /// Regimes of `fused`, in the same sense, for passes that the regime leaves to others; empty: the plainest that can.
  std::vector<std::string> other_passes;
  FilterTuning filter;
  /// Of `partial-sums`, at least 1; fewer work where there are fewer points.
  int workers = default_workers;
};

}  // namespace centroid_lab::cuda

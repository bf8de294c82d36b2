// Which regimes the checks go through, and how often each was carried out.
#pragma once

#include <string>
#include <vector>

#include "cuda/variant_plan.hpp"

namespace centroid_lab::cuda_test {

/// "fused:neighbour-boxes,matrix-scores" is that chain of regimes; "fused:tile-bounds/matrix-scores" one with the chain that makes
/// its other passes; a variant alone each of its regimes in turn, or itself.
std::vector<cuda::VariantPlan> plans_of(const std::string& word);

/// The variant that such a word names.
std::string variant_of(const std::string& word);

/// The plan of one regime, or of a chain.
cuda::VariantPlan plan_of(const std::string& variant, std::vector<std::string> regimes);

/// As `plans_of` takes it.
std::string name_of(const cuda::VariantPlan& plan);

/// Counts a check that was carried out.
void note_run(const cuda::VariantPlan& plan);

/// Prints which of the plans of a word ran, and how often; forgets it.
void report_runs(const std::string& word);

/// Carries out `use` and counts it. @returns false where the regime refuses shape or data.
template <class Use>
bool unless_refused(const cuda::VariantPlan& plan, const Use& use) {
  try {
    use(plan);
  } catch (const cuda::RegimeRefused&) {
    return false;
  }
  note_run(plan);
  return true;
}

/// By the plainest regime of `fused` that can.
template <class Use>
void by_plain_regime(const Use& use) {
  for (const char* regime : {"staged-points", "row-pieces", "matrix-scores", "tiled"}) {
    if (unless_refused(plan_of("fused", {regime}), use)) return;
  }
}

}  // namespace centroid_lab::cuda_test

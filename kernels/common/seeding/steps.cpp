#include "seeding/steps.hpp"

#include <algorithm>

namespace centroid_lab {

std::vector<std::int32_t> SeedingSteps::greedy(std::int32_t first, const std::vector<double>& uniforms,
                                               std::size_t candidates) {
  return further_rounds({first}, commit({first}), uniforms, 0, candidates);
}

std::vector<std::int32_t> SeedingSteps::further_rounds(std::vector<std::int32_t> rows, double potential,
                                                       const std::vector<double>& uniforms, std::size_t at,
                                                       std::size_t candidates) {
  for (; at + candidates <= uniforms.size() && potential > 0; at += candidates) {
    if (cancel.load(std::memory_order_relaxed)) break;
    std::vector<double> targets(uniforms.begin() + static_cast<std::ptrdiff_t>(at),
                                uniforms.begin() + static_cast<std::ptrdiff_t>(at + candidates));
    for (double& target : targets) target *= potential;
    const std::vector<std::int32_t> drawn = pick(targets);
    const std::vector<double> sums = potentials(drawn);
    const auto best = std::min_element(sums.begin(), sums.end()) - sums.begin();
    rows.push_back(drawn[static_cast<std::size_t>(best)]);
    potential = commit({rows.back()});
  }
  return rows;
}

}  // namespace centroid_lab

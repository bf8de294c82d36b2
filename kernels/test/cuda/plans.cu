#include "plans.hpp"

#include <cstdio>
#include <map>
#include <sstream>
#include <utility>

#include "cuda/cuda_engine.hpp"

namespace centroid_lab::cuda_test {
namespace {

std::map<std::string, int>& runs() {
  static std::map<std::string, int> all;
  return all;
}

}  // namespace

cuda::VariantPlan plan_of(const std::string& variant, std::vector<std::string> regimes) {
  cuda::VariantPlan plan(variant);
  plan.regimes = std::move(regimes);
  return plan;
}

std::vector<cuda::VariantPlan> plans_of(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string variant = word.substr(0, colon);
  if (colon != std::string::npos) {
    std::vector<std::string> regimes;
    std::istringstream rest(word.substr(colon + 1));
    for (std::string name; std::getline(rest, name, ',');) regimes.push_back(name);
    return {plan_of(variant, regimes)};
  }
  std::vector<cuda::VariantPlan> all;
  for (const std::string& regime : cuda::regimes_of(variant)) all.push_back(plan_of(variant, {regime}));
  if (all.empty()) all.emplace_back(variant);
  return all;
}

std::string name_of(const cuda::VariantPlan& plan) {
  std::string name = plan.variant;
  for (std::size_t at = 0; at < plan.regimes.size(); at++) name += (at == 0 ? ":" : ",") + plan.regimes[at];
  return name;
}

void note_run(const cuda::VariantPlan& plan) { runs()[name_of(plan)]++; }

void report_runs(const std::string& variant) {
  for (const std::string& regime : cuda::regimes_of(variant)) {
    const int count = runs()[name_of(plan_of(variant, {regime}))];
    std::printf("  %-40s %s\n", (variant + ":" + regime).c_str(), count == 0 ? "never ran" : (std::to_string(count) + " checks").c_str());
  }
  runs().clear();
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test

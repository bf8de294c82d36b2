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

/// Of "a,b": a and b.
std::vector<std::string> names_in(const std::string& words) {
  std::vector<std::string> names;
  std::istringstream rest(words);
  for (std::string name; std::getline(rest, name, ',');) names.push_back(name);
  return names;
}

std::string joined(const std::vector<std::string>& names, const char* first) {
  std::string words;
  for (std::size_t at = 0; at < names.size(); at++) words += (at == 0 ? first : ",") + names[at];
  return words;
}

}  // namespace

cuda::VariantPlan plan_of(const std::string& variant, std::vector<std::string> regimes) {
  cuda::VariantPlan plan(variant);
  plan.regimes = std::move(regimes);
  return plan;
}

std::string variant_of(const std::string& word) { return word.substr(0, word.find(':')); }

std::vector<cuda::VariantPlan> plans_of(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string variant = variant_of(word);
  if (colon != std::string::npos) {
    const std::string words = word.substr(colon + 1);
    const std::size_t slash = words.find('/');
    cuda::VariantPlan plan = plan_of(variant, names_in(words.substr(0, slash)));
    if (slash != std::string::npos) plan.other_passes = names_in(words.substr(slash + 1));
    return {plan};
  }
  std::vector<cuda::VariantPlan> all;
  for (const std::string& regime : cuda::regimes_of(variant)) all.push_back(plan_of(variant, {regime}));
  if (all.empty()) all.emplace_back(variant);
  return all;
}

std::string name_of(const cuda::VariantPlan& plan) {
  return plan.variant + joined(plan.regimes, ":") + joined(plan.other_passes, "/");
}

void note_run(const cuda::VariantPlan& plan) { runs()[name_of(plan)]++; }

void report_runs(const std::string& word) {
  for (const cuda::VariantPlan& plan : plans_of(word)) {
    if (plan.regimes.empty()) continue;
    const int count = runs()[name_of(plan)];
    std::printf("  %-40s %s\n", name_of(plan).c_str(), count == 0 ? "never ran" : (std::to_string(count) + " checks").c_str());
  }
  runs().clear();
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test

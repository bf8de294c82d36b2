#include <algorithm>
#include <stdexcept>

#include "variant.hpp"

namespace centroid_lab {
namespace {

const CpuRegime& regime_of(const std::string& variant, const std::string& name) {
  const std::string wanted = name.empty() ? as_studied : name;
  for (const CpuRegime& regime : cpu_regimes()) {
    if (regime.variant == variant && regime.name == wanted) return regime;
  }
  throw std::invalid_argument("The variant " + variant + " of the CPU engine has no regime " + wanted + ".");
}

}  // namespace

std::vector<std::string> cpu_variants() {
  std::vector<std::string> names;
  for (const CpuRegime& regime : cpu_regimes()) {
    if (names.empty() || names.back() != regime.variant) names.emplace_back(regime.variant);
  }
  return names;
}

bool is_variant(const std::string& name) {
  const auto& regimes = cpu_regimes();
  return std::any_of(regimes.begin(), regimes.end(), [&](const CpuRegime& regime) { return regime.variant == name; });
}

BuiltVariant make_variant(const VariantPlan& plan, const Points& points, std::size_t k, const Machine& machine) {
  const CpuRegime& first = regime_of(plan.variant, plan.regime);
  if (plan.otherwise.empty() || first.pays == nullptr) {
    return {first.make(points, k, machine), {first.name, {}}};
  }
  const bool pays = first.pays(points, k);
  const CpuRegime& chosen = pays ? first : regime_of(plan.variant, plan.otherwise);
  return {chosen.make(points, k, machine), {chosen.name, {{first.probe, pays}}}};
}

BuiltVariantOf<double> make_variant(const VariantPlan& plan, const PointsOf<double>& points, std::size_t k,
                                    const Machine& machine) {
  const CpuRegime& regime = regime_of(plan.variant, plan.regime);
  if (regime.make_float64 == nullptr) {
    throw std::invalid_argument("The variant " + plan.variant + " of the CPU engine works in float32 only.");
  }
  return {regime.make_float64(points, k, machine), {regime.name, {}}};
}

}  // namespace centroid_lab

#include "registered_variants.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace centroid_lab::cuda {
namespace {

/// Made when the first asks for it, since nobody knows which file's variant registers first.
std::vector<RegisteredVariant>& all() {
  static std::vector<RegisteredVariant> variants;
  return variants;
}

}  // namespace

Registration::Registration(RegisteredVariant variant) {
  const auto is_before = [](const RegisteredVariant& a, const RegisteredVariant& b) { return std::strcmp(a.name, b.name) < 0; };
  all().insert(std::upper_bound(all().begin(), all().end(), variant, is_before), std::move(variant));
}

const std::vector<RegisteredVariant>& registered_variants() { return all(); }

const RegisteredVariant& registered_variant(const std::string& name) {
  for (const RegisteredVariant& variant : all()) {
    if (name == variant.name) return variant;
  }
  throw std::invalid_argument("Expected a variant of the CUDA engine but received " + name + ".");
}

}  // namespace centroid_lab::cuda

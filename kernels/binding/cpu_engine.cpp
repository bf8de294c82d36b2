#include <utility>

#include "check_points.hpp"
#include "engine.hpp"
#include "lloyd.hpp"
#include "machine.hpp"
#include "seeding/seeding.hpp"
#include "variant.hpp"

namespace centroid_lab {

bool engine_offers(const std::string& variant) { return is_variant(variant); }

std::unique_ptr<Clustering> open_clustering(const SessionRequest& request) {
  const auto& [x, n, d, rules, name, device] = request;
  Points points{x, n, d, checked_magnitudes(x, n, d)};
  std::unique_ptr<Variant> variant = make_variant(name, points, rules.k, Machine{thread_count()});
  return std::make_unique<Lloyd>(std::move(points), rules, std::move(variant));
}

std::unique_ptr<SeedingSteps> open_seeding(const float* x, std::size_t n, std::size_t d, std::int64_t) {
  return std::make_unique<Seeding>(x, n, d, thread_count());
}

}  // namespace centroid_lab

#include <tuple>
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
  const auto& [x, n, d] = std::tie(request.x, request.n, request.d);
  Points points{x, n, d, checked_magnitudes(x, n, d)};
  BuiltVariant built = make_variant({request.variant, request.regime, request.otherwise}, points, request.rules.k,
                                    Machine{thread_count()});
  return std::make_unique<Lloyd>(std::move(points), request.rules, std::move(built));
}

std::unique_ptr<SeedingSteps> open_seeding(const float* x, std::size_t n, std::size_t d, std::int64_t) {
  return std::make_unique<Seeding>(x, n, d, thread_count());
}

}  // namespace centroid_lab

// Exact k-means that leaves out distances by bounds, by the regime that was planned. See README.md.
#include <stdexcept>

#include "registered_variants.hpp"
#include "regimes/point-bounds/point_bounds.hpp"
#include "regimes/tile-bounds/tile_bounds.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr const char* by_tiles = "tile-bounds";
constexpr const char* by_tiles_later = "brute-then-tile-bounds";
constexpr const char* by_points = "point-bounds";
constexpr const char* by_points_always = "point-bounds-always";

using Names = std::vector<std::string>;

void refuse_unless(const std::string& refusal) {
  if (!refusal.empty()) throw RegimeRefused(refusal);
}

std::unique_ptr<DeviceVariant> make_tiles(const Problem& problem, tile_bounds::Start start) {
  refuse_unless(tile_bounds::refusal(problem));
  auto made = tile_bounds::make(problem, start);
  const bool found = made->begins_with_tiles();
  BuiltPlan built{found ? by_tiles : by_tiles_later, {}};
  if (start == tile_bounds::Start::by_data) built.findings.emplace_back("tiles-pay-at-first", found);
  made->note_built(std::move(built));
  return made;
}

std::unique_ptr<DeviceVariant> make_points(const Problem& problem, bool always) {
  refuse_unless(point_bounds::refusal(problem));
  auto made = point_bounds::make(problem, always);
  made->note_built({problem.regimes.front(), {}});
  return made;
}

std::unique_ptr<DeviceVariant> make(const Problem& problem) {
  using tile_bounds::Start;
  if (problem.regimes == Names{by_tiles}) return make_tiles(problem, Start::by_tiles);
  if (problem.regimes == Names{by_tiles_later}) return make_tiles(problem, Start::by_brute_force);
  if (problem.regimes == Names{by_tiles, by_tiles_later}) return make_tiles(problem, Start::by_data);
  if (problem.regimes == Names{by_points}) return make_points(problem, false);
  if (problem.regimes == Names{by_points_always}) return make_points(problem, true);
  std::string asked;
  for (const std::string& name : problem.regimes) asked += (asked.empty() ? "" : ", ") + name;
  throw std::invalid_argument("Expected a regime of pruned on CUDA but received '" + asked + "'.");
}

const Registration registration({"pruned", make, {by_tiles, by_tiles_later, by_points, by_points_always}});

}  // namespace
}  // namespace centroid_lab::cuda

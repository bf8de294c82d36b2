// Ours on CUDA: assignment and sums in one pass, by the regime that suits shape and device. See README.md.
#include <utility>

#include "fused_high.hpp"
#include "fused_regimes.hpp"

namespace centroid_lab::cuda {
namespace {

/// From here on matrix units pay.
constexpr int first_high = 33;

std::unique_ptr<DeviceVariant> make_single(const Problem& problem) {
  if (auto small = make_fused_small(problem)) return small;
  if (auto matrix = make_fused_matrix(problem)) return matrix;
  if (auto many = make_fused_many(problem)) return many;
  return make_fused_general(problem);
}

/// With a copy of the points in an order that suits, where that pays.
std::unique_ptr<DeviceVariant> make_prepared(const Problem& problem) {
  auto single = make_single(problem);
  const DeviceVariant* plain = single.get();
  auto made = make_fused_near(problem, std::move(single));
  return made.get() == plain ? make_fused_grid(problem, std::move(made)) : std::move(made);
}

}  // namespace

std::unique_ptr<DeviceVariant> make_fused(const Problem& problem) {
  // The filter of large d keeps a copy of the points.
  if (problem.d >= first_high) return problem.streamed ? make_fused_general(problem) : make_fused_high(problem);
  if (problem.streamed || problem.is_brief) return make_single(problem);
  return make_fused_tiny(problem, make_prepared(problem));
}

}  // namespace centroid_lab::cuda

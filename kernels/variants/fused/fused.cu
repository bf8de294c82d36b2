// Ours on CUDA: assignment and sums in one pass, by the regime that suits shape and device. See README.md.
#include <utility>

#include "fused_high.hpp"
#include "fused_regimes.hpp"

namespace centroid_lab::cuda {
namespace {

/// From here on matrix units pay.
constexpr int first_high = 33;

std::unique_ptr<DeviceVariant> make_single(const Problem& problem) {
  if (auto small = make_fused_small(problem)) return make_fused_grid(problem, std::move(small));
  if (auto matrix = make_fused_matrix(problem)) return make_fused_grid(problem, std::move(matrix));
  if (auto many = make_fused_many(problem)) return make_fused_grid(problem, std::move(many));
  return make_fused_general(problem);
}

}  // namespace

std::unique_ptr<DeviceVariant> make_fused(const Problem& problem) {
  // The filter of large d keeps a copy of the points.
  if (problem.d >= first_high) return problem.streamed ? make_fused_general(problem) : make_fused_high(problem);
  if (problem.streamed) return make_single(problem);
  return make_fused_tiny(problem, make_single(problem));
}

}  // namespace centroid_lab::cuda

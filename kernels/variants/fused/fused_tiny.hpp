// What the parts of the regime for the smallest data share.
#pragma once

#include <memory>
#include <utility>

#include "device_variant.hpp"

namespace centroid_lab::cuda::tiny {

/// No point.
constexpr unsigned nobody = 0xffffffffU;

/// Warps that `arrange_points` may need: `gaps` of them are cut short.
inline std::size_t warps_for(std::size_t n, std::size_t gaps) {
  return (n + 31) / 32 + gaps;
}

/// Gives points to warps, along a Hilbert curve through their box, so that those of a warp lie close together; at the `gaps`
/// widest gaps of the curve a new warp begins. `slots (warps_for, 32)`, device memory: numbers of points, or `nobody`.
/// d up to 4. Waits until it is done.
void arrange_points(const Problem& problem, std::size_t gaps, unsigned* slots);

/// `order (n)`, device memory: rows along a Hilbert curve through the points' box; d up to 4, n below 2^31. Waits.
void order_on_curve(const Problem& problem, unsigned* order);

/// Many iterations in one launch; single ones by another variant.
class WholeRuns : public DeviceVariant {
 public:
  explicit WholeRuns(std::unique_ptr<DeviceVariant> single) : single_(std::move(single)) {}

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return single_->speed(); }
  bool runs_whole() const override { return true; }
  void enqueue_assign(const Pass& pass) override { single_->enqueue_assign(pass); }

 private:
  std::unique_ptr<DeviceVariant> single_;
};

/// Whole runs where the blocks can send each other their sums, because these are few.
template <int D>
bool few_holds(const Problem& problem);
template <int D>
std::unique_ptr<DeviceVariant> make_few(const Problem& problem, std::unique_ptr<DeviceVariant> single);

}  // namespace centroid_lab::cuda::tiny

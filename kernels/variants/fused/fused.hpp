// What regimes of `fused` on CUDA take from each other.
#pragma once

#include <memory>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// The first of `problem.regimes` that no probe of the data passes over; the last is built whatever the data.
/// @throws RegimeRefused where one of those asked for cannot carry it out, std::invalid_argument for an unknown name.
std::unique_ptr<DeviceVariant> make_fused(const Problem& problem);

/// For passes that a regime leaves to others: by `problem.other_passes`, else by the plainest regime that can.
std::unique_ptr<DeviceVariant> make_other_passes(const Problem& problem);

/// The plainest regime that can: it keeps nothing of the points.
std::unique_ptr<DeviceVariant> make_labeller(const Problem& problem);

/// Of regimes that leave distances out.
class LeavesOut {
 public:
  virtual ~LeavesOut() = default;
  virtual double share_of_distances() const = 0;
};

/// What passes of `fused` leave of all distances, from the data: 1 where they look at all centroids.
inline double share_of_distances(const DeviceVariant& variant) {
  const auto* leaving = dynamic_cast<const LeavesOut*>(&variant);
  return leaving == nullptr ? 1 : leaving->share_of_distances();
}

}  // namespace centroid_lab::cuda

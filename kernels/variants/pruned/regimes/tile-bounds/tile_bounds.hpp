// `pruned` for up to 32 features: tiles of neighbouring points with bounds of their own.
#pragma once

#include <memory>
#include <string>

#include "device_variant.hpp"

namespace centroid_lab::cuda::tile_bounds {

/// How a run begins: with tiles; with brute force, until pilots show that tiles pay; or as the data have it.
enum class Start { by_tiles, by_brute_force, by_data };

class Passes : public DeviceVariant {
 public:
  virtual bool begins_with_tiles() const = 0;
};

/// Why the shape or the device does not suit, in one sentence; empty where it can run.
std::string refusal(const Problem& problem);

/// Waits. @throws std::bad_alloc for want of device memory.
std::unique_ptr<Passes> make(const Problem& problem, Start start);

}  // namespace centroid_lab::cuda::tile_bounds

// Which variants the addon was built with: each registers itself, so that its folder is all it takes to have it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Who adds up the members: the device; or the processor, with one thread or with all of them (hybrid.hpp).
enum class SumsBy { device, one_thread, all_threads };

struct RegisteredVariant {
  const char* name;
  /// @throws RegimeRefused where a regime of `problem.regimes` cannot carry it out.
  std::unique_ptr<DeviceVariant> (*make)(const Problem& problem);
  /// Names of its regimes, as in its regimes.cuda.ts; empty where it has one way only.
  std::vector<std::string> regimes;
  /// Can work on points that stay on the host and pass through the device.
  bool can_stream = false;
  SumsBy sums_by = SumsBy::device;
};

/// A variant's own file has one of these at namespace scope.
struct Registration {
  explicit Registration(RegisteredVariant variant);
};

/// By name.
const std::vector<RegisteredVariant>& registered_variants();

/// @throws std::invalid_argument for a name that is none of `registered_variants`.
const RegisteredVariant& registered_variant(const std::string& name);

}  // namespace centroid_lab::cuda

// Every variant of the CUDA engine as a clustering, and the devices it can run on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../clustering.hpp"
#include "variant_plan.hpp"

namespace centroid_lab::cuda {

struct DeviceDescription {
  std::string name;
  std::size_t memory_bytes = 0;
  /// E.g. 9.0
  std::string compute_capability;
};

/// What plans depend on; CudaFacts of src/shared/plan.ts.
struct DeviceFacts {
  std::string name;
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  std::size_t shared_bytes_per_block = 0;
  std::size_t shared_bytes_per_multiprocessor = 0;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  bool cooperative_launch = false;
};

/// @param device index into `find_devices().found`. @throws std::runtime_error.
DeviceFacts device_facts(int device);

/// The devices, or one sentence why there are none.
struct Devices {
  std::vector<DeviceDescription> found;
  std::string reason;
};

/// Never throws: a machine without a driver has no devices.
Devices find_devices();

/// Version of the driver and of the runtime, as 13.0; empty where there is none.
std::string driver_version();
std::string runtime_version();

/// Memory that could still be taken on a device. @throws std::runtime_error.
std::size_t free_bytes(int device);

/// Names of the variants compiled in.
std::vector<std::string> cuda_variants();

/// Names of a variant's regimes; empty where it has one way only.
const std::vector<std::string>& regimes_of(const std::string& variant);

/// Whether a variant can work on points that stay on the host.
bool can_stream(const std::string& variant);

/// Whether the points stay on the host and pass through the device in every iteration, for want of memory there.
bool streams(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, int device);

/// A clustering of points (n, d) that nobody has looked at yet.
/// @param device index into `find_devices().found`.
/// @throws std::bad_alloc for want of device memory, std::invalid_argument for points that are not in engine units,
/// RegimeRefused.
std::unique_ptr<Clustering> open_points(const VariantPlan& plan, const float* x, std::size_t n, std::size_t d, Rules rules,
                                        int device);

/// @param points with magnitudes, unless the device is to find and check them.
/// @param device index into `find_devices().found`.
/// @throws std::bad_alloc for want of device memory, std::invalid_argument for an unknown variant, RegimeRefused.
std::unique_ptr<Clustering> make_clustering(const VariantPlan& plan, Points points, Rules rules, int device);

}  // namespace centroid_lab::cuda

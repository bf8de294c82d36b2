#include "cuda_engine.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "../check_points.hpp"
#include "check.hpp"
#include "device_lloyd.hpp"
#include "hybrid.hpp"
#include "lloyd.hpp"
#include "registered_variants.hpp"
#include "streamed_passes.hpp"

namespace centroid_lab::cuda {
namespace {

std::string version_text(int version) {
  return version == 0 ? "" : std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The beginning of a sentence that says why no GPU can be used.
std::string why_none(cudaError_t status) {
  const bool no_driver = status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary;
  if (no_driver && !driver_version().empty()) {
    return "The NVIDIA driver for CUDA " + driver_version() + " is older than the CUDA " + runtime_version() + " needed here";
  }
  if (no_driver || status == cudaErrorNoDevice || status == cudaSuccess) return "No NVIDIA GPU found";
  return std::string("The NVIDIA GPU cannot be used (") + cudaGetErrorString(status) + ")";
}

}  // namespace

Devices find_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) return {{}, why_none(status)};
  Devices devices;
  for (int device = 0; device < count; device++) {
    cudaDeviceProp properties{};
    const cudaError_t read = cudaGetDeviceProperties(&properties, device);
    if (read != cudaSuccess) return {{}, why_none(read)};
    devices.found.push_back({properties.name, properties.totalGlobalMem,
                             std::to_string(properties.major) + "." + std::to_string(properties.minor)});
  }
  return devices;
}

std::string driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version_text(version) : "";
}

std::string runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version_text(version) : "";
}

std::size_t free_bytes(int device) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaSetDevice(device), "cudaSetDevice");
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

/// Asked for once a device: the answer takes half a millisecond.
DeviceFacts device_facts(int device) {
  static std::mutex one_at_a_time;
  static std::map<int, DeviceFacts> known;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  DeviceFacts& facts = known[device];
  facts.name = properties.name;
  facts.major = properties.major;
  facts.minor = properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  facts.registers_per_multiprocessor = properties.regsPerMultiprocessor;
  facts.shared_bytes_per_block = properties.sharedMemPerBlockOptin;
  facts.shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor;
  facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  facts.memory_bytes = properties.totalGlobalMem;
  facts.cooperative_launch = properties.cooperativeLaunch != 0;
  return facts;
}

std::vector<std::string> cuda_variants() {
  std::vector<std::string> names;
  for (const RegisteredVariant& variant : registered_variants()) names.emplace_back(variant.name);
  return names;
}

const std::vector<std::string>& regimes_of(const std::string& variant) { return registered_variant(variant).regimes; }

bool can_stream(const std::string& variant) { return registered_variant(variant).can_stream; }

bool streams(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, int device) {
  return can_stream(variant) && must_stream(n, d, k, device);
}

std::unique_ptr<Clustering> open_points(const VariantPlan& plan, const float* x, std::size_t n, std::size_t d, Rules rules,
                                        int device) {
  Points points{x, n, d, {}};
  // What lies on the device is looked at there.
  const bool stays_here = registered_variant(plan.variant).sums_by != SumsBy::device;
  if (stays_here || streams(plan.variant, n, d, rules.k, device)) points.max_abs = checked_magnitudes(x, n, d);
  return make_clustering(plan, std::move(points), rules, device);
}

std::unique_ptr<Clustering> make_clustering(const VariantPlan& plan, Points points, Rules rules, int device) {
  const RegisteredVariant& variant = registered_variant(plan.variant);
  if (variant.sums_by != SumsBy::device) return make_hybrid_clustering(variant, std::move(points), rules, device);
  if (streams(plan.variant, points.n, points.d, rules.k, device)) {
    auto passes = make_streamed_passes(points, rules, plan, device);
    return std::make_unique<Lloyd>(std::move(points), rules, std::move(passes));
  }
  return std::make_unique<DeviceLloyd>(std::move(points), rules, plan, device);
}

}  // namespace centroid_lab::cuda

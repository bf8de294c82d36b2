#include "cuda_engine.hpp"

#include <utility>

#include "../check_points.hpp"
#include "check.hpp"
#include "device_lloyd.hpp"
#include "device_variant.hpp"
#include "hybrid.hpp"
#include "lloyd.hpp"
#include "streamed_passes.hpp"

namespace centroid_lab::cuda {
namespace {

std::string version_text(int version) {
  return version == 0 ? "" : std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_none(cudaError_t status) {
  if (status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary) {
    return driver_version().empty() ? "no driver found" : "the driver " + driver_version() + " is older than CUDA " +
                                                             runtime_version();
  }
  if (status == cudaErrorNoDevice || status == cudaSuccess) return "a driver but no GPU found";
  return cudaGetErrorString(status);
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

std::vector<std::string> cuda_variants() { return {device_variants().begin(), device_variants().end()}; }

bool can_stream(const std::string& variant) { return variant == "fused" || variant == "pruned"; }

bool streams(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, int device) {
  return can_stream(variant) && must_stream(n, d, k, device);
}

std::unique_ptr<Clustering> open_points(const std::string& variant, const float* x, std::size_t n, std::size_t d,
                                        Rules rules, int device) {
  Points points{x, n, d, {}};
  // What lies on the device is looked at there.
  if (is_hybrid(variant) || streams(variant, n, d, rules.k, device)) points.max_abs = checked_magnitudes(x, n, d);
  return make_clustering(variant, std::move(points), rules, device);
}

std::unique_ptr<Clustering> make_clustering(const std::string& variant, Points points, Rules rules, int device) {
  if (is_hybrid(variant)) return make_hybrid_clustering(variant, std::move(points), rules, device);
  if (streams(variant, points.n, points.d, rules.k, device)) {
    auto passes = make_streamed_passes(points, rules, device);
    return std::make_unique<Lloyd>(std::move(points), rules, std::move(passes));
  }
  return std::make_unique<DeviceLloyd>(std::move(points), rules, variant, device);
}

}  // namespace centroid_lab::cuda

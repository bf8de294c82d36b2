#include "device_points.hpp"

#include <algorithm>
#include <mutex>

#include "check.hpp"
#include "point_statistics.hpp"
#include "transfer.hpp"

namespace centroid_lab::cuda {
namespace {

struct Held {
  const float* x;
  std::size_t n;
  std::size_t d;
  int device;
  std::weak_ptr<const DevicePoints> points;
};

std::mutex one_at_a_time;

/// Never destroyed: the driver may be gone before.
std::vector<Held>& all_held() {
  static auto* all = new std::vector<Held>;
  return *all;
}

std::shared_ptr<const DevicePoints> uploaded(const float* x, std::size_t n, std::size_t d,
                                             const std::vector<float>& max_abs) {
  auto points = std::make_shared<DevicePoints>(DevicePoints{Buffer<float>(n * d), max_abs});
  copy_to_device(points->x.get(), x, points->x.bytes());
  if (max_abs.empty()) points->max_abs = checked_device_magnitudes(points->x.get(), n, d);
  return points;
}

}  // namespace

std::shared_ptr<const DevicePoints> hold_points(const float* x, std::size_t n, std::size_t d, int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
  const std::shared_ptr<const DevicePoints> points = uploaded(x, n, d, {});
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  std::vector<Held>& all = all_held();
  const auto is_gone = [](const Held& held) { return held.points.expired(); };
  all.erase(std::remove_if(all.begin(), all.end(), is_gone), all.end());
  all.push_back({x, n, d, device, points});
  return points;
}

std::shared_ptr<const DevicePoints> held_points(const float* x, std::size_t n, std::size_t d, int device) {
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  for (const Held& held : all_held()) {
    const bool is_same = held.x == x && held.n == n && held.d == d && held.device == device;
    const auto points = is_same ? held.points.lock() : nullptr;
    if (points != nullptr) return points;
  }
  return nullptr;
}

std::shared_ptr<const DevicePoints> device_points(const float* x, std::size_t n, std::size_t d, int device,
                                                  const std::vector<float>& max_abs) {
  const auto held = held_points(x, n, d, device);
  return held != nullptr ? held : uploaded(x, n, d, max_abs);
}

}  // namespace centroid_lab::cuda

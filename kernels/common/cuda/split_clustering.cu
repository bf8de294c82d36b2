#include "split_clustering.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "../clock.hpp"
#include "../lloyd.hpp"
#include "../parts/joined_parts.hpp"
#include "../parts/lasting_clustering.hpp"
#include "cuda_engine.hpp"
#include "device_lloyd.hpp"
#include "device_passes.hpp"
#include "streamed_passes.hpp"

namespace centroid_lab::cuda {
namespace {

/// Rows of a trial: one in so many, but no fewer than make a device busy.
constexpr std::size_t trial_share = 16, min_trial_rows = 65'536;

std::string name_of(int device) { return device == processor ? "cpu" : "cuda:" + std::to_string(device); }

/// What `work` answers. A failure of the device, which no later call mends, is told as the loss of it.
template <class Work>
auto on_device(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const std::runtime_error& failure) {
    throw WorkerLost(name + ": " + failure.what());
  }
}

/// A part of the rows that lies on a device.
class DevicePart final : public Variant {
 public:
  DevicePart(const Points& part, const Rules& rules, const VariantPlan& plan, int device)
      : name_(name_of(device)), session_(part, rules, plan, device), passes_(session_, rules) {}
  ~DevicePart() override { cudaSetDevice(session_.device()); }

  void restart() override {
    on_device(name_, [&] {
      session_.enter();
      passes_.restart();
    });
  }
  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    return on_device(name_, [&] {
      session_.enter();
      return passes_.pass(centroids, timed, cancel, result);
    });
  }
  void labels_of_pass(std::int32_t* labels) const override {
    on_device(name_, [&] {
      session_.enter();
      passes_.labels_of_pass(labels);
    });
  }
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    return on_device(name_, [&] {
      session_.enter();
      return passes_.assign(centroids, cancel, labels);
    });
  }

 private:
  std::string name_;
  DeviceSession session_;
  DevicePasses passes_;
};

std::unique_ptr<Variant> part_on(int device, const SplitPlan& split, const Rules& rules, const Points& part) {
  if (device == processor) return make_variant(split.on_processor, part, rules.k, Machine{split.threads}).variant;
  return on_device(name_of(device), [&]() -> std::unique_ptr<Variant> {
    if (streams(split.plan.variant, part.n, part.d, rules.k, device)) return make_streamed_passes(part, rules, split.plan, device);
    return std::make_unique<DevicePart>(part, rules, split.plan, device);
  });
}

/// Rows a millisecond, by the second pass over some of them: the first also places them.
double speed_of(const Worker& worker, const Points& points, std::size_t k) {
  const std::size_t rows = std::min(points.n, std::max({points.n / trial_share, min_trial_rows, k}));
  const auto variant = worker.make({points.x, rows, points.d, points.max_abs, points.whole_n()});
  const CancelFlag never{false};
  PassResult result;
  std::vector<float> centroids(points.x, points.x + k * points.d);
  variant->pass(centroids.data(), false, never, result);
  // Other centroids: the same would repeat a result.
  for (std::size_t at = 0; at < centroids.size(); at++) centroids[at] = points.x[points.n * points.d - 1 - at];
  const double began = now_ms();
  variant->pass(centroids.data(), false, never, result);
  return static_cast<double>(rows) / std::max(now_ms() - began, 1e-3);
}

/// Devices of one name are taken for equally fast: a trial would only bring its noise in.
bool are_alike(const std::vector<int>& devices) {
  std::set<std::string> names;
  for (const int device : devices) names.insert(device == processor ? "cpu" : device_facts(device).name);
  return names.size() == 1;
}

/// Measured beside each other, as they will work.
void measure_speeds(std::vector<Worker>& workers, const Points& points, std::size_t k) {
  ThreadPool pool(workers.size());
  pool.run([&](std::size_t at) {
    try {
      workers[at].speed = speed_of(workers[at], points, k);
    } catch (const WorkerLost&) {
      // Opening it says so again.
    }
  });
}

}  // namespace

namespace {

std::vector<Worker> workers_of(const SplitPlan& split, const std::vector<int>& devices, const Points& points, const Rules& rules) {
  std::vector<Worker> workers;
  for (const int device : devices) {
    const auto make = [device, split, rules](const Points& part) { return part_on(device, split, rules, part); };
    workers.push_back({name_of(device), 1, make});
  }
  if (!are_alike(devices)) measure_speeds(workers, points, rules.k);
  return workers;
}

/// By the devices alone.
std::unique_ptr<Clustering> on_devices(const SplitPlan& split, const std::vector<int>& devices, const Points& points, const Rules& rules) {
  std::vector<double> speeds;
  for (const Worker& worker : workers_of(split, devices, points, rules)) speeds.push_back(worker.speed);
  const std::vector<RowRange> ranges = split_rows(points.n, speeds, split.step);
  std::vector<TeamPart> parts;
  for (std::size_t at = 0; at < devices.size(); at++) {
    if (ranges[at].count > 0) parts.push_back({devices[at], ranges[at]});
  }
  return std::make_unique<DeviceLloyd>(points, rules, split.plan, parts, split.exchange);
}

/// Does not wait for what it does: a fault stays with a device for good.
bool answers(int device) {
  const cudaError_t status = cudaSetDevice(device) == cudaSuccess ? cudaStreamQuery(nullptr) : cudaErrorInvalidDevice;
  cudaGetLastError();
  return status == cudaSuccess || status == cudaErrorNotReady;
}

bool all_fit(const SplitPlan& split, const Points& points, std::size_t k) {
  const std::size_t rows = points.n / split.devices.size() + 1;
  return std::none_of(split.devices.begin(), split.devices.end(), [&](int device) {
    return device == processor || streams(split.plan.variant, rows, points.d, k, device);
  });
}

}  // namespace

std::unique_ptr<Clustering> make_split_clustering(const SplitPlan& split, Points points, Rules rules) {
  if (all_fit(split, points, rules.k)) {
    const auto make = [=](const std::vector<int>& devices) { return on_devices(split, devices, points, rules); };
    return std::make_unique<LastingClustering>(split.devices, make, answers, name_of);
  }
  auto parts = std::make_unique<JoinedParts>(points, rules.k, workers_of(split, split.devices, points, rules), split.step);
  return std::make_unique<Lloyd>(std::move(points), rules, std::move(parts));
}

}  // namespace centroid_lab::cuda

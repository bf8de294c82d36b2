#include "streamed_passes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../clock.hpp"
#include "../fixed_point.hpp"
#include "cuda_engine.hpp"
#include "device_session.hpp"
#include "device_variant.hpp"
#include "memory.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

/// Large enough for the link's full bandwidth, small enough that a cancel need not wait.
constexpr std::size_t piece_bytes = std::size_t{256} << 20;
/// Pieces begin on this many points: vector loads of any d stay aligned.
constexpr std::size_t piece_step = 1024;
/// For the driver, the context and work space that does not grow with the points.
constexpr std::size_t spare_bytes = std::size_t{256} << 20;

std::size_t usable_bytes(int device) {
  std::size_t usable = free_bytes(device);
  usable -= std::min(usable, spare_bytes);
  const char* given = std::getenv("CENTROID_LAB_CUDA_MEMORY");
  return given == nullptr ? usable : std::min(usable, static_cast<std::size_t>(std::strtoull(given, nullptr, 10)));
}

/// Whether it is a mapped file (scratch/scratch_file.hpp): locked, all of it would have to stay in memory.
bool lies_in_file(const float* data) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(data);
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    char permissions[5] = "";
    if (std::sscanf(line.c_str(), "%llx-%llx %4s", &begin, &end, permissions) != 3) continue;
    if (wanted >= begin && wanted < end) return permissions[3] == 's';
  }
  return false;
}

/// Page-locked while it lives, where the system allows it: the link is five times as fast from there.
class Locked {
 public:
  Locked(const float* data, std::size_t bytes) : data_(lies_in_file(data) ? nullptr : const_cast<float*>(data)) {
    if (data_ == nullptr) return;
    if (cudaHostRegister(data_, bytes, cudaHostRegisterPortable) == cudaSuccess) return;
    data_ = nullptr;
    cudaGetLastError();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() {
    if (data_ != nullptr) cudaHostUnregister(data_);
  }

 private:
  float* data_;
};

/// Sessions over the same points share the lock: memory is locked once, and until the last of them ends.
std::shared_ptr<Locked> locked(const float* data, std::size_t bytes) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<const float*, std::size_t>, std::weak_ptr<Locked>> locks;
  const std::lock_guard<std::mutex> guard(one_at_a_time);
  std::weak_ptr<Locked>& known = locks[{data, bytes}];
  std::shared_ptr<Locked> lock = known.lock();
  if (lock == nullptr) known = lock = std::make_shared<Locked>(data, bytes);
  return lock;
}

/// One of the two buffers, and the piece in it.
struct Slot {
  Slot(const RegisteredVariant& registered, const Problem& problem, std::size_t points)
      : x(points * static_cast<std::size_t>(problem.d)), labels(points), labels_here(points) {
    Problem mine = problem;
    mine.x = x.get();
    mine.n = points;
    variant = registered.make(mine);
  }

  Buffer<float> x;
  Buffer<std::int32_t> labels;
  Pinned<std::int32_t> labels_here;
  std::unique_ptr<DeviceVariant> variant;
  Event copied;
  Event assigned;
  std::size_t first = 0;
  /// 0 while the buffer is free.
  std::size_t count = 0;
};

class StreamedPasses final : public Variant {
 public:
  StreamedPasses(const Points& points, const Rules& rules, const VariantPlan& plan, int device)
      : points_(points), rules_(rules), device_((check(cudaSetDevice(device), "cudaSetDevice"), device)), fixed_(points),
        scale_(points.d), centroids_(rules.k * points.d), sums_(rules.k * points.d), counts_(rules.k), state_(1),
        changed_(1), locked_(locked(points.x, points.n * points.d * sizeof(float))) {
    scale_.fill(fixed_.scale(), points.d);
    Problem problem;
    problem.d = static_cast<int>(points.d);
    problem.k = static_cast<int>(rules.k);
    problem.max_abs = points_.max_abs.data();
    problem.scale = scale_.get();
    problem.streamed = true;
    problem.regimes = plan.regimes;
    problem.other_passes = plan.other_passes;
    check(cudaGetDeviceProperties(&problem.device, device), "cudaGetDeviceProperties");
    const std::size_t most = points_per_piece(problem);
    for (auto& slot : slots_) slot = std::make_unique<Slot>(registered_variant(plan.variant), problem, most);
    state_.clear(compute_.get());
    changed_.clear(compute_.get());
    restart();
    compute_.wait();
  }

  ~StreamedPasses() override {
    cudaSetDevice(device_);
    cudaDeviceSynchronize();
  }

  void restart() override { has_labels_ = false; }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    set_centroids(centroids);
    sums_.clear(compute_.get());
    counts_.clear(compute_.get());
    const bool keep = rules_.needs_changed() || rules_.empty == EmptyPolicy::farthest;
    labels_.resize(keep ? points_.n : 0);
    result.changed = 0;
    const auto take = [&](const Slot& slot) {
      if (keep) result.changed += keep_labels(slot, labels_.data());
    };
    if (!sweep({true, keep}, cancel, take)) return has_labels_ = false;
    has_labels_ = keep;
    collect(result);
    if (timed) result.iterate_ms = now_ms() - began;
    return true;
  }

  void labels_of_pass(std::int32_t* labels) const override {
    if (has_labels_) std::copy(labels_.begin(), labels_.end(), labels);
    else const_cast<StreamedPasses*>(this)->label(CancelFlag{false}, labels);
  }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    set_centroids(centroids);
    return label(cancel, labels);
  }

 private:
  struct Want {
    bool accumulate;
    bool labels;
  };

  std::size_t points_per_piece(const Problem& problem) const {
    const std::size_t row = points_.d * sizeof(float) + sizeof(std::int32_t);
    const std::size_t affordable = std::min(piece_bytes, usable_bytes(device_) / 3) / row;
    const std::size_t in_time = points_in_time(points_, rules_.k, problem.device, device_, streamed_speed);
    const std::size_t most = std::min(affordable, in_time) / piece_step * piece_step;
    return std::clamp(most, piece_step, (points_.n + piece_step - 1) / piece_step * piece_step);
  }

  /// Rows on the device are the clusters in play, in order.
  void set_centroids(const float* centroids) {
    check(cudaSetDevice(device_), "cudaSetDevice");
    in_play_.clear();
    std::vector<float> rows;
    for (std::size_t cluster = 0; cluster < rules_.k; cluster++) {
      const float* row = centroids + cluster * points_.d;
      if (std::isnan(row[0])) continue;
      in_play_.push_back(static_cast<std::int32_t>(cluster));
      rows.insert(rows.end(), row, row + points_.d);
    }
    compute_.wait();
    centroids_.fill(rows.data(), rows.size());
  }

  bool label(const CancelFlag& cancel, std::int32_t* labels) {
    return sweep({false, true}, cancel, [&](const Slot& slot) { keep_labels(slot, labels); });
  }

  /// Copies the labels of a piece to where all are kept, as clusters. @returns how many are others than before.
  std::int64_t keep_labels(const Slot& slot, std::int32_t* all) const {
    std::int64_t changed = 0;
    std::int32_t* to = all + slot.first;
    const std::int32_t* from = slot.labels_here.get();
    for (std::size_t i = 0; i < slot.count; i++) {
      const std::int32_t cluster = in_play_[static_cast<std::size_t>(from[i])];
      changed += to[i] != cluster;
      to[i] = cluster;
    }
    return changed;
  }

  /// Every piece once; `take` gets each when its labels have arrived. @returns false when cancelled.
  template <class Take>
  bool sweep(const Want& want, const CancelFlag& cancel, const Take& take) {
    std::size_t turn = 0;
    for (std::size_t first = 0; first < points_.n; turn++) {
      Slot& slot = *slots_[turn % slots_.size()];
      finish(slot, take);
      if (cancel.load(std::memory_order_relaxed)) return drain();
      slot.first = first;
      slot.count = std::min(slot.labels.size(), points_.n - first);
      first += slot.count;
      enqueue(slot, want);
    }
    for (std::size_t left = 0; left < slots_.size(); left++) finish(*slots_[(turn + left) % slots_.size()], take);
    return true;
  }

  void enqueue(Slot& slot, const Want& want) {
    const std::size_t values = slot.count * points_.d;
    check(cudaMemcpyAsync(slot.x.get(), points_.row(slot.first), values * sizeof(float), cudaMemcpyHostToDevice, copy_.get()),
          "cudaMemcpyAsync of points");
    slot.copied.record(copy_.get());
    check(cudaStreamWaitEvent(compute_.get(), slot.copied.get(), 0), "cudaStreamWaitEvent");
    slot.variant->restart(compute_.get());
    slot.variant->enqueue_assign(pass_over(slot, want));
    if (want.labels) {
      check(cudaMemcpyAsync(slot.labels_here.get(), slot.labels.get(), slot.count * sizeof(std::int32_t),
                            cudaMemcpyDeviceToHost, compute_.get()),
            "cudaMemcpyAsync of labels");
    }
    slot.assigned.record(compute_.get());
  }

  Pass pass_over(const Slot& slot, const Want& want) const {
    Pass pass;
    pass.centroids = centroids_.get();
    pass.k = static_cast<int>(in_play_.size());
    pass.count = slot.count;
    pass.labels = want.labels || slot.variant->needs_labels() ? slot.labels.get() : nullptr;
    pass.accumulate = want.accumulate;
    pass.write_labels = want.labels;
    pass.fixed_sums = sums_.get();
    pass.counts = counts_.get();
    pass.changed = changed_.get();
    pass.halted = &state_.get()->halted;
    pass.stream = compute_.get();
    return pass;
  }

  template <class Take>
  static void finish(Slot& slot, const Take& take) {
    if (slot.count == 0) return;
    slot.assigned.wait();
    take(slot);
    slot.count = 0;
  }

  bool drain() {
    copy_.wait();
    compute_.wait();
    for (auto& slot : slots_) slot->count = 0;
    return false;
  }

  void collect(PassResult& result) const {
    const std::size_t d = points_.d;
    std::vector<long long> sums(in_play_.size() * d);
    std::vector<unsigned> counts(in_play_.size());
    sums_.read(sums.data(), sums.size());
    counts_.read(counts.data(), counts.size());
    result.sums.assign(rules_.k * d, 0.0);
    result.counts.assign(rules_.k, 0);
    if (result.wants_fixed) result.fixed.assign(rules_.k * d, 0);
    for (std::size_t row = 0; row < in_play_.size(); row++) {
      const auto cluster = static_cast<std::size_t>(in_play_[row]);
      result.counts[cluster] = counts[row];
      if (result.wants_fixed) std::copy_n(sums.data() + row * d, d, result.fixed.data() + cluster * d);
      for (std::size_t j = 0; j < d; j++) {
        result.sums[cluster * d + j] = static_cast<double>(sums[row * d + j]) * fixed_.unit(j);
      }
    }
  }

  /// As `DeviceVariant::speed` of the regimes that stream.
  static constexpr double streamed_speed = 0.2;

  Points points_;
  Rules rules_;
  int device_;
  FixedPoint fixed_;
  Stream compute_;
  Stream copy_;
  Buffer<float> scale_;
  Buffer<float> centroids_;
  Buffer<long long> sums_;
  Buffer<unsigned> counts_;
  Buffer<RunState> state_;
  Buffer<unsigned> changed_;
  std::shared_ptr<Locked> locked_;
  std::array<std::unique_ptr<Slot>, 2> slots_;
  std::vector<std::int32_t> in_play_;
  /// (n) of the last pass, where it kept them.
  std::vector<std::int32_t> labels_;
  bool has_labels_ = false;
};

}  // namespace

bool must_stream(std::size_t n, std::size_t d, std::size_t k, int device) {
  // The points, two labels and what a pass keeps of a point, and (k, d) in float32, in int64 and once more in float32.
  return n * (d * sizeof(float) + 12) + k * d * 16 > usable_bytes(device);
}

std::unique_ptr<Variant> make_streamed_passes(const Points& points, const Rules& rules, const VariantPlan& plan, int device) {
  return std::make_unique<StreamedPasses>(points, rules, plan, device);
}

}  // namespace centroid_lab::cuda

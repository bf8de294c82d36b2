// `mini-batch`: every iteration looks at a few points drawn at random. Approximate. See README.md.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "clock.hpp"
#include "methods/tiles/tile_passes.hpp"
#include "nearest.hpp"
#include "philox.hpp"
#include "thread_pool.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t min_batch = 1024;
/// Every cluster gets a few points of a batch, in the mean.
constexpr std::size_t points_of_cluster = 4;
/// Multiply-adds of a batch under which one thread is faster.
constexpr std::size_t work_for_threads = 1 << 18;
/// Of src/engine/init/philox.ts: no other draw has these addresses.
constexpr std::uint32_t stream = 11;

/// Draws with the same start are the same: the key comes from its bits (FNV-1a, 64 bits).
std::uint64_t key_of(const float* centroids, std::size_t count) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t at = 0; at < count; at++) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, centroids + at, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3;
  }
  return hash;
}

class MiniBatch final : public Variant {
 public:
  MiniBatch(const Points& points, std::size_t k, const Machine& machine)
      : points_(points), k_(k), machine_(machine), size_(std::max(min_batch, points_of_cluster * k)),
        pool_(size_ * k * points.d < work_for_threads ? 1 : machine.threads), rows_(size_ * points.d), labels_(size_),
        sums_(k * points.d), counts_(k) {}

  void restart() override {
    batch_ = 0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    std::fill(counts_.begin(), counts_.end(), 0);
  }

  /// A batch takes a moment, so nothing is cancelled in its middle.
  bool pass(const float* centroids, bool timed, const CancelFlag&, PassResult& result) override {
    const double began = mark(timed);
    if (batch_ == 0) key_ = key_of(centroids, k_ * points_.d);
    draw();
    label(centroids);
    const double assigned = mark(timed);
    add_members();
    result.sums = sums_;
    result.counts = counts_;
    result.changed = 0;
    result.same_labels = false;
    if (timed) {
      result.assign_ms = assigned - began;
      result.update_ms = now_ms() - assigned;
    }
    return true;
  }

  /// Only `farthest` asks, which this variant is refused with: most points have no label.
  void labels_of_pass(std::int32_t* labels) const override { std::fill_n(labels, points_.n, 0); }

  /// All points, exactly.
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    if (!all_) all_ = make_tile_passes(points_, k_, machine_, Choice::by_distances);
    return all_->assign(centroids, cancel, labels);
  }

 private:
  /// Copies the rows of the next batch, drawn with replacement.
  void draw() {
    const auto low = static_cast<std::uint32_t>(key_);
    const auto high = static_cast<std::uint32_t>(key_ >> 32);
    for (std::size_t i = 0; i < size_; i++) {
      const PhiloxBlock words = philox4x32({static_cast<std::uint32_t>(i), 0, batch_, stream}, low, high);
      // n has at most 31 bits, so the product fits; the bias is below n / 2^32.
      const std::size_t row = static_cast<std::size_t>((std::uint64_t{words[0]} * points_.n) >> 32);
      std::copy_n(points_.row(row), points_.d, rows_.data() + i * points_.d);
    }
    batch_++;
  }

  void label(const float* centroids) {
    const Points batch{rows_.data(), size_, points_.d, {}};
    const std::size_t chunk = points_per_look(k_, points_.d) / 8 + 1;
    const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
      label_nearest(batch, first, last, centroids, k_, labels_.data());
    };
    pool_.share(size_, chunk, visit, [] { return false; });
  }

  void add_members() {
    for (std::size_t i = 0; i < size_; i++) {
      const std::size_t cluster = static_cast<std::size_t>(labels_[i]);
      const float* row = rows_.data() + i * points_.d;
      double* sums = sums_.data() + cluster * points_.d;
      for (std::size_t j = 0; j < points_.d; j++) sums[j] += static_cast<double>(row[j]);
      counts_[cluster]++;
    }
  }

  Points points_;
  std::size_t k_;
  Machine machine_;
  /// Points of a batch.
  std::size_t size_;
  ThreadPool pool_;
  std::vector<float> rows_;
  std::vector<std::int32_t> labels_;
  /// Of all batches since the start.
  std::vector<double> sums_;
  std::vector<std::int64_t> counts_;
  std::uint64_t key_ = 0;
  std::uint32_t batch_ = 0;
  /// For the labels at the end; made when they are asked for.
  std::unique_ptr<Variant> all_;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<MiniBatch>(points, k, machine);
}

}  // namespace

CpuRegime mini_batch_as_studied() { return {"mini-batch", as_studied, make}; }

}  // namespace centroid_lab

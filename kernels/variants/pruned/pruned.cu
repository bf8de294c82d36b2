// Bounds after Hamerly (2010): a point whose upper bound to its own centroid lies under every lower bound to another is
// skipped. See README.md, "CUDA". Iterations in which bounds cannot pay, and labelling, are brute force by `fused`.
#include <cstdlib>
#include <memory>

#include "bounds.cuh"
#include "check.hpp"
#include "memory.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

/// Enough blocks to fill large cards; they loop.
constexpr int resident_blocks_per_multiprocessor = 8;
constexpr int most_features = 32;
constexpr int fewest_clusters = 16;
/// Multiply-adds of a pass under which brute force ends before nine kernels have started.
constexpr double least_products = 1e9;

/// Set by tests, whose cases are small on purpose.
bool prunes_always() { return std::getenv("CENTROID_LAB_PRUNE_ALWAYS") != nullptr; }

class Pruned final : public DeviceVariant {
 public:
  explicit Pruned(const Problem& problem)
      : problem_(problem), fused_(make_fused(problem)), plan_(1), labels_(problem.n), upper_(problem.n),
        lower_(problem.n), list_(problem.n), before_(size()), shift_(clusters()), gap_(clusters()), sums_(size()),
        counts_(clusters()) {
    blocks_ = static_cast<unsigned>(problem.device.multiProcessorCount * resident_blocks_per_multiprocessor);
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return fused_->speed(); }

  void restart(cudaStream_t stream) override {
    fused_->restart(stream);
    plan_.clear(stream);
    before_.clear(stream);
  }

  void enqueue_assign(const Pass& pass) override {
    if (!pass.accumulate) return fused_->enqueue_assign(pass);
    const BoundsArguments to = arguments(pass);
    if (pass.first == 0) enqueue_plan(to, pass);
    Pass brute = pass;
    brute.halted = &plan_.get()->skip_brute;
    fused_->enqueue_assign(brute);
    enqueue_bounded_pass(to, pass, blocks_);
    if (pass.first + pass.count == problem_.n) enqueue_publish(to, pass);
  }

 private:
  std::size_t clusters() const { return static_cast<std::size_t>(problem_.k); }
  std::size_t size() const { return clusters() * static_cast<std::size_t>(problem_.d); }

  BoundsArguments arguments(const Pass& pass) const {
    BoundsArguments to;
    to.x = problem_.x;
    to.scale = problem_.scale;
    to.n = problem_.n;
    to.d = problem_.d;
    to.k = pass.k;
    to.plan = plan_.get();
    to.labels = labels_.get();
    to.upper = upper_.get();
    to.lower = lower_.get();
    to.list = list_.get();
    to.before = before_.get();
    to.shift = shift_.get();
    to.gap = gap_.get();
    to.sums = sums_.get();
    to.counts = counts_.get();
    return to;
  }

  Problem problem_;
  std::unique_ptr<DeviceVariant> fused_;
  Buffer<Plan> plan_;
  Buffer<std::int32_t> labels_;
  Buffer<float> upper_;
  Buffer<float> lower_;
  Buffer<unsigned> list_;
  Buffer<float> before_;
  Buffer<float> shift_;
  Buffer<float> gap_;
  Buffer<long long> sums_;
  Buffer<unsigned> counts_;
  unsigned blocks_;
};

}  // namespace

std::unique_ptr<DeviceVariant> make_pruned(const Problem& problem) {
  // Elsewhere the matrix units, or so few centroids that a bound costs as much as the distances it saves.
  if (problem.d > most_features || problem.k < fewest_clusters) return make_fused(problem);
  const double products = static_cast<double>(problem.n) * problem.d * problem.k;
  if (products < least_products && !prunes_always()) return make_fused(problem);
  return std::make_unique<Pruned>(problem);
}

}  // namespace centroid_lab::cuda

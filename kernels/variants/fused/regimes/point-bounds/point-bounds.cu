// `fused` with two bounds a point, for many features: brute force, whose filter and distances leave the bounds behind, until few
// labels are open; then visits of those alone. See proof.md.
#include "../../regimes.hpp"
#include "check.hpp"
#include "kernels.cuh"
#include "memory.hpp"
#include "methods/matrix-filter/matrix_filter.hpp"

namespace centroid_lab::cuda::point_bounds {
namespace {

constexpr int min_features = 33;
constexpr std::size_t max_points = std::size_t{1} << 31;
/// The square of it is kept.
constexpr int max_clusters = 4096;
/// Cycles that a multiprocessor is expected to take for one that it is counted.
constexpr double waiting = 4;

class PointBounds final : public DeviceVariant {
 public:
  explicit PointBounds(const Problem& problem) : n_(problem.n) {
    const auto k = static_cast<std::size_t>(problem.k), d = static_cast<std::size_t>(problem.d);
    to_.x = problem.x;
    to_.n = problem.n;
    to_.d = problem.d;
    to_.k = problem.k;
    to_.width = fours_of(problem.d) * 4;
    to_.scale = problem.scale;
    state_ = Buffer<PassState>(1);
    kept_ = Buffer<Kept>(n_);
    outside_ = Buffer<float>(n_);
    open_ = Buffer<Open>(n_);
    order_ = Buffer<unsigned>(n_);
    visits_ = Buffer<VisitOf>(n_ / visit_points + k);
    clusters_ = Buffer<float>(k * (5 + d + static_cast<std::size_t>(to_.width)));
    apart_ = Buffer<float>(k * k);
    open_counts_ = Buffer<Count>(k);
    numbers_ = Buffer<unsigned>(4 * k);
    sums_ = Buffer<long long>(k * d);
    clusters_.clear(nullptr);
    numbers_.clear(nullptr);
    kept_.clear(nullptr);
    // Of a centroid and itself nothing is ever written, though it is read along with the rest.
    apart_.clear(nullptr);
    point_out(k, d);
    blocks_ = visiting_blocks(to_, problem.device);
    if (blocks_ == 0) throw RegimeRefused("Visits of open points do not fit into the shared memory of a block.");
    to_.always = problem.filter.visits_always;
    to_.expected_rate = expected_rate(problem);
    auto brute_force = make_filtered_passes(problem, &to_.records);
    has_filter_ = brute_force->has_filter();
    brute_force_ = std::move(brute_force);
  }

  bool has_filter() const { return has_filter_; }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return brute_force_->speed(); }

  void restart(cudaStream_t stream) override {
    brute_force_->restart(stream);
    state_.clear(stream);
  }

  void enqueue_assign(const Pass& pass) override {
    if (!pass.accumulate) return brute_force_->enqueue_assign(pass);
    if (pass.first != 0 || pass.count != n_) {
      // Parts of a pass keep nothing.
      state_.clear(pass.stream);
      return brute_force_->enqueue_assign(pass);
    }
    enqueue_motion(to_, pass);
    enqueue_scan(to_, pass);
    Pass brute = pass;
    brute.halted = &to_.state->skip_brute;
    brute_force_->enqueue_assign(brute);
    enqueue_visits(to_, pass, blocks_);
    enqueue_handover(to_, pass);
  }

 private:
  void point_out(std::size_t k, std::size_t d) {
    to_.state = state_.get();
    float* next = clusters_.get();
    const auto take = [&](std::size_t size) { return std::exchange(next, next + size); };
    // Rows first: they are read sixteen bytes at a time.
    to_.rows = take(k * static_cast<std::size_t>(to_.width));
    to_.before = take(k * d);
    to_.travelled = take(k);
    to_.approached = take(k);
    to_.shift = take(k);
    to_.nearby = take(k);
    to_.reach = take(k);
    to_.apart = apart_.get();
    to_.open = open_.get();
    to_.order = order_.get();
    to_.visits = visits_.get();
    to_.neighbours = numbers_.get();
    to_.open_counts = open_counts_.get();
    to_.open_starts = to_.neighbours + k;
    to_.visit_starts = to_.open_starts + k;
    to_.counts = to_.visit_starts + k;
    to_.sums = sums_.get();
    to_.records = {outside_.get(), kept_.get(), to_.travelled, to_.approached, to_.reach, &to_.state->noting};
  }

  static float expected_rate(const Problem& problem) {
    int kilohertz = 0, device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device), "cudaDeviceGetAttribute");
    return static_cast<float>(waiting / (problem.device.multiProcessorCount * kilohertz * 1e-6));
  }

  std::size_t n_;
  std::unique_ptr<DeviceVariant> brute_force_;
  bool has_filter_ = false;
  unsigned blocks_ = 0;
  Arguments to_;
  Buffer<PassState> state_;
  Buffer<Kept> kept_;
  Buffer<float> outside_;
  Buffer<Open> open_;
  Buffer<unsigned> order_;
  Buffer<VisitOf> visits_;
  /// rows, before, travelled, approached, shift, nearby, reach.
  Buffer<float> clusters_;
  Buffer<float> apart_;
  Buffer<Count> open_counts_;
  /// neighbours, open_starts, visit_starts, counts.
  Buffer<unsigned> numbers_;
  Buffer<long long> sums_;
};

std::string refusal(const Problem& problem) {
  const std::string refused = refuses_filter(problem);
  if (!refused.empty()) return refused;
  if (problem.d < min_features || problem.d > max_features) return "Bounds a point are kept for 33 to 256 features.";
  if (problem.n >= max_points) return "Bounds are kept of up to 2147483647 points.";
  if (problem.k > max_clusters) return "Bounds a point are kept for up to 4096 clusters, whose distances are kept.";
  return "";
}

/// @throws RegimeRefused where points are all alike and nothing else was planned, std::bad_alloc for want of device memory.
std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes& probes) {
  auto made = std::make_unique<PointBounds>(problem);
  if (!probes.find("points-differ", made->has_filter())) return nullptr;
  if (!made->has_filter()) throw RegimeRefused("Bounds of points come from a filter that needs points that differ.");
  return made;
}

}  // namespace
}  // namespace centroid_lab::cuda::point_bounds

namespace centroid_lab::cuda::fused {

const Regime point_bounds{"point-bounds", cuda::point_bounds::refusal, cuda::point_bounds::make};

}  // namespace centroid_lab::cuda::fused

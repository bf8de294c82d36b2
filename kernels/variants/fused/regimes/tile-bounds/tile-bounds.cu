// `fused` for up to 32 features and many clusters: visits only tiles of neighbouring points whose labels may have changed, and
// compares them there with the centroids that can have come nearest. See proof.md. Passes in which that cannot pay, and
// labelling, are brute force by other regimes.
#include <algorithm>
#include <memory>

#include "../../fused.hpp"
#include "../../regimes.hpp"
#include "check.hpp"
#include "memory.hpp"
#include "methods/ordering/neighbour_order.hpp"
#include "tiles.cuh"

namespace centroid_lab::cuda::tile_bounds {
namespace {

/// Below, sums over a warp would not fit 32 bits (visit.cuh).
constexpr std::size_t min_points = ordering::min_ordered;
constexpr std::size_t max_points = std::size_t{1} << 31;
/// Labels are kept in 16 bits.
constexpr int max_clusters = 65533;
/// With more features brute force has the filter on matrix units.
constexpr int max_features = 32;
/// Share of the cost of brute force that the first passes may be expected to take, for a run to begin with tiles.
constexpr double share_to_begin = 2.3;

int width_of(int d) {
  if (d <= 2) return 2;
  if (d <= 4) return 4;
  if (d <= 8) return 8;
  return d <= 16 ? 16 : (d + 3) / 4 * 4;
}

class TileBounds final : public DeviceVariant {
 public:
  explicit TileBounds(const Problem& problem)
      : n_(problem.n), blocks_(visiting_blocks(problem.d, problem.device)) {
    to_.n = problem.n;
    to_.tiles = (problem.n + tile_points - 1) / tile_points;
    to_.d = problem.d;
    to_.k = problem.k;
    to_.width = width_of(problem.d);
    to_.lead_stride = (problem.k + 31) / 32 * 32;
    to_.scale = problem.scale;
    const auto k = static_cast<std::size_t>(problem.k), d = static_cast<std::size_t>(problem.d);
    const auto width = static_cast<std::size_t>(to_.width);
    state_ = Buffer<PassState>(1);
    order_ = Buffer<unsigned>(problem.n);
    ordering::order_neighbours(problem, make_labeller, order_.get());
    // After the order, which has its own `fused` with fewer clusters: what a kernel may take of shared memory is set per kernel.
    Problem ordered = problem;
    ordered.order = order_.get();
    brute_force_ = make_other_passes(ordered);
    set_costs();
    points_ = Buffer<float>(to_.tiles * tile_points * d);
    balls_ = Buffer<float>(to_.tiles * (width + 1));
    headers_ = Buffer<TileHeader>(to_.tiles);
    leads_ = Buffer<float>(to_.tiles * static_cast<std::size_t>(to_.lead_stride));
    labels_ = Buffer<std::uint16_t>(to_.tiles * tile_points);
    centroids_ = Buffer<float>(k * (2 * d + width + 2));
    sums_ = Buffer<long long>(k * d);
    counts_ = Buffer<unsigned>(k);
    to_.state = state_.get();
    to_.order = order_.get();
    to_.points = points_.get();
    to_.centres = balls_.get();
    to_.radii = balls_.get() + to_.tiles * width;
    to_.headers = headers_.get();
    to_.leads = leads_.get();
    to_.labels = labels_.get();
    to_.rows = centroids_.get();
    to_.before = to_.rows + k * width;
    to_.columns = to_.before + k * d;
    to_.shift = to_.columns + k * d;
    to_.travelled = to_.shift + k;
    to_.sums = sums_.get();
    to_.counts = counts_.get();
    centroids_.clear(nullptr);
    headers_.clear(nullptr);
    labels_.clear(nullptr);
    build_tiles(problem.x, to_, points_.get(), balls_.get(), balls_.get() + to_.tiles * width);
    // Measured: where brute force leaves most distances out, tiles do not win in the first passes.
    to_.begins_brute = expected_share(problem) > share_to_begin || share_of_distances(*brute_force_) < 1;
  }

  bool begins_with_tiles() const { return !to_.begins_brute; }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return brute_force_->speed(); }

  void restart(cudaStream_t stream) override {
    brute_force_->restart(stream);
    state_.clear(stream);
    // Features that fill up a row stay zero; so does what the first pass compares with.
    centroids_.clear(stream);
    is_halfway_ = false;
  }

  void enqueue_assign(const Pass& pass) override {
    if (!pass.accumulate) return brute_force_->enqueue_assign(pass);
    // A pass that was cancelled has left some labels and sums unmade.
    if (pass.first == 0 && is_halfway_) state_.clear(pass.stream);
    is_halfway_ = pass.first + pass.count < n_;
    if (pass.first == 0) enqueue_pass_mode(to_, pass);
    Pass brute = pass;
    brute.halted = &to_.state->skip_brute;
    brute_force_->enqueue_assign(brute);
    enqueue_visit(to_, pass, blocks_);
  }

 private:
  /// What a pass by tiles would cost with points at even distances as centroids, as a share of brute force; waits.
  double expected_share(const Problem& problem) const {
    const Buffer<float> centroids(static_cast<std::size_t>(problem.k) * problem.d);
    const std::size_t row = static_cast<std::size_t>(problem.d) * sizeof(float);
    // A copy takes no rows farther apart.
    const std::size_t apart = std::min(problem.n / problem.k, problem.device.memPitch / row);
    check(cudaMemcpy2D(centroids.get(), row, problem.x, apart * row, row, problem.k, cudaMemcpyDeviceToDevice),
          "cudaMemcpy2D");
    Pass pass;
    pass.centroids = centroids.get();
    pass.k = problem.k;
    pass.count = problem.n;
    pass.halted = &to_.state->skip_tiles;
    TileArguments pilots = to_;
    pilots.begins_brute = true;
    state_.clear(nullptr);
    enqueue_pass_mode(pilots, pass);
    enqueue_visit(pilots, pass, blocks_);
    PassState state;
    state_.read(&state, 1);
    return static_cast<double>(state.work) * pilot_stride / to_.brute_cost;
  }

  /// In instructions of a warp; what they are for is the choice between two ways of a pass.
  void set_costs() {
    const double d = to_.d;
    const bool in_registers = to_.d <= 16;
    // Twice what the kernels issue: a warp waits as long for memory.
    to_.search_cost = static_cast<unsigned>((in_registers ? 10 : 16) * to_.width + 120);
    to_.candidate_cost = static_cast<unsigned>(points_per_lane * ((in_registers ? 4.2 : 5.2) * to_.width + 20) + 40);
    to_.tile_cost = static_cast<unsigned>(400 + 40 * d);
    // Measured: of the time of scores in split products the filter takes so much.
    const double by_filter = brute_force_->built().regime == "matrix-filter" ? 0.4 : 1;
    const double per_point = by_filter * 0.6 * (to_.k * (1.25 * to_.width + 3) + 20 * d);
    // Measured: what is left of the distances, 1.1 instructions more each than their arithmetic, and sums, in the units of the above.
    const double left = share_of_distances(*brute_force_);
    const double near = 1.4 * (1.1 * left * to_.k * (2 * to_.width + 3) + 10 * d + 40);
    to_.brute_cost = static_cast<double>(to_.tiles) * points_per_lane * (left < 1 ? std::min(near, per_point) : per_point);
  }

  std::size_t n_;
  std::unique_ptr<DeviceVariant> brute_force_;
  unsigned blocks_;
  TileArguments to_;
  bool is_halfway_ = false;
  Buffer<PassState> state_;
  Buffer<unsigned> order_;
  Buffer<float> points_;
  Buffer<float> balls_;
  Buffer<TileHeader> headers_;
  Buffer<float> leads_;
  Buffer<std::uint16_t> labels_;
  /// rows, before, columns, shift, travelled.
  Buffer<float> centroids_;
  Buffer<long long> sums_;
  Buffer<unsigned> counts_;
};

std::string refusal(const Problem& problem) {
  if (problem.d > max_features) return "Tiles of points are bounded for up to 32 features.";
  if (problem.n < min_points || problem.n >= max_points) return "Tiles are made of 2049 to 2147483647 points.";
  if (problem.k > max_clusters) return "Tiles keep labels of up to 65533 clusters.";
  if (problem.streamed) return "Bounds are kept of points on the device, and these do not fit there.";
  return "";
}

/// Waits. @throws std::bad_alloc for want of device memory.
std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes& probes) {
  auto made = std::make_unique<TileBounds>(problem);
  probes.find("tiles-pay-at-first", made->begins_with_tiles());
  return made;
}

}  // namespace
}  // namespace centroid_lab::cuda::tile_bounds

namespace centroid_lab::cuda::fused {

const Regime tile_bounds{"tile-bounds", cuda::tile_bounds::refusal, cuda::tile_bounds::make};

}  // namespace centroid_lab::cuda::fused

// Passes over many features: a filter by matrix instructions, distances where it cannot decide, sums that change by what moved.
#include "matrix_filter.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "check.hpp"
#include "finish.hpp"
#include "launch_early.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

using namespace matrix_filter;

/// The filter's largest coordinate: centroids may lie fifteen times farther out before float16 ends.
constexpr int largest_exponent = 12;
/// Below this the scaling itself would leave the range of float32.
constexpr float smallest_extent = 0x1p-100f;
/// Device memory left to others: labels, graphs.
constexpr std::size_t spare_bytes = std::size_t{256} << 20;
/// Shares of the float32 peak; distances alone, and with the filter, cautiously: it may have to leave all to them.
constexpr double speed_of_distances = 0.5;
constexpr double speed_of_filter = 1.35;

/// Bytes that the centroids may take in all cells, each of which has its own image of them, and the fewest points worth a cell.
constexpr std::size_t image_bytes = std::size_t{32} << 20;
constexpr std::size_t cell_points = 2048;

/// Tiles and products of a pass from which it pays to leave tiles out, and what may be spent on distances between centres.
constexpr int min_ball_tiles = 4;
constexpr double min_ball_products = 3e10;
constexpr int max_ball_features = 128;
/// Their numbers stand beside the places of moves in 32 bits.
constexpr int max_clusters = 1 << 23;
constexpr std::size_t max_distance_bytes = std::size_t{64} << 20;

/// One that labels points by balls has none itself, and adds nothing up.
enum class Filtering { full, to_label };

int bits_for(int values) {
  int bits = 0;
  while ((1 << bits) < values) bits++;
  return bits;
}

class GroupPasses final : public Passes {
 public:
  GroupPasses(const Problem& problem, Filtering filtering, const Records* records = nullptr)
      : filtering_(filtering), tuning_(problem.filter), multiprocessors_(problem.device.multiProcessorCount),
        grouped_(static_cast<std::size_t>(groups_of(problem.k)) * group_size * fours_of(problem.d)), whole_count_(1), whole_(problem.n),
        keys_(problem.n), seconds_(problem.n), thirds_(problem.n) {
    work_.x = problem.x;
    work_.n = problem.n;
    work_.d = problem.d;
    work_.k = problem.k;
    work_.scale = problem.scale;
    work_.is_early = can_launch_early(problem.device);
    work_.grouped = grouped_.get();
    work_.whole_count = whole_count_.get();
    work_.whole = whole_.get();
    work_.keys = keys_.get();
    work_.seconds = seconds_.get();
    work_.thirds = thirds_.get();
    if (records != nullptr) work_.records = *records;
    if (filtering_ == Filtering::full) keep_sums(problem);
    prepare_filter(problem);
    make_lists(problem);
  }

  void restart(cudaStream_t stream) override {
    kept_.clear(stream);
    kept_sums_.clear(stream);
    kept_counts_.clear(stream);
    spread_.clear(stream);
  }

  bool has_filter() const override { return work_.image != Image::none; }
  bool has_cells() const override { return work_.cells > 1; }
  bool has_balls() const override { return balls_.of.count > 0; }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  bool needs_labels() const override { return false; }
  bool leaves_copies_out() const override { return true; }
  double speed() const override { return work_.image == Image::none ? speed_of_distances : speed_of_filter; }

  void enqueue_assign(const Pass& pass) override {
    enqueue_pass(pass);
    if (pass.accumulate) enqueue_hand_over(work_, pass);
  }

  bool completes() const override { return filtering_ == Filtering::full; }

  void enqueue_complete(const Pass& pass, const FinishArguments& finish) override {
    enqueue_pass(pass);
    // Where the host may have to go on with the sums of the pass these must be there.
    if (finish.halt_on_empty) enqueue_hand_over(work_, pass);
    enqueue_finish(finish.halt_on_empty ? finish : of_kept(finish, work_.kept_sums, work_.kept_counts), pass.stream);
  }

 private:
  void enqueue_pass(const Pass& pass) {
    const Balls& balls = balls_.of;
    if (work_.cells > 1) enqueue_arrange(work_, pass);
    if (balls.count > 0) enqueue_arrange(work_, balls, pass);
    enqueue_prepare(work_, pass);
    if (work_.cells > 1) enqueue_choose_tiles(work_, pass);
    if (balls.count > 0) enqueue_choose_tiles(work_, balls, pass);
    find_labels(pass);
    if (pass.accumulate) enqueue_moves(work_, pass);
  }

  void find_labels(const Pass& pass) {
    if (work_.image == Image::none) {
      enqueue_all_whole(work_, pass);
    } else {
      if (work_.image == Image::cores) enqueue_filter_cores(work_, pass);
      else enqueue_filter_fragments(work_, pass);
      enqueue_open(work_, pass);
    }
    enqueue_whole(work_, pass, multiprocessors_);
  }

  void make_lists(const Problem& problem) {
    const auto segments = static_cast<std::size_t>(multiprocessors_);
    const std::size_t items = std::max<std::size_t>(work_.item_count, (problem.n + item_points - 1) / item_points);
    const std::size_t parts = items * (item_points / core_part_points);
    // A part more than their share, for blocks of other sizes.
    const std::size_t points = ((parts + segments - 1) / segments + 1) * core_part_points;
    listed_ = Buffer<Listed>(segments);
    open_ = Buffer<Open>(segments * points);
    if (filtering_ == Filtering::full) moves_ = Buffer<Move>(segments * points);
    work_.segments = static_cast<unsigned>(segments);
    work_.segment_points = static_cast<unsigned>(points);
    work_.listed = listed_.get();
    work_.open = open_.get();
    work_.moves = moves_.get();
  }

  void keep_sums(const Problem& problem) {
    const auto k = static_cast<std::size_t>(problem.k), d = static_cast<std::size_t>(problem.d);
    kept_ = Buffer<unsigned>(problem.n);
    kept_sums_ = Buffer<unsigned long long>(k * d);
    kept_counts_ = Buffer<unsigned>(k);
    work_.kept = kept_.get();
    work_.kept_sums = kept_sums_.get();
    work_.kept_counts = kept_counts_.get();
    restart(nullptr);
  }

  /// Leaves `work_.image` at none where points are all alike. @throws std::bad_alloc where memory is short.
  void prepare_filter(const Problem& problem) {
    if (problem.device.major < 8) return;
    mean_ = Buffer<float>(static_cast<std::size_t>(problem.d));
    const float extent = measure_points(problem.x, problem.n, problem.d, mean_.get());
    if (!(extent >= smallest_extent)) return;
    work_.unit = std::ldexp(1.0, largest_exponent - std::ilogb(extent));
    choose_kernel(problem);
    set_bound(problem);
    const std::size_t tiles = static_cast<std::size_t>(tiles_of(problem.k));
    const std::size_t cells = max_cells_for(problem);
    const std::size_t row_bytes = static_cast<std::size_t>(work_.steps) * step_features * sizeof(std::uint16_t);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    const std::size_t needed = (problem.n + cells * item_points) * row_bytes +
                               problem.n * sizeof(float2) +
                               cells * tiles * work_.tile_bytes();
    if (free < needed + spare_bytes) {
      if (filtering_ != Filtering::to_label) throw std::bad_alloc();
      return void(work_.image = Image::none);
    }
    cells_ = make_cells(work_, mean_.get(), static_cast<int>(cells), tuning_.cells > 0);
    // Another copy of the points, for the while.
    if (suits_balls(problem) && free >= 3 * needed + spare_bytes) {
      const auto label = [&](const float* centres, int count, std::int32_t* labels) {
        label_points(problem, centres, count, labels);
      };
      balls_ = make_balls(work_, cells_, label, tuning_.balls);
    }
    const std::size_t cell_tiles = static_cast<std::size_t>(work_.cells) * tiles;
    fragments_ = Buffer<uint4>(static_cast<std::size_t>(work_.item_count) * item_points * row_bytes / sizeof(uint4));
    point_slack_ = Buffer<float2>(problem.n);
    tiles_ = Buffer<unsigned char>(cell_tiles * work_.tile_bytes());
    half_norms_ = Buffer<float>(cell_tiles * tile_clusters);
    cluster_slack_ = Buffer<float>(cell_tiles * tile_clusters);
    // Features that fill up the last step stay zero.
    tiles_.clear(nullptr);
    work_.fragments = fragments_.get();
    work_.point_slack = point_slack_.get();
    work_.tiles = tiles_.get();
    work_.half_norms = half_norms_.get();
    work_.cluster_slack = cluster_slack_.get();
    work_.point_logarithm = convert_points(work_);
    if (work_.cells > 1) return;
    spread_ = Buffer<Spread>(1);
    spread_.clear(nullptr);
    work_.spread = spread_.get();
  }

  /// Images of the centroids are written in every pass and read from the second cache.
  std::size_t max_cells_for(const Problem& problem) const {
    if (filtering_ == Filtering::to_label) return 1;
    if (tuning_.cells > 0) return std::min({tuning_.cells, problem.n, static_cast<std::size_t>(max_cells)});
    const std::size_t image = static_cast<std::size_t>(tiles_of(problem.k)) * work_.tile_bytes();
    const std::size_t fitting = std::min(image_bytes / image, problem.n / cell_points);
    return std::clamp<std::size_t>(fitting, 1, static_cast<std::size_t>(max_cells));
  }

  /// Whether leaving out tiles may save more than finding out which.
  bool suits_balls(const Problem& problem) const {
    const bool can = work_.image == Image::cores && problem.d <= max_ball_features;
    if (filtering_ == Filtering::to_label || work_.cells > 1 || !can) return false;
    const auto k = static_cast<std::size_t>(problem.k);
    if (tiles_of(problem.k) > 32 * max_ball_words || (k + max_balls) * k * sizeof(float) > max_distance_bytes) return false;
    const double products = static_cast<double>(problem.n) * static_cast<double>(k) * problem.d;
    return tuning_.balls || (tiles_of(problem.k) >= min_ball_tiles && products >= min_ball_products);
  }

  static void label_points(const Problem& problem, const float* centres, int count, std::int32_t* labels) {
    Problem mine = problem;
    mine.k = count;
    GroupPasses variant(mine, Filtering::to_label);
    const Buffer<int> halted(1);
    halted.clear(nullptr);
    Pass pass;
    pass.centroids = centres;
    pass.k = count;
    pass.count = problem.n;
    pass.labels = labels;
    pass.accumulate = false;
    pass.write_labels = true;
    pass.halted = halted.get();
    variant.enqueue_assign(pass);
    check(cudaStreamSynchronize(nullptr), "fused: label_points");
  }

  void choose_kernel(const Problem& problem) {
    work_.steps = (problem.d + step_features - 1) / step_features;
    work_.image = Image::cores;
    if (!tuning_.without_wgmma && prepare_filter_cores(work_, problem.device)) return;
    work_.steps = (work_.steps + 1) / 2 * 2;
    work_.image = Image::fragments;
  }

  /// proof.md derives every constant.
  void set_bound(const Problem& problem) {
    const int index_bits = bits_for(tiles_of(problem.k) * tile_groups);
    work_.index_mask = (1u << index_bits) - 1;
    Bound& bound = work_.bound;
    bound.gamma = bound.rho = 0x1p-12;
    bound.pi = 1.02 * (0x1p-24 + std::ldexp(1.0, index_bits - 23));
    bound.tau = 1.25 * (work_.steps * step_features + 16) * 0x1p-23 + bound.pi;
    bound.underflow = static_cast<float>(1.000001 * problem.d * 0x1p-126 * work_.unit * work_.unit);
  }

  Work work_;
  Filtering filtering_;
  FilterTuning tuning_;
  int multiprocessors_;
  Buffer<float4> grouped_;
  Buffer<Listed> listed_;
  Buffer<unsigned> whole_count_;
  Buffer<Whole> whole_;
  Buffer<unsigned long long> keys_;
  Buffer<unsigned long long> seconds_;
  Buffer<unsigned> thirds_;
  Buffer<Open> open_;
  Buffer<Move> moves_;
  Buffer<unsigned> kept_;
  Buffer<unsigned long long> kept_sums_;
  Buffer<unsigned> kept_counts_;
  Buffer<float> mean_;
  Cells cells_;
  BallBuffers balls_;
  Buffer<uint4> fragments_;
  Buffer<float2> point_slack_;
  Buffer<Spread> spread_;
  Buffer<unsigned char> tiles_;
  Buffer<float> half_norms_;
  Buffer<float> cluster_slack_;
};

}  // namespace

namespace matrix_filter {

std::unique_ptr<Passes> make_filtered_passes(const Problem& problem, const Records* records) {
  return std::make_unique<GroupPasses>(problem, Filtering::full, records);
}

std::string refuses_filter(const Problem& problem) {
  if (problem.device.major < 8) return "The filter needs matrix units of compute capability 8.0.";
  if (problem.k <= group_size) return "The filter parts centroids into groups of 8: up to 8 clusters there is nothing to part.";
  if (problem.k > max_clusters) return "The filter tells up to 8388608 clusters apart.";
  if (problem.streamed) return "The filter keeps a copy of the points, which pass through the device.";
  return "";
}

}  // namespace matrix_filter
}  // namespace centroid_lab::cuda

// A round of the seeding is three kernels: `sift` sums what each candidate would leave of D2, block by block; `add_blocks` adds
// those sums in order; `pick` keeps the best candidate, draws the next ones and compares them with the centres. All of it stays on
// the device.
#include "greedy_seeding.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "greedy_pick.cuh"
#include "greedy_sift.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

/// Makes the first row the only candidate of round 0.
__global__ void __launch_bounds__(threads) begin(Greedy g, std::int32_t first) {
  place_candidate(g, 0, 0, first);
}

/// D2 and the sums of blocks with the centre of the last round.
__global__ void __launch_bounds__(threads) finish(Greedy g, int round) {
  __shared__ double values[block_points];
  __shared__ std::uint16_t list[block_points];
  await_earlier();
  Own points;
  settle(g, round + 1, blockIdx.x, points, list, values);
  if (threadIdx.x == 0) g.at.block_sums[blockIdx.x] = g.sums[*g.best * g.at.blocks + blockIdx.x];
}

float next_above(double value) { return std::nextafter(static_cast<float>(value), INFINITY); }
float next_below(double value) { return std::nextafter(static_cast<float>(value), 0.0f); }

Margin margin_for(int d) {
  const double rounding = (d + 3.0) / (1 << 24);
  // So many features that float32 says nothing.
  if (rounding > 0.25) return {INFINITY, 0, 0};
  return {next_above(1 / (1 - rounding)), next_below(0.25 * (1 - rounding) * (1 - 1.0 / (1 << 20))),
          next_above(std::ldexp(d, -147))};
}

/// Bytes pay where coordinates would be read from device memory again and again; their squares must fit 31 bits.
bool pays(const Coordinates& x) { return x.d >= 64 && x.d <= 1 << 15 && x.n * x.d >= std::size_t{1} << 15; }

/// Device memory of a seeding, and its rounds.
class Rounds {
 public:
  Rounds(const Coordinates& x, const Distances& at, const std::vector<double>& uniforms, std::size_t count)
      : rounds_(uniforms.size() / count), points_(at.blocks * block_points), nearest_centre_(points_), improved_(points_),
        improving_(at.blocks), sketch_(pays(x) ? SketchMemory(x, at.blocks, stream_.get()) : SketchMemory()),
        sums_(count * at.blocks), running_(count * at.blocks), candidates_(2 * candidate_stride * static_cast<std::size_t>(x.d)),
        drawn_(2 * count), candidate_words_(candidates_.size() / 4 + 2 * candidate_stride),
        candidate_squares_(2 * candidate_stride), candidate_errors_(2 * candidate_stride), centres_((rounds_ + 1) * x.d),
        chosen_(rounds_ + 1), best_(1), totals_(rounds_ + 1), reaches_((rounds_ + 1) * candidate_stride),
        least_reaches_(rounds_ + 1), uniforms_(uniforms) {
    g_ = {x, at, sketch_.get(), margin_for(x.d), static_cast<int>(count), static_cast<int>(rounds_),
          nearest_centre_.get(), improved_.get(), improving_.get(), sums_.get(), running_.get(), candidates_.get(), drawn_.get(),
          candidate_words_.get(), candidate_squares_.get(), candidate_errors_.get(), centres_.get(), chosen_.get(),
          best_.get(), totals_.get(), reaches_.get(), least_reaches_.get(), uniforms_.get()};
    nearest_centre_.clear(stream_.get());
    candidates_.clear(stream_.get());
    candidate_words_.clear(stream_.get());
    candidate_squares_.clear(stream_.get());
    candidate_errors_.clear(stream_.get());
    totals_.clear(stream_.get());
    reaches_.clear(stream_.get());
    least_reaches_.clear(stream_.get());
  }

  /// Enqueues a few rounds ahead of the device, which never waits. @returns the rows chosen.
  std::vector<std::int32_t> run(std::int32_t first, const CancelFlag& cancel) {
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    launch(begin, 1, first);
    Event ends[2];
    const int batch = rounds_at_once();
    int last = 0;
    for (int round = 0; round <= g_.rounds; round++) {
      enqueue(round);
      last = round;
      if ((round + 1) % batch != 0) continue;
      Event& end = ends[(round + 1) / batch % 2];
      // The batch before the one that was just enqueued.
      if (round + 1 > batch) ends[((round + 1) / batch + 1) % 2].wait();
      if (cancel.load(std::memory_order_relaxed)) break;
      end.record(stream_.get());
    }
    stream_.wait();
    return settled(last);
  }

 private:
  /// At most a few milliseconds of a large device.
  int rounds_at_once() const {
    const double work = static_cast<double>(g_.x.n) * g_.x.d * g_.count;
    return std::clamp(static_cast<int>(std::min(8e9 / work, 64.0)), 1, 64);
  }

  template <class... Arguments>
  void launch(void (*kernel)(Greedy, Arguments...), std::size_t blocks, Arguments... arguments) {
    launch_early(kernel, static_cast<unsigned>(blocks), threads, 0, stream_.get(), g_, arguments...);
  }

  void enqueue(int round) {
    switch (g_.count) {
      case 6: return enqueue_round<6>(round);
      case 7: return enqueue_round<7>(round);
      case 8: return enqueue_round<8>(round);
      case 9: return enqueue_round<9>(round);
      case 10: return enqueue_round<10>(round);
      default: return g_.count < 6 ? enqueue_round<5>(round) : enqueue_round<static_cast<int>(most_candidates)>(round);
    }
  }

  template <int C>
  void enqueue_round(int round) {
    const std::size_t count = round == 0 ? 1 : g_.count;
    launch(sift<C>, g_.at.blocks, round);
    launch(add_blocks, count, round);
    launch(pick, round < g_.rounds ? g_.count * (round / threads + 1) : 1, round);
  }

  /// Of rounds up to `last` that were enqueued, those that found something to do.
  std::vector<std::int32_t> settled(int last) {
    std::vector<double> totals(static_cast<std::size_t>(last) + 1);
    totals_.read(totals.data(), totals.size());
    const auto done = std::find_if(totals.begin(), totals.end(), [](double total) { return !(total > 0); });
    const int round = static_cast<int>(std::min<std::ptrdiff_t>(done - totals.begin(), last));
    launch(finish, g_.at.blocks, round);
    stream_.wait();
    std::vector<std::int32_t> rows(static_cast<std::size_t>(round) + 1);
    chosen_.read(rows.data(), rows.size());
    return rows;
  }

  std::size_t rounds_;
  std::size_t points_;
  Stream stream_;
  Buffer<std::int32_t> nearest_centre_;
  Buffer<std::uint16_t> improved_;
  Buffer<std::uint16_t> improving_;
  SketchMemory sketch_;
  Buffer<double> sums_;
  Buffer<double> running_;
  Buffer<float> candidates_;
  Buffer<std::int32_t> drawn_;
  Buffer<std::uint32_t> candidate_words_;
  Buffer<std::int32_t> candidate_squares_;
  Buffer<float> candidate_errors_;
  Buffer<float> centres_;
  Buffer<std::int32_t> chosen_;
  Buffer<int> best_;
  Buffer<double> totals_;
  Buffer<float> reaches_;
  Buffer<float> least_reaches_;
  Buffer<double> uniforms_;
  Greedy g_;
};

}  // namespace

std::vector<std::int32_t> greedy_seeding(const Coordinates& x, const Distances& at, std::int32_t first,
                                         const std::vector<double>& uniforms, std::size_t candidates,
                                         const CancelFlag& cancel) {
  return Rounds(x, at, uniforms, candidates).run(first, cancel);
}

}  // namespace centroid_lab::cuda

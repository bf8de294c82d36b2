// A round of the seeding is three kernels: `filter` sums what each candidate would leave of D2, block by block; `add_blocks` adds
// those sums in order; `pick` keeps the best candidate, draws the next ones and compares them with the centres. All of it stays on
// the device.
#include "greedy_seeding.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "greedy_pick.cuh"
#include "candidate_filter.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

/// Makes the first row the only candidate of round 0.
__global__ void __launch_bounds__(threads) begin(Greedy g, std::int32_t first) {
  await_earlier();
  set_candidate(g, 0, 0, first);
}

/// D2 and the sums of blocks with the centre of the last round.
__global__ void __launch_bounds__(threads) finish(Greedy g, int round) {
  __shared__ double values[block_points];
  __shared__ std::uint16_t list[block_points];
  await_earlier();
  Own points;
  lower_distances(g, round + 1, blockIdx.x, points, list, values);
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

/// One piece of device memory, cut into arrays: a request of its own for each would take as long as many rounds.
class Cut {
 public:
  /// @param from null to find out how much is needed.
  explicit Cut(unsigned char* from) : from_(from) {}

  template <class Value>
  void take(Value*& array, std::size_t count) {
    array = from_ != nullptr ? reinterpret_cast<Value*>(from_ + bytes_) : nullptr;
    bytes_ += (count * sizeof(Value) + 255) / 256 * 256;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  unsigned char* from_;
  std::size_t bytes_ = 0;
};

/// Gives all that a seeding writes down its place. @returns the bytes that takes.
std::size_t lay_out(Greedy& g, unsigned char* memory) {
  const std::size_t points = g.at.blocks * block_points, count = g.count, centres = static_cast<std::size_t>(g.rounds) + 1;
  const std::size_t features = g.x.d, words = g.sketch.words_a_point;
  Cut cut(memory);
  cut.take(g.nearest_centre, points);
  cut.take(g.improved, points);
  cut.take(g.improving, g.at.blocks);
  cut.take(g.sums, count * g.at.blocks);
  cut.take(g.running, count * g.at.blocks);
  cut.take(g.candidates, 2 * features * candidate_stride);
  cut.take(g.drawn, 2 * count);
  cut.take(g.candidate_words, 2 * words * candidate_stride);
  cut.take(g.candidate_squares, 2 * candidate_stride);
  cut.take(g.candidate_errors, 2 * candidate_stride);
  cut.take(g.centres, centres * features);
  cut.take(g.chosen, centres);
  cut.take(g.best, 1);
  cut.take(g.totals, centres);
  cut.take(g.reaches, centres * candidate_stride);
  cut.take(g.min_reaches, centres);
  cut.take(g.uniforms, static_cast<std::size_t>(g.rounds) * count);
  return cut.bytes();
}

/// Device memory of a seeding, and its rounds.
class Rounds {
 public:
  Rounds(const Coordinates& x, const Distances& at, const std::vector<double>& uniforms, std::size_t count) {
    if (pays(x)) sketch_ = SketchMemory(x, at.blocks, stream_.get());
    g_.x = x;
    g_.at = at;
    g_.sketch = sketch_.get();
    g_.margin = margin_for(x.d);
    g_.count = static_cast<int>(count);
    g_.rounds = static_cast<int>(uniforms.size() / count);
    memory_ = Buffer<unsigned char>(lay_out(g_, nullptr));
    lay_out(g_, memory_.get());
    memory_.clear(stream_.get());
    const std::size_t bytes = static_cast<std::size_t>(g_.rounds) * count * sizeof(double);
    check(cudaMemcpyAsync(g_.uniforms, uniforms.data(), bytes, cudaMemcpyHostToDevice, stream_.get()), "cudaMemcpyAsync");
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
    return chosen_rows(last);
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
      default: return g_.count < 6 ? enqueue_round<5>(round) : enqueue_round<static_cast<int>(max_candidates)>(round);
    }
  }

  template <int C>
  void enqueue_round(int round) {
    const std::size_t count = round == 0 ? 1 : g_.count;
    launch(filter<C>, g_.at.blocks, round);
    launch(add_blocks, count, round);
    launch(pick, round < g_.rounds ? g_.count * (round / threads + 1) : 1, round);
  }

  template <class Value>
  void read(const Value* from, std::vector<Value>& to) const {
    check(cudaMemcpyAsync(to.data(), from, to.size() * sizeof(Value), cudaMemcpyDeviceToHost, stream_.get()), "cudaMemcpyAsync");
    stream_.wait();
  }

  /// Of rounds up to `last` that were enqueued, those that found something to do.
  std::vector<std::int32_t> chosen_rows(int last) {
    std::vector<double> totals(static_cast<std::size_t>(last) + 1);
    read(g_.totals, totals);
    const auto done = std::find_if(totals.begin(), totals.end(), [](double total) { return !(total > 0); });
    const int round = static_cast<int>(std::min<std::ptrdiff_t>(done - totals.begin(), last));
    launch(finish, g_.at.blocks, round);
    std::vector<std::int32_t> rows(static_cast<std::size_t>(round) + 1);
    read(g_.chosen, rows);
    return rows;
  }

  Stream stream_;
  SketchMemory sketch_;
  Buffer<unsigned char> memory_;
  Greedy g_{};
};

}  // namespace

std::vector<std::int32_t> greedy_seeding(const Coordinates& x, const Distances& at, std::int32_t first,
                                         const std::vector<double>& uniforms, std::size_t candidates,
                                         const CancelFlag& cancel) {
  return Rounds(x, at, uniforms, candidates).run(first, cancel);
}

}  // namespace centroid_lab::cuda

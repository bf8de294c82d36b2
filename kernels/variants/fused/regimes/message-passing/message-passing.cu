// The regime for the smallest data where clusters are few as well: as register-resident.cu, but blocks send each other their sums
// (mailbox.cuh).
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "methods/ordering/hilbert_order.hpp"
#include "methods/whole-runs/point_boxes.cuh"
#include "methods/whole-runs/whole_runs.hpp"
#include "mailbox.cuh"
#include "methods/whole-runs/coordinator.cuh"
#include "../../fused.hpp"
#include "../../regimes.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

using namespace ordering;
using namespace whole_runs;

constexpr unsigned max_threads = 1024;
constexpr unsigned min_threads = 128;
/// Messages of all blocks in a round, which every block reads.
constexpr unsigned max_messages = 1100;
/// Readings of messages in a round, by all blocks together, from which on poll_delay_cycles pays, and how many cycles of it.
constexpr unsigned many_readings = 60'000;
constexpr unsigned poll_delay_of_many = 200;

struct MessageJob {
  const float* x;
  const float* scale;
  /// (warps, 32): see `arrange_points`.
  const unsigned* slots;
  size_t warps;
  /// Warps of points of a block.
  unsigned share;
  bool reduces;
  Mailbox mailbox;
};

std::size_t totals_bytes(int k, int d) {
  return static_cast<std::size_t>(k) * (d * sizeof(long long) + sizeof(unsigned)) + sizeof(unsigned) + alignof(long long);
}

/// The totals lie behind what blocks of register-resident.cu have, too.
template <int D>
__device__ RoundTotals<D> totals_behind(const Shared<D>& shared, int k) {
  const auto end = reinterpret_cast<std::uintptr_t>(shared.list + k);
  auto* sums = reinterpret_cast<long long*>((end + alignof(long long) - 1) / alignof(long long) * alignof(long long));
  auto* counts = reinterpret_cast<unsigned*>(sums + k * D);
  return {sums, counts, counts + k};
}

/// Leaves the totals to the host as a pass does.
template <int D>
__device__ void publish_totals(const Pass& pass, const RoundTotals<D>& totals) {
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) pass.fixed_sums[at] = totals.sums[at];
  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) pass.counts[c] = totals.counts[c];
  if (threadIdx.x == 0) *pass.changed = *totals.changed;
}

/// New centroids of the clusters that have members, a thread a coordinate. @returns whether a cluster is empty and the host must
/// decide, the same in all threads.
template <int D>
__device__ __forceinline__ bool renew(const Pass& pass, bool halt_on_empty, const double* unit, const RoundTotals<D>& totals,
                                      float* centroids) {
  const int at = static_cast<int>(threadIdx.x);
  bool empty = false;
  if (at < pass.k * D) {
    const unsigned count = totals.counts[at / D];
    empty = count == 0;
    const auto mean = static_cast<float>(__ll2double_rn(totals.sums[at]) * unit[at % D] / static_cast<double>(count));
    if (count > 0) centroids[at] = mean;
  }
  return halt_on_empty && __syncthreads_or(empty) != 0;
}

/// All rounds of the coordinator; see write_iterations of coordinator.cuh.
template <int D>
__device__ void coordinate(const Mailbox& mailbox, const Pass& pass, const FinishArguments& finish, const Shared<D>& shared,
                           const RoundTotals<D>& round_totals) {
  __shared__ RunState state;
  __shared__ unsigned changed_labels;
  __shared__ double unit[D], means[D];
  float* const centroids = shared.centroids;
  auto* const pairs = reinterpret_cast<double2*>(shared.chosen);
  FinishArguments to = finish;
  to.state = &state;
  to.changed = &changed_labels;
  const double* mean = finish.mean != nullptr ? means : nullptr;
  if (threadIdx.x == 0) state = finish.begin;
  if (threadIdx.x < D) means[threadIdx.x] = finish.mean != nullptr ? finish.mean[threadIdx.x] : 0;
  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) centroids[at] = pass.centroids[at];
  if (threadIdx.x < D) unit[threadIdx.x] = finish.unit[threadIdx.x];
  __syncthreads();
  const int row = static_cast<int>(threadIdx.x);
  long long slot = state.iteration % finish.ring;
  unsigned round = 0;
  while (state.halted == running && state.iteration < state.limit) {
    receive<D>(mailbox, round, pass.k, round_totals);
    __syncthreads();
    bool empty = false;
    if (finish.halt_on_empty) empty = __syncthreads_or(row < pass.k && round_totals.counts[row] == 0) != 0;
    if (empty) {
      publish_totals<D>(pass, round_totals);
      if (threadIdx.x == 0) state.halted = empty_cluster;
    } else {
      float* history = finish.history != nullptr ? finish.history + slot * pass.k * D : nullptr;
      RowTotals totals = no_totals();
      if (row < pass.k) {
        totals = complete_row<D>(unit, mean, centroids + row * D, round_totals.sums + row * D, round_totals.counts[row],
                                 history != nullptr ? history + row * D : nullptr);
      }
      RowLanes rows(pairs, pass.k);
      rows.add(totals, 0);
      note_rows(to, rows, *round_totals.changed, slot);
      slot = slot + 1 == finish.ring ? 0 : slot + 1;
    }
    round++;
    if (threadIdx.x == 0) {
      const bool goes_on = state.halted == running && state.iteration < state.limit;
      write_stop_decision(mailbox, round, goes_on ? 0 : round);
    }
    __syncthreads();
  }
  report<D>(finish, state, centroids);
}

/// A point of a lane.
template <int D>
struct Held {
  float x[D];
  unsigned point;
  Labels labels;
  /// Lane j has the sum of feature j over the warp, lane D the members.
  long long whole;

  __device__ bool exists() const { return point != nobody; }
};

/// Takes the point of the lane; the box of the warp's goes to `box`.
template <int D>
__device__ __forceinline__ Held<D> take_point(const MessageJob& job, const Pass& pass, const float* scale, Box<D>& box) {
  Held<D> held;
  const unsigned warp = threadIdx.x / 32;
  const size_t numbered = static_cast<size_t>(blockIdx.x) * job.share + warp;
  held.point = warp < job.share && numbered < job.warps ? job.slots[numbered * 32 + threadIdx.x % 32] : nobody;
#pragma unroll
  for (int j = 0; j < D; j++) held.x[j] = held.exists() ? job.x[held.point * static_cast<size_t>(D) + j] : 0.0F;
  held.labels[0] = held.exists() && pass.count_changes ? pass.labels[held.point] : -1;
  held.labels[1] = held.labels[2] = -1;
  const Box<D> mine = box_of_warp<D>(held.x, held.exists());
  if (threadIdx.x % 32 == 0) box = mine;
  const bool adds = job.reduces && held.exists();
  held.whole = Halves<D>(held.x, scale, adds).total(adds, __ballot_sync(everyone, adds), threadIdx.x % 32);
  return held;
}

/// Labels a warp's points and adds them up.
template <int D>
__device__ __forceinline__ void label_points(const Shared<D>& shared, const MessageJob& job, const Pass& pass, const float* scale,
                                             const Box<D>& box, Held<D>& held, unsigned* changed) {
  const bool exists = held.exists();
  if (__ballot_sync(everyone, exists) == 0) return;
  const int nearest = find_nearest<D>(shared, nullptr, pass.k, box, held.x);
  held.labels[2] = held.labels[1], held.labels[1] = held.labels[0], held.labels[0] = nearest;
  if (pass.count_changes) {
    const int differ = __popc(__ballot_sync(everyone, exists && nearest != held.labels[1]));
    if (differ > 0 && threadIdx.x % 32 == 0) atomicAdd(changed, static_cast<unsigned>(differ));
  }
  const auto add = [&](int cluster, int feature, long long value) {
    add_shared(shared.sums + cluster * (D + 1) + feature, value);
  };
  if (job.reduces) add_warp<D>(held.x, scale, exists, held.whole, nearest, add);
  else if (exists) add_lane<D>(held.x, scale, nearest, add);
}

template <int D>
__global__ void __launch_bounds__(max_threads, 1) message_passing_run(MessageJob job, Pass pass, FinishArguments finish) {
  extern __shared__ __align__(16) char memory[];
  __shared__ double unit[D];
  __shared__ float scale[D];
  __shared__ unsigned changed, stop_decision;
  __shared__ Box<D> boxes[max_threads / 32];
  const Shared<D> shared = share_out<D>(memory, pass.k);
  const RoundTotals<D> totals = totals_behind(shared, pass.k);
  const Mailbox& mailbox = job.mailbox;
  if (blockIdx.x == mailbox.workers) return coordinate<D>(mailbox, pass, finish, shared, totals);

  for (int at = threadIdx.x; at < pass.k * D; at += blockDim.x) shared.centroids[at] = pass.centroids[at];
  for (int at = threadIdx.x; at < pass.k * (D + 1); at += blockDim.x) shared.sums[at] = 0;
  if (threadIdx.x < D) unit[threadIdx.x] = finish.unit[threadIdx.x], scale[threadIdx.x] = job.scale[threadIdx.x];
  if (threadIdx.x == 0) changed = 0;
  __syncthreads();
  const Box<D>& box = boxes[threadIdx.x / 32];
  Held<D> held = take_point<D>(job, pass, scale, boxes[threadIdx.x / 32]);
  __syncthreads();
  const auto left = static_cast<unsigned>(finish.begin.limit - finish.begin.iteration);
  bool leaves = false;
  unsigned round = 0;
  while (round < left && !leaves) {
    label_points<D>(shared, job, pass, scale, box, held, &changed);
    __syncthreads();
    send<D>(mailbox, round, pass.k, shared.sums, &changed);
    // Asked for before the messages, so that the answers come together.
    const bool asks = threadIdx.x == blockDim.x - 1;
    const unsigned long long early = asks ? read_stop_decision(mailbox) : 0;
    receive<D>(mailbox, round, pass.k, totals);
    if (asks) stop_decision = await_stop_decision(mailbox, early, static_cast<int>(round + 1 - max_ahead));
    __syncthreads();
    leaves = renew<D>(pass, finish.halt_on_empty, unit, totals, shared.centroids);
    __syncthreads();
    // An earlier look might not show all blocks the same.
    if (stop_decision != 0 && round + 1 >= stop_decision + max_ahead) leaves = true;
    round++;
  }
  if (round == 0 || !pass.count_changes) return;
  const unsigned ahead = round - await_stop_decision(mailbox, read_stop_decision(mailbox), static_cast<int>(left) + 1);
  if (held.exists()) pass.labels[held.point] = label_of(held.labels, ahead);
}

/// How the points are shared out among blocks.
struct Form {
  unsigned messages;
  std::size_t warps;
  unsigned share;
  unsigned workers;
  unsigned threads;
  unsigned poll_delay_cycles;
};

/// Many blocks send many messages, few have many warps take turns. On an H200 a message more costs all some 2.3 cycles, a warp more some 50.
template <int D>
Form form_for(const Problem& problem) {
  Form form{};
  form.messages = static_cast<unsigned>(messages_of<D>(problem.k));
  form.warps = warps_for(problem.n, 0);
  const double balanced = std::ceil(std::sqrt(2.3 / 50 * form.messages * static_cast<double>(form.warps)));
  form.share = static_cast<unsigned>(std::clamp(balanced, min_threads / 32.0, max_threads / 32.0));
  form.workers = static_cast<unsigned>((form.warps + form.share - 1) / form.share);
  const unsigned reading = (form.messages * readers_of(form.workers) + 31) / 32 * 32;
  form.threads = std::max({form.share * 32, reading, min_threads});
  form.poll_delay_cycles = form.messages * form.workers * form.workers > many_readings ? poll_delay_of_many : 0;
  return form;
}

template <int D>
class MessagePassing final : public WholeRuns {
 public:
  MessagePassing(const Problem& problem, std::unique_ptr<DeviceVariant> single)
      : WholeRuns(std::move(single)), problem_(problem), form_(form_for<D>(problem)), slots_(form_.warps * 32),
        mailbox_(2 * mailbox_sets * form_.messages * form_.workers + 1) {
    arrange_points(problem, 0, slots_.get());
    mailbox_.clear(nullptr);
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    allow_dynamic_shared(message_passing_run<D>, bytes(problem.k));
  }

  void enqueue_run(const Pass& pass, const FinishArguments& finish) override {
    MessageJob job{problem_.x, problem_.scale, slots_.get(), form_.warps, form_.share, problem_.n > max_unreduced,
               {reinterpret_cast<ulonglong2*>(mailbox_.get()), mailbox_.get() + mailbox_.size() - 1, base_, form_.workers,
                form_.poll_delay_cycles}};
    base_ += static_cast<unsigned>(finish.begin.limit - finish.begin.iteration);
    Pass whole = pass;
    FinishArguments to = finish;
    void* arguments[] = {&job, &whole, &to};
    check(cudaLaunchCooperativeKernel(message_passing_run<D>, dim3(form_.workers + 1), dim3(form_.threads), arguments, bytes(pass.k),
                                      pass.stream),
          "cudaLaunchCooperativeKernel of fused, message passing");
  }

 private:
  std::size_t bytes(int k) const { return Layout<D>::bytes(k, form_.threads) + totals_bytes(k, D); }

  Problem problem_;
  Form form_;
  Buffer<unsigned> slots_;
  /// The messages, then the stop_decision.
  Buffer<unsigned long long> mailbox_;
  /// Rounds that earlier launches may have stamped.
  unsigned base_ = 0;
};

template <int D>
bool holds(const Problem& problem) {
  const Form form = form_for<D>(problem);
  return problem.k <= max_unlisted && form.messages * form.workers <= max_messages && form.threads <= max_threads &&
         form.workers <= 32 * messages_at_once && form.workers < static_cast<unsigned>(problem.device.multiProcessorCount);
}

std::string refusal(const Problem& problem) {
  const std::string refused = refuses_whole_runs(problem);
  if (!refused.empty()) return refused;
  const bool can = for_features(problem.d, [&](auto features) { return holds<features.value>(problem); });
  return can ? "" : "Blocks would have more sums to send each other than they can read in a round.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) {
  return for_features(problem.d, [&](auto features) -> std::unique_ptr<DeviceVariant> {
    return std::make_unique<MessagePassing<features.value>>(problem, make_other_passes(problem));
  });
}

}  // namespace

namespace fused {
const Regime message_passing{"message-passing", refusal, make};
}

}  // namespace centroid_lab::cuda

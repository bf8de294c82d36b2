// `fused` for data so small that launches would outlast the work: one cooperative launch for many iterations, points in
// registers for all of it, one barrier of the grid an iteration. The last block keeps the record (coordinator.cuh), the
// others label and add up (point_boxes.cuh).
#include <algorithm>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "../../fused.hpp"
#include "../../regimes.hpp"
#include "methods/ordering/hilbert_order.hpp"
#include "methods/whole-runs/point_boxes.cuh"
#include "methods/whole-runs/whole_runs.hpp"
#include "methods/whole-runs/coordinator.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

using namespace ordering;
using namespace whole_runs;

/// Points a block may hold, one a thread.
constexpr unsigned max_threads = 1024;
/// Enough for the centroids to be renewed at once.
constexpr unsigned min_threads = 128;

/// One warp in so many is cut short at a wide gap: one outlier alone would make a box that all centroids may be nearest to.
constexpr std::size_t cut_share = 12;

struct ResidentJob {
  const float* x;
  const float* scale;
  /// (warps, 32): see `arrange_points`.
  const unsigned* slots;
  size_t warps;
  /// Warps of a block that have points.
  unsigned share;
  /// What blocks tell each other in this launch, and in the next.
  long long *here, *next;
  size_t words;
  bool reduces;
};

/// Writes the label of the last round that counts, of `rounds` carried out.
__device__ void leave_label(const Exchange& here, const FinishArguments& finish, unsigned rounds, const Labels& labels,
                            std::int32_t* to) {
  unsigned ahead = 0;
  if (finish.stop != StopRule::none) {
    unsigned counting;
    while ((counting = load_acquire(here.stop_decision)) == 0) {
    }
    ahead = rounds - counting;
  }
  if (to != nullptr) *to = label_of(labels, ahead);
}

template <int D>
__global__ void __launch_bounds__(max_threads, 1) register_resident_run(ResidentJob job, Pass pass, FinishArguments finish) {
  extern __shared__ __align__(16) char memory[];
  __shared__ double unit[D];
  __shared__ float scale[D];
  __shared__ unsigned changed, stop_decision;
  // Not in registers, which are few.
  __shared__ Box<D> boxes[max_threads / 32], outer;
  const Shared<D> shared = share_out<D>(memory, pass.k);
  const Exchange here = Exchange::at(job.here);
  if (blockIdx.x == gridDim.x - 1) {
    auto* const pairs = reinterpret_cast<double2*>(shared.chosen);
    return write_iterations<D>(here, job.next, job.words, pass, finish, shared.centroids, shared.sums, pairs);
  }

  for (int c = threadIdx.x; c < pass.k; c += blockDim.x) {
    for (int j = 0; j < D; j++) shared.centroids[c * D + j] = pass.centroids[c * D + j];
    shared.list[c] = c;
  }
  for (int at = threadIdx.x; at < pass.k * (D + 1); at += blockDim.x) shared.sums[at] = 0;
  if (threadIdx.x < D) unit[threadIdx.x] = finish.unit[threadIdx.x];
  if (threadIdx.x == 0) changed = 0;
  const auto left = static_cast<unsigned>(finish.begin.limit - finish.begin.iteration);
  const bool may_stop = finish.stop != StopRule::none;

  const unsigned warp = threadIdx.x / 32;
  const size_t numbered = static_cast<size_t>(blockIdx.x) * job.share + warp;
  const bool has_slot = warp < job.share && numbered < job.warps;
  const unsigned point = has_slot ? job.slots[numbered * 32 + threadIdx.x % 32] : nobody;
  const bool exists = point != nobody;
  float x[D];
#pragma unroll
  for (int j = 0; j < D; j++) x[j] = exists ? job.x[point * static_cast<size_t>(D) + j] : 0.0F;
  Labels labels = {-1, -1, -1};
  if (exists && pass.count_changes) labels[0] = pass.labels[point];
  Box<D>& box = boxes[warp];
  const Box<D> mine = box_of_warp<D>(x, exists);
  if (threadIdx.x % 32 == 0) box = mine;
  const int points = __popc(__ballot_sync(everyone, exists));
  const bool lists = pass.k > max_unlisted;
  const bool far = is_far(mine, points) && lists;
  box_of_block(mine, points > 0 && !far, outer);
  if (threadIdx.x < D) scale[threadIdx.x] = job.scale[threadIdx.x];
  __syncthreads();
  const bool adds = job.reduces && exists;
  const long long whole = Halves<D>(x, scale, adds).total(adds, __ballot_sync(everyone, adds), threadIdx.x % 32);

  __syncthreads();
  int listed = lists ? list_clusters(shared, outer, pass.k) : pass.k;
  bool leaves = false;
  unsigned round = 0;
  while (round < left && !leaves) {
    long long* set = here.set(round, pass.k, D);
    clear_share(here.set(round + 1, pass.k, D), pass.k * (D + 1) + 1);
    if (points > 0) {
      const int nearest = find_nearest<D>(shared, far ? nullptr : shared.list, far ? pass.k : listed, box, x);
      labels[2] = labels[1], labels[1] = labels[0], labels[0] = far ? nearest : shared.list[nearest];
      if (pass.count_changes) {
        const int differ = __popc(__ballot_sync(everyone, exists && labels[0] != labels[1]));
        if (differ > 0 && threadIdx.x % 32 == 0) atomicAdd(&changed, static_cast<unsigned>(differ));
      }
      const auto add = [&](int cluster, int feature, long long value) {
        if (far) add_global(set + feature * pass.k + cluster, value);
        else add_shared(shared.sums + cluster * (D + 1) + feature, value);
      };
      if (job.reduces) add_warp<D>(x, scale, exists, whole, nearest, add);
      else if (exists) add_lane<D>(x, scale, nearest, add);
    }
    __syncthreads();
    flush_sums(shared, listed, pass.k, set);
    if (threadIdx.x == 0 && pass.count_changes) {
      const unsigned differ = atomicExch(&changed, 0U);
      if (differ > 0) add_global(set + pass.k * (D + 1), differ);
    }
    arrive(here.arrived);
    wait(here.arrived, round + 1);
    if (may_stop && threadIdx.x == blockDim.x - 1) stop_decision = __ldcg(here.stop_decision);
    leaves = renew<D>(pass, finish.halt_on_empty, unit, set, shared.centroids);
    if (lists) listed = list_clusters(shared, outer, pass.k);
    else __syncthreads();
    // An earlier look might not show all blocks the same.
    if (may_stop && stop_decision != 0 && round + 1 >= stop_decision + max_ahead) leaves = true;
    round++;
  }
  if (round > 0 && pass.count_changes) leave_label(here, finish, round, labels, exists ? pass.labels + point : nullptr);
}

/// How the points are shared out among blocks.
struct Form {
  std::size_t gaps;
  std::size_t warps;
  unsigned share;
  unsigned blocks;
  unsigned threads;
};

template <int D>
class RegisterResident final : public WholeRuns {
 public:
  RegisterResident(const Problem& problem, std::unique_ptr<DeviceVariant> single)
      : WholeRuns(std::move(single)), form_(form_for(problem)), slots_(form_.warps * 32), exchange_(2 * words(problem.k)) {
    arrange_points(problem, form_.gaps, slots_.get());
    exchange_.clear(nullptr);
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    job_ = {problem.x, problem.scale, slots_.get(), form_.warps, form_.share, exchange_.get(), exchange_.get() + words(problem.k),
            words(problem.k), problem.n > max_unreduced};
    allow_dynamic_shared(register_resident_run<D>, Layout<D>::bytes(problem.k, form_.threads));
  }

  static bool holds(const Problem& problem) {
    const Form form = form_for(problem);
    return form.share * 32 <= max_threads &&
           Layout<D>::bytes(problem.k, form.threads) + 8192 <= problem.device.sharedMemPerBlockOptin;
  }

  void enqueue_run(const Pass& pass, const FinishArguments& finish) override {
    Pass whole = pass;
    FinishArguments to = finish;
    void* arguments[] = {&job_, &whole, &to};
    check(cudaLaunchCooperativeKernel(register_resident_run<D>, dim3(form_.blocks + 1), dim3(form_.threads), arguments,
                                      Layout<D>::bytes(pass.k, form_.threads), pass.stream),
          "cudaLaunchCooperativeKernel of fused, register resident");
    std::swap(job_.here, job_.next);
  }

 private:
  static std::size_t words(int k) { return Exchange::words(k, D); }

  static Form form_for(const Problem& problem) {
    const auto workers = static_cast<std::size_t>(std::max(2, problem.device.multiProcessorCount) - 1);
    const std::size_t full = warps_for(problem.n, 0);
    Form form{};
    const std::size_t most = workers * max_threads / 32;
    form.gaps = std::min(full / cut_share, most - std::min(full, most));
    form.warps = full + form.gaps;
    form.share = static_cast<unsigned>((form.warps + workers - 1) / workers);
    form.blocks = static_cast<unsigned>((form.warps + form.share - 1) / form.share);
    const auto renewing = static_cast<unsigned>((problem.k + 31) / 32 * 32);
    form.threads = std::min(max_threads, std::max({form.share * 32, renewing, min_threads}));
    return form;
  }

  Form form_;
  Buffer<unsigned> slots_;
  Buffer<long long> exchange_;
  ResidentJob job_{};
};

std::string refusal(const Problem& problem) {
  const std::string refused = refuses_whole_runs(problem);
  if (!refused.empty()) return refused;
  const bool holds = for_features(problem.d, [&](auto features) { return RegisterResident<features.value>::holds(problem); });
  return holds ? "" : "The registers of the device do not hold all points, or its shared memory all centroids.";
}

std::unique_ptr<DeviceVariant> make(const Problem& problem, fused::Probes&) {
  return for_features(problem.d, [&](auto features) -> std::unique_ptr<DeviceVariant> {
    return std::make_unique<RegisterResident<features.value>>(problem, make_other_passes(problem));
  });
}

}  // namespace

namespace fused {
const Regime register_resident{"register-resident", refusal, make};
}

}  // namespace centroid_lab::cuda

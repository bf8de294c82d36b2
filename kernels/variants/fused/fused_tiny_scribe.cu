// `fused` for the smallest data where the number of iterations is given: points stay in registers, and a block of its own keeps
// the record (fused_tiny_scribe.cuh). Runs with a stop rule are left to fused_tiny.cu.
#include <algorithm>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "fused_regimes.hpp"
#include "fused_tiny_scribe.cuh"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

using namespace tiny;

template <int D, int L, int P>
__global__ void __launch_bounds__(Layout<D, L, P>::threads, 1) tiny_scribe(ScribeJob job, Pass pass, FinishArguments finish) {
  using Form = Layout<D, L, P>;
  extern __shared__ long long memory[];
  __shared__ double unit[D];
  Shared<D> shared;
  shared.k = pass.k;
  shared.values = pass.k * (D + 1);
  shared.sums = memory;
  shared.centroids =
      reinterpret_cast<float*>(memory + static_cast<size_t>(shared.values) * (Form::reduces ? Form::threads / 32 : 1));
  if (blockIdx.x == gridDim.x - 1) return keep_record<D>(job, pass, finish, shared.centroids);
  for (int at = threadIdx.x; at < shared.k * D; at += blockDim.x) shared.centroids[at] = pass.centroids[at];
  if (!Form::reduces) {
    for (int at = threadIdx.x; at < shared.values; at += blockDim.x) shared.sums[at] = 0;
  }
  if (threadIdx.x < D) unit[threadIdx.x] = finish.unit[threadIdx.x];
  const auto left = static_cast<unsigned>(finish.state->halted == running ? finish.state->limit - finish.state->iteration : 0);

  const size_t workers = static_cast<size_t>(gridDim.x - 1) * (Form::threads / L);
  const size_t worker = static_cast<size_t>(blockIdx.x) * (Form::threads / L) + threadIdx.x / L;
  float x[P][D];
  int label[P], before[P];
#pragma unroll
  for (int p = 0; p < P; p++) {
    const size_t point = worker + p * workers;
    const bool exists = point < pass.count;
    label[p] = exists && pass.count_changes ? pass.labels[point] : -1;
#pragma unroll
    for (int j = 0; j < D; j++) x[p][j] = exists ? job.x[point * D + j] : 0.0F;
  }
  __syncthreads();
  const Halves<D, P> halves(x, job.scale);
  bool leaves = false;
  for (unsigned round = 0; round < left && !leaves; round++) {
    long long* set = job.sets + round % sets * (shared.values + 1);
#pragma unroll
    for (int p = 0; p < P; p++) before[p] = label[p];
    label_points<D, L, P>(shared, x, label);
    int changed = 0;
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (worker + p * workers >= pass.count) label[p] = -1;
      if (threadIdx.x % L == 0 && label[p] != before[p]) changed++;
    }
    if (pass.count_changes) {
      changed = warp_total(changed);
      if (threadIdx.x % 32 == 0) add_to(set + shared.values, changed);
    }
    if constexpr (Form::reduces) reduce_points<D, P>(shared, halves, label, set);
    else add_points<D, L, P>(shared, job.scale, x, label, set);
    arrive(job.arrived);
    wait(job.arrived, round + 1);
    leaves = renew<D>(pass, finish.halt_on_empty, unit, set, [&](int c, const float(&row)[D]) {
      for (int j = 0; j < D; j++) shared.centroids[c * D + j] = row[j];
    });
  }
  if (pass.count_changes && threadIdx.x % L == 0) {
#pragma unroll
    for (int p = 0; p < P; p++) {
      if (worker + p * workers < pass.count) pass.labels[worker + p * workers] = label[p];
    }
  }
}

template <int D, int L, int P>
class TinyScribe final : public DeviceVariant {
 public:
  using Form = Layout<D, L, P>;

  TinyScribe(const Problem& problem, std::unique_ptr<DeviceVariant> single)
      : single_(std::move(single)), sets_(sets * (static_cast<std::size_t>(Form::values(problem.k)) + 1)), arrived_(1),
        blocks_(blocks_for(problem.n)) {
    job_ = {problem.x, problem.scale, sets_.get(), arrived_.get()};
    allow_dynamic_shared(tiny_scribe<D, L, P>, Form::bytes(problem.k));
  }

  static unsigned blocks_for(std::size_t n) {
    constexpr std::size_t each = static_cast<std::size_t>(Form::threads / L) * P;
    return static_cast<unsigned>((n + each - 1) / each);
  }
  static bool holds(const Problem& problem) {
    return blocks_for(problem.n) < static_cast<unsigned>(problem.device.multiProcessorCount) &&
           Form::bytes(problem.k) + 4096 <= problem.device.sharedMemPerBlockOptin;
  }

  SumKind sums() const override { return SumKind::fixed; }
  bool is_fused() const override { return true; }
  double speed() const override { return single_->speed(); }
  bool runs_whole() const override { return true; }
  void enqueue_assign(const Pass& pass) override { single_->enqueue_assign(pass); }

  void enqueue_run(const Pass& pass, const FinishArguments& finish) override {
    // A rule must be judged before the next iteration begins.
    if (finish.stop != StopRule::none) return single_->enqueue_run(pass, finish);
    sets_.clear(pass.stream);
    arrived_.clear(pass.stream);
    Pass whole = pass;
    FinishArguments to = finish;
    void* arguments[] = {&job_, &whole, &to};
    check(cudaLaunchCooperativeKernel(tiny_scribe<D, L, P>, dim3(blocks_ + 1), dim3(Form::threads), arguments,
                                      Form::bytes(pass.k), pass.stream),
          "cudaLaunchCooperativeKernel of fused, tiny with a scribe");
  }

 private:
  std::unique_ptr<DeviceVariant> single_;
  Buffer<long long> sets_;
  Buffer<unsigned> arrived_;
  unsigned blocks_;
  ScribeJob job_{};
};

template <int D, int L, int P>
bool try_make(const Problem& problem, std::unique_ptr<DeviceVariant>& single) {
  if (!TinyScribe<D, L, P>::holds(problem)) return false;
  single = std::make_unique<TinyScribe<D, L, P>>(problem, std::move(single));
  return true;
}

template <int D>
bool make_of(const Problem& problem, std::unique_ptr<DeviceVariant>& single) {
  // The low halves leave the high ones within 32 bits from 2^16 points on. Fewer points a thread mean more blocks at work.
  const bool reducible = problem.k <= most_reduced && problem.n > 32768;
  if (reducible && (try_make<D, 1, 1>(problem, single) || try_make<D, 1, 2>(problem, single) ||
                    try_make<D, 1, 3>(problem, single) || try_make<D, 1, 4>(problem, single))) {
    return true;
  }
  if (problem.k > 64 && try_make<D, 16, 1>(problem, single)) return true;
  return try_make<D, 8, 1>(problem, single) || try_make<D, 8, 2>(problem, single) || try_make<D, 8, 3>(problem, single) ||
         try_make<D, 8, 4>(problem, single) || try_make<D, 4, 4>(problem, single);
}

}  // namespace

std::unique_ptr<DeviceVariant> make_fused_tiny_scribe(const Problem& problem, std::unique_ptr<DeviceVariant> single) {
  if (!single->runs_whole()) return single;
  switch (problem.d) {
    case 1: make_of<1>(problem, single); break;
    case 2: make_of<2>(problem, single); break;
    case 3: make_of<3>(problem, single); break;
    case 4: make_of<4>(problem, single); break;
    default: break;
  }
  return single;
}

}  // namespace centroid_lab::cuda

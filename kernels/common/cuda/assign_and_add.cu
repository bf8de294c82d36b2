#include "assign_and_add.hpp"

#include "atomic_sums.cuh"
#include "check.hpp"
#include "nearest.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;

template <int D>
__global__ void __launch_bounds__(threads) assign_and_add(const float* x, int d, Pass pass) {
  if (*pass.halted != 0) return;
  const size_t index = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  bool changed = false;
  if (index < pass.count) {
    const size_t i = pass.first + index;
    const float* point = x + i * d;
    const std::int32_t label = nearest_centroid<D>(point, pass.centroids, pass.k, d);
    changed = note_label(pass, i, label) != 0;
    if (pass.accumulate) add_by_atomics(point, d, label, pass.real_sums, pass.counts);
  }
  report_changes(pass, changed);
}

}  // namespace

void enqueue_assign_and_add(const float* x, int d, const Pass& pass) {
  const unsigned blocks = static_cast<unsigned>((pass.count + threads - 1) / threads);
  with_features(d, [&](auto features) {
    assign_and_add<features.value><<<blocks, threads, 0, pass.stream>>>(x, d, pass);
  });
  check_launch("assignment with atomic sums");
}

}  // namespace centroid_lab::cuda

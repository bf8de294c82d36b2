// CUDA 1 of the study on Thrust's containers and algorithms: for_each over the points, with atomics. See README.md.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include "atomic_sums.cuh"
#include "check.hpp"
#include "nearest.cuh"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

/// Sums and counts lie in containers of their own until `Hand` passes them on.
struct Totals {
  double* sums;
  unsigned* counts;
};

/// What is done for point `index` of the pass.
template <int D>
struct Assign {
  const float* x;
  int d;
  Pass pass;
  Totals to;

  __device__ void operator()(size_t index) const {
    if (*pass.halted != 0) return;
    const size_t i = pass.first + index;
    const float* point = x + i * d;
    const std::int32_t label = nearest_centroid<D>(point, pass.centroids, pass.k, d);
    if (note_label(pass, i, label) != 0) atomicAdd(pass.changed, 1u);
    if (pass.accumulate) add_by_atomics(point, d, label, to.sums, to.counts);
  }
};

/// Adds a number to the pass's and leaves zero behind.
template <class Value>
struct Hand {
  const int* halted;
  Value* to;
  Value* from;

  __device__ void operator()(size_t at) const {
    if (*halted != 0) return;
    to[at] += from[at];
    from[at] = 0;
  }
};

class Thrust final : public DeviceVariant {
 public:
  explicit Thrust(const Problem& problem)
      : x_(problem.x), d_(problem.d), sums_(static_cast<size_t>(problem.k) * problem.d), counts_(problem.k) {}

  SumKind sums() const override { return SumKind::real; }
  bool is_fused() const override { return true; }
  double speed() const override { return speed_of_atomics(static_cast<int>(counts_.size())); }

  void enqueue_assign(const Pass& pass) override {
    const Totals to{thrust::raw_pointer_cast(sums_.data()), thrust::raw_pointer_cast(counts_.data())};
    with_features(d_, [&](auto features) {
      each(pass, pass.count, Assign<features.value>{x_, d_, pass, to});
    });
    if (!pass.accumulate) return;
    each(pass, static_cast<size_t>(pass.k) * d_, Hand<double>{pass.halted, pass.real_sums, to.sums});
    each(pass, pass.k, Hand<unsigned>{pass.halted, pass.counts, to.counts});
  }

 private:
  template <class Action>
  static void each(const Pass& pass, size_t count, const Action& action) {
    // Without `nosync` every for_each waits for the device, which a recorded graph cannot.
    const auto policy = thrust::cuda::par_nosync.on(pass.stream);
    thrust::for_each_n(policy, thrust::counting_iterator<size_t>(0), count, action);
    check_launch("thrust::for_each_n");
  }

  const float* x_;
  int d_;
  thrust::device_vector<double> sums_;
  thrust::device_vector<unsigned> counts_;
};

std::unique_ptr<DeviceVariant> make(const Problem& problem) { return std::make_unique<Thrust>(problem); }

const Registration registration({"thrust", make, {}});

}  // namespace
}  // namespace centroid_lab::cuda

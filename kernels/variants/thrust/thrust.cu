// CUDA 1 of the study on Thrust's containers: sums and counts are device vectors, cleared by thrust::fill, and its
// assignment kernel is launched on their raw pointers. See README.md.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/transform.h>

#include "assign_and_add.hpp"
#include "atomic_sums.cuh"
#include "check.hpp"
#include "registered_variants.hpp"

namespace centroid_lab::cuda {
namespace {

class Thrust final : public DeviceVariant {
 public:
  explicit Thrust(const Problem& problem)
      : x_(problem.x), d_(problem.d), sums_(static_cast<size_t>(problem.k) * problem.d), counts_(problem.k) {}

  SumKind sums() const override { return SumKind::real; }
  bool is_fused() const override { return true; }
  double speed() const override { return speed_of_atomics(static_cast<int>(counts_.size())); }

  void enqueue_assign(const Pass& pass) override {
    if (!pass.accumulate) return enqueue_assign_and_add(x_, d_, pass);
    // Plain Thrust waits for the device after every call, which a recorded graph cannot.
    const auto policy = thrust::cuda::par_nosync.on(pass.stream);
    thrust::fill(policy, sums_.begin(), sums_.end(), 0.0);
    thrust::fill(policy, counts_.begin(), counts_.end(), 0U);
    Pass own = pass;
    own.real_sums = thrust::raw_pointer_cast(sums_.data());
    own.counts = thrust::raw_pointer_cast(counts_.data());
    enqueue_assign_and_add(x_, d_, own);
    // After a halt the kernel has added nothing, so that nothing is handed on.
    hand_on(policy, sums_, static_cast<size_t>(pass.k) * d_, pass.real_sums);
    hand_on(policy, counts_, static_cast<size_t>(pass.k), pass.counts);
    check_launch("thrust");
  }

 private:
  /// Adds the first `count` values to the pass's, where other parts of the points may have left theirs.
  template <class Policy, class Value>
  static void hand_on(const Policy& policy, const thrust::device_vector<Value>& from, size_t count, Value* to) {
    const auto result = thrust::device_pointer_cast(to);
    thrust::transform(policy, from.begin(), from.begin() + count, result, result, thrust::plus<Value>());
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

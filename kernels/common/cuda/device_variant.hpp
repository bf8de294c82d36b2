// The seam between the loop on the device (device_lloyd.hpp) and the CUDA variants.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../clustering.hpp"
#include "finish.hpp"
#include "variant_plan.hpp"

namespace centroid_lab::cuda {

/// What a variant is made for. Everything pointed to outlives it.
struct Problem {
  /// Device, (n, d) row-major float32, engine units.
  const float* x = nullptr;
  std::size_t n = 0;
  int d = 0;
  /// Clusters at the start; a pass may have fewer.
  int k = 0;
  /// Host, (d): largest magnitude of each feature, at most 1.
  const float* max_abs = nullptr;
  /// Device, (d): multiply a coordinate by this and round to nearest for its 64-bit fixed-point number (see
  /// common/fixed_point.hpp): n of them never overflow.
  const float* scale = nullptr;
  /// `x` is filled anew before every pass: nothing may be read from it, or kept of it, beforehand.
  bool streamed = false;
  /// As in VariantPlan.
  std::vector<std::string> regimes;
  std::vector<std::string> other_passes;
  FilterTuning filter;
  /// Device, (n): an order in which neighbours in space follow each other, where one has been made already
  /// (methods/ordering/neighbour_order.hpp).
  const unsigned* order = nullptr;
  /// Changed labels will be asked for.
  bool needs_changed = false;
  /// As in VariantPlan.
  int workers = default_workers;
  cudaDeviceProp device{};
};

/// One assignment, and what is to become of it. Sums, counts and the changed count are zero when it begins.
struct Pass {
  /// Device, (k, d) row-major. Dropped clusters are not among them. Rows of NaN, copies of rows before them, have no part in the pass;
  /// they come to none but variants that leave them out (`leaves_copies_out`).
  const float* centroids = nullptr;
  int k = 0;
  /// Points first .. first + count - 1 are to be assigned. Slow passes are cut; the parts add up.
  std::size_t first = 0;
  std::size_t count = 0;
  /// Device, (n): label of each point. Null when neither wanted nor needed.
  std::int32_t* labels = nullptr;
  /// Sum the members; without it the pass only labels, and leaves nothing behind but the labels.
  bool accumulate = true;
  /// Leave the labels behind; variants that need them for themselves (`needs_labels`) always do.
  bool write_labels = false;
  /// Before overwriting a label compare with it and add the differences to `changed`.
  bool count_changes = false;
  /// (k, d): the one of the two that the variant's `sums` names; the other is null.
  long long* fixed_sums = nullptr;
  double* real_sums = nullptr;
  /// (k)
  unsigned* counts = nullptr;
  /// One number.
  unsigned* changed = nullptr;
  /// Device; when not zero as a kernel begins, the run has ended before this pass and the kernel must do nothing.
  const int* halted = nullptr;
  cudaStream_t stream = nullptr;
};

enum class SumKind { fixed, real };

/// One way to carry out assignment and sums on a device. Prepared once for its points (layouts, work space: no
/// enqueue_* may allocate or wait, as it may be recorded into a graph); used by one thread at a time.
class DeviceVariant {
 public:
  DeviceVariant() = default;
  DeviceVariant(const DeviceVariant&) = delete;
  DeviceVariant& operator=(const DeviceVariant&) = delete;
  virtual ~DeviceVariant() = default;

  virtual SumKind sums() const = 0;
  /// Assignment and sums are one kernel that cannot be parted: `enqueue_update` is never called.
  virtual bool is_fused() const { return false; }
  /// A pass must be given `labels` although nobody asked for them.
  virtual bool needs_labels() const { return !is_fused(); }
  /// False when enqueue_* cannot be recorded into a graph.
  virtual bool can_be_recorded() const { return true; }
  /// Takes rows of NaN among the centroids of a pass.
  virtual bool leaves_copies_out() const { return false; }
  /// Forget everything kept from earlier passes: new centroids, or labels that were spoilt.
  virtual void restart(cudaStream_t) {}

  /// Assigns points first .. first + count - 1 (fused variants also add up their members).
  virtual void enqueue_assign(const Pass& pass) = 0;
  /// Sums and counts of the points of a pass by `pass.labels`: of all n, or of at most `points_per_update`.
  virtual void enqueue_update(const Pass& pass);
  /// Points of which an update is done so soon that a cancel can wait for it. Where that is fewer than n, updates
  /// are cut, and the parts add up.
  virtual std::size_t points_per_update() const { return SIZE_MAX; }

  /// Multiply-adds a second as a share of the device's float32 peak, a cautious guess: decides whether passes are
  /// cut so that a cancel is answered in time.
  virtual double speed() const { return 0.05; }

  /// Can complete an iteration in the kernel that assigns.
  virtual bool completes() const { return false; }
  /// An assignment of all points that also does what `enqueue_finish` would.
  virtual void enqueue_complete(const Pass& pass, const FinishArguments& finish);

  /// Can carry out many iterations in one launch.
  virtual bool runs_whole() const { return false; }
  /// Iterations in one launch from `finish.begin`, each completed as finish.cuh says, until one halts; `finish.report` says how.
  virtual void enqueue_run(const Pass& pass, const FinishArguments& finish);

  /// Which regime it is, and what the data were found to be on the way to it; empty for variants with one way only.
  const BuiltPlan& built() const { return built_; }
  void note_built(BuiltPlan built) { built_ = std::move(built); }

 private:
  BuiltPlan built_;
};

}  // namespace centroid_lab::cuda

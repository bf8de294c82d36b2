// The kernels of `pruned` on a device, and what they share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// How the next pass is made. All zero at the start of a run.
enum class Mode : int { brute = 0, entering = 1, bounded = 2 };

/// The state of `pruned`, in device memory. Decided on the device: nothing but centroids and bounds enters into it.
struct Plan {
  Mode mode;
  /// Kernels of the brute-force pass, and those of the bounds, do nothing where these are not zero.
  int skip_brute;
  int skip_bounds;
  /// Passes made, and passes that must still be brute force.
  int passes;
  int waiting;
  /// How long to wait the next time that bounds do not pay.
  int patience;
  /// Points in the list of this piece, and in all lists of this pass.
  unsigned listed;
  unsigned long long evaluated;
  /// The two largest shifts and the cluster of the first; mean of half the distance to the nearest other centroid.
  float largest_shift;
  float second_shift;
  int fastest;
  float mean_gap;
};

struct BoundsArguments {
  const float* x = nullptr;
  const float* scale = nullptr;
  std::size_t n = 0;
  int d = 0;
  int k = 0;
  Plan* plan = nullptr;
  /// (n): label, upper bound of the distance to its centroid, lower bound of the distance to every other.
  std::int32_t* labels = nullptr;
  float* upper = nullptr;
  float* lower = nullptr;
  /// (n): points whose bounds leave the label open.
  unsigned* list = nullptr;
  /// (k, d): centroids of the pass before.
  float* before = nullptr;
  /// (k): how far each centroid has moved, rounded up; half the distance to the nearest other one, rounded down.
  float* shift = nullptr;
  float* gap = nullptr;
  /// (k, d) and (k): sums and counts of `labels`, kept from pass to pass.
  long long* sums = nullptr;
  unsigned* counts = nullptr;
};

/// Measures how the centroids lie and have moved, and decides how this pass is made.
void enqueue_plan(const BoundsArguments& to, const Pass& pass);
/// Moves the bounds of the pass's points, lists those that stay open, evaluates and moves them.
void enqueue_bounded_pass(const BoundsArguments& to, const Pass& pass, unsigned blocks);
/// After the last piece: hands out the sums where no brute-force pass made them, and keeps the centroids.
void enqueue_publish(const BoundsArguments& to, const Pass& pass);

}  // namespace centroid_lab::cuda

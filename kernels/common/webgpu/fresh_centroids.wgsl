// Centroids of this slot, made where the task says so. Follows task.wgsl and mean.wgsl in one
// module.

@group(0) @binding(5) var<storage, read_write> stored_centroids: array<f32>;

// The coordinate at `entry` of (k, d): placed by the host or by `means`, or made here; `writes`:
// for all others as well.
fn fresh_coordinate(entry: u32, writes: bool) -> f32 {
  let from_slot = task.slot * task.centroids_stride + entry;
  if (!means_first()) {
    return stored_centroids[from_slot];
  }
  // All are read before the first is looked at.
  let at = (task.slot - 1u) * task.sums_stride + 2u * entry;
  let low = atomicLoad(&sums[at]);
  let high = atomicLoad(&sums[at + 1u]);
  let members = atomicLoad(&counts[(task.slot - 1u) * task.counts_stride + entry / task.d]);
  let before = stored_centroids[from_slot - task.centroids_stride];
  let unit = scales[task.d + entry % task.d];
  // An empty cluster keeps its centroid.
  var value = before;
  if (members != 0u) {
    value = mean_of(low, high, members, unit);
  }
  if (writes) {
    stored_centroids[from_slot] = value;
  }
  return value;
}

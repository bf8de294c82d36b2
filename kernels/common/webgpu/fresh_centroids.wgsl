// Centroids of this slot, made where the task says so. Follows task.wgsl and mean.wgsl in one
// module.

// Bits: a driver may flush what is denormal.
@group(0) @binding(5) var<storage, read_write> stored_centroids: array<u32>;

// What the slot before has added up of a coordinate. All is read before the first is looked at.
fn summed_before(entry: u32) -> Summed {
  let at = (task.slot - 1u) * task.sums_stride;
  let low = atomicLoad(&sums[at + 2u * entry]);
  let high = atomicLoad(&sums[at + 2u * entry + 1u]);
  let rest = atomicLoad(&sums[at + task.sums_stride / 3u * 2u + entry]);
  let members = atomicLoad(&counts[(task.slot - 1u) * task.counts_stride + entry / task.d]);
  return Summed(low, high, rest, members);
}

// The coordinate at `entry` of (k, d): placed by the host or by `means`, or made here; `writes`:
// for all others as well.
fn fresh_coordinate(entry: u32, writes: bool) -> f32 {
  let from_slot = task.slot * task.centroids_stride + entry;
  if (!means_first()) {
    return bitcast<f32>(stored_centroids[from_slot]);
  }
  let sum = summed_before(entry);
  // An empty cluster keeps its centroid.
  var value = stored_centroids[from_slot - task.centroids_stride];
  let feature = entry % task.d;
  if (sum.members != 0u) {
    value = mean_of(sum, scales[task.d + feature], scales[2u * task.d + feature]);
  }
  if (writes) {
    stored_centroids[from_slot] = value;
  }
  return bitcast<f32>(value);
}

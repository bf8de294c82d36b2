// What every dispatch is told, and the buffers of an assignment. One Task per dispatch, by dynamic
// offset.
struct Task {
  // First point of this dispatch within its part, and how many follow.
  first: u32,
  count: u32,
  k: u32,
  d: u32,
  // Iteration within the submit: reads centroids[slot], fills counts[slot] and sums[slot].
  slot: u32,
  // labels[point - label_origin] belongs to a point.
  label_origin: u32,
  // Words between two slots of each ring.
  counts_stride: u32,
  sums_stride: u32,
  centroids_stride: u32,
  // Where the number of changed labels stands within a slot of counts.
  changed_at: u32,
  // What to do besides the assignment: the sum of flags below.
  flags: u32,
  // Round of a pass that is run several times.
  step: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
// (n, d) row-major.
@group(0) @binding(1) var<storage, read> points: array<f32>;
// Label + 1 of each point; 0 = has none yet. Then as many places for points in doubt, in variants
// that have any.
@group(0) @binding(2) var<storage, read_write> labels: array<u32>;
// (slots, k + 3): members of each cluster, then the number of changed labels, of points in doubt, and
// of workgroups that are done with these.
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
// (slots): (k, d, 2) biased fixed-point sums, low and high word, then (k, d) rests.
@group(0) @binding(4) var<storage, read_write> sums: array<atomic<u32>>;
// (slots + 1, k, d) row-major.
@group(0) @binding(5) var<storage, read> centroids: array<f32>;
// (3, d): powers of two, to fixed point, back, and from a fraction of it to a rest.
@group(0) @binding(6) var<storage, read> scales: array<f32>;

// Flags are told at run time, not by `override`: one pipeline serves iterations and the final
// assignment, which halves the translation (seconds on SwiftShader). Add up members and sums;
// without it a dispatch only labels.
fn accumulate() -> bool {
  return (task.flags & 1u) != 0u;
}
// Write the label of each point.
fn write_labels() -> bool {
  return (task.flags & 2u) != 0u;
}
// Compare with the label before and count the changes; needs write_labels.
fn count_changes() -> bool {
  return (task.flags & 4u) != 0u;
}

// Make the centroids of this slot, from counts and sums of the one before, at the beginning.
fn means_first() -> bool {
  return (task.flags & 8u) != 0u;
}

// Before that, make counts and sums of the slot before.
fn sums_first() -> bool {
  return (task.flags & 16u) != 0u;
}

// A coordinate as fixed point: |x| * scale <= 2^30, biased by 2^30 so that sums only ever grow and
// the high word is touched only on a carry. Integer addition knows no order, so the sums are
// deterministic.
const bias: i32 = 1073741824;
fn to_fixed(value: f32, feature: u32) -> u32 {
  return u32(i32(round(value * scales[feature])) + bias);
}

// Adds a 64-bit number to a sum of this slot.
fn add_to_sum(cluster: u32, feature: u32, low: u32, high: u32) {
  let at = task.slot * task.sums_stride + 2u * (cluster * task.d + feature);
  let before = atomicAdd(&sums[at], low);
  let carried = high + select(0u, 1u, before + low < before);
  if (carried != 0u) {
    atomicAdd(&sums[at + 1u], carried);
  }
}

// What a coordinate is beyond its fixed point, in steps as fine as the sums of the contract have
// them: nothing, but for coordinates far below the largest of their feature. No sum of rests goes
// over: methods/fixed-point-sums/proof.md.
fn rest_of_scaled(scaled: f32, feature: u32) -> i32 {
  let left = scaled - round(scaled);
  if (left == 0.0) {
    return 0i;
  }
  return i32(round(left * scales[2u * task.d + feature]));
}

fn rest_of(value: f32, feature: u32) -> i32 {
  return rest_of_scaled(value * scales[feature], feature);
}

fn add_to_rest(cluster: u32, feature: u32, rest: i32) {
  if (rest != 0i) {
    let at = task.slot * task.sums_stride + task.sums_stride / 3u * 2u + cluster * task.d + feature;
    atomicAdd(&sums[at], bitcast<u32>(rest));
  }
}

fn add_to_count(cluster: u32, members: u32) {
  atomicAdd(&counts[task.slot * task.counts_stride + cluster], members);
}

// Writes a label; answers 1 when it differs from the label before, which is looked at only on
// request.
fn note_label(point: u32, cluster: u32) -> u32 {
  if (!write_labels()) {
    return 0u;
  }
  let at = point - task.label_origin;
  var changed = 0u;
  if (count_changes()) {
    changed = select(0u, 1u, labels[at] != cluster + 1u);
  }
  labels[at] = cluster + 1u;
  return changed;
}

// A point whose nearest centroid computed distances do not tell is left to resolve_doubts.wgsl, which
// finds it, labels it and adds it up: it goes to a list behind the labels, whose length is counted
// beside the changed labels, as are the workgroups that are done with it.
fn doubts_at() -> u32 {
  return task.slot * task.counts_stride + task.changed_at + 1u;
}

fn doubts_from() -> u32 {
  return arrayLength(&labels) / 2u;
}

fn leave_in_doubt(point: u32) {
  labels[doubts_from() + atomicAdd(&counts[doubts_at()], 1u)] = point;
}

// Where a kernel keeps whether a point is in doubt beside the number of a cluster.
const doubt_mark = 0x80000000u;

// The most that an operation is off by, of its result, whatever the rounding; and what a feature adds
// to a distance, or loses, where a driver flushes.
const rounding = 1.1920928955078125e-07;
const underflow = 1e-36;

// Features after which a sum of squares begins anew and goes to the sum of such sums: errors grow with
// the longest way of a term through additions.
override block_features: u32 = 0xffffffffu;

// Roundings of a term: the difference twice, the square, and additions.
fn roundings_of_distance() -> u32 {
  let block = min(task.d, block_features);
  return block + (task.d - 1u) / block + 3u;
}

// Whether of two computed squared distances, each a sum whose terms met so many roundings, the second
// is certainly the greater one: both are off by less than half of the margin.
fn is_farther(least: f32, next: f32, roundings: u32) -> bool {
  let share = 2.1 * f32(roundings) * rounding;
  return share < 0.04 && next - least > fma(share, next, f32(task.d) * underflow);
}

// `least`: the smallest computed distance, `next`: the smallest of the others.
fn is_in_doubt(least: f32, next: f32) -> bool {
  return !is_farther(least, next, roundings_of_distance());
}

fn are_in_doubt(least: vec4f, next: vec4f) -> vec4<bool> {
  let share = 2.1 * f32(roundings_of_distance()) * rounding;
  return !(next - least > share * next + f32(task.d) * underflow);
}

// Changed labels of a workgroup, gathered before they go to the one counter of the slot.
var<workgroup> changed_in_group: atomic<u32>;

fn report_changes(lane: u32) {
  if (count_changes()) {
    workgroupBarrier();
    if (lane == 0u) {
      atomicAdd(&counts[task.slot * task.counts_stride + task.changed_at], atomicLoad(&changed_in_group));
    }
  }
}

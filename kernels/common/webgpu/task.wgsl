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
// Label + 1 of each point; 0 = has none yet.
@group(0) @binding(2) var<storage, read_write> labels: array<u32>;
// (slots, k + 2): members of each cluster, then the number of changed labels, and whether a point
// is in doubt.
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
// finds it in exact arithmetic, labels it and adds it up. The label before stays below the mark.
const doubt_mark = 0x80000000u;

fn leave_in_doubt(point: u32) {
  let at = point - task.label_origin;
  labels[at] = labels[at] | doubt_mark;
  atomicStore(&counts[task.slot * task.counts_stride + task.changed_at + 1u], 1u);
}

// A computed squared distance D is off by at most (d + 3) 2^-23 D and d 2^-122 for what underflows:
// in whatever order a driver adds up, with or without fused operations. Two that are closer than
// twice that do not tell which is smaller.
fn doubt_between(next: f32) -> f32 {
  return 2.1 * f32(task.d + 3u) * 1.1920928955078125e-07 * next + f32(task.d) * 1e-36;
}

// `least`: the smallest computed distance, `next`: the smallest of the others.
fn is_in_doubt(least: f32, next: f32) -> bool {
  return !(next - least > doubt_between(next));
}

fn are_in_doubt(least: vec4f, next: vec4f) -> vec4<bool> {
  let share = 2.1 * f32(task.d + 3u) * 1.1920928955078125e-07;
  return !(next - least > share * next + f32(task.d) * 1e-36);
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

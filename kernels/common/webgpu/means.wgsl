// Bits of the means of a slot, by mean.wgsl, which precedes this in one module.
// The same Task as in task.wgsl.
struct Task {
  first: u32,
  count: u32,
  k: u32,
  d: u32,
  slot: u32,
  label_origin: u32,
  counts_stride: u32,
  sums_stride: u32,
  centroids_stride: u32,
  changed_at: u32,
  flags: u32,
  step: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<u32>;
@group(0) @binding(5) var<storage, read_write> centroids: array<u32>;
@group(0) @binding(6) var<storage, read> scales: array<f32>;

// One thread per coordinate of a centroid. An empty cluster keeps its centroid.
@compute @workgroup_size(64)
fn means(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let entry = (group.y * groups.x + group.x) * 64u + lane;
  if (entry >= task.k * task.d) {
    return;
  }
  let from_slot = task.slot * task.centroids_stride + entry;
  let members = counts[task.slot * task.counts_stride + entry / task.d];
  if (members == 0u) {
    centroids[from_slot + task.centroids_stride] = centroids[from_slot];
    return;
  }
  let at = task.slot * task.sums_stride;
  let rest = sums[at + task.sums_stride / 3u * 2u + entry];
  let sum = Summed(sums[at + 2u * entry], sums[at + 2u * entry + 1u], rest, members);
  let feature = entry % task.d;
  let mean = mean_of(sum, scales[task.d + feature], scales[2u * task.d + feature]);
  centroids[from_slot + task.centroids_stride] = mean;
}

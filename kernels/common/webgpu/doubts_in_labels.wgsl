// For resolve_doubts.wgsl: points by their numbers, which have labels. A file with `add_resolved`, which
// adds up, follows.

@group(0) @binding(1) var<storage, read> point_words: array<u32>;

fn take_resolved(point: u32, cluster: u32, known: u32, own: u32) {
  if (own == 0u) {
    let changed = note_label(point, cluster);
    if (count_changes() && changed != 0u) {
      atomicAdd(&counts[task.slot * task.counts_stride + task.changed_at], changed);
    }
  }
  if (accumulate()) {
    add_resolved(point, cluster, known, own);
  }
}

@compute @workgroup_size(resolve_threads)
fn resolve_doubts(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  resolve_all(group, groups, lane);
}

// For resolve_doubts.wgsl: points by their places in the order of the plane, which have no labels.

@group(0) @binding(7) var<storage, read_write> point_words: array<u32>;

fn take_resolved(position: u32, cluster: u32, known: u32, own: u32) {
  add_resolved(position, cluster, known, own);
}

@compute @workgroup_size(resolve_threads)
fn resolve_in_order(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  resolve_all(group, groups, lane);
}

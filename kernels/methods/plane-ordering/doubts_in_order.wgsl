// For resolve_doubts.wgsl: places of points in doubt within the order of the plane, as box_candidates.wgsl
// notes them.

@group(0) @binding(7) var<storage, read_write> point_words: array<u32>;
@group(0) @binding(8) var<storage, read_write> doubts: array<u32>;

fn doubts_end() -> u32 {
  return atomicLoad(&counts[task.slot * task.counts_stride + task.changed_at + 1u]);
}

fn is_in_doubt_at(position: u32) -> bool {
  return true;
}

fn point_in_doubt(position: u32) -> u32 {
  return doubts[position];
}

fn take_resolved(position: u32, cluster: u32, known: u32, own: u32) {
  add_resolved(doubts[position], cluster, known, own);
}

@compute @workgroup_size(resolve_threads)
fn resolve_in_order(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  resolve_all(group, groups, lane);
}

// The device's half: one thread per point, centroids in global memory, no workgroup memory for
// them. The labels go back to the processor, which updates. Follows task.wgsl and
// nearest_centroid.wgsl in one module.

@compute @workgroup_size(256)
fn assign(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + lane;
  if (index < task.count) {
    let point = task.first + index;
    let changed = note_label(point, nearest(point));
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  report_changes(lane);
}

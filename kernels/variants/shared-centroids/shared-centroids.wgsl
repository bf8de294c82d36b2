// One thread per point; centroids staged in workgroup memory; d + 1 atomic additions per point in
// global memory. Follows task.wgsl and staged_centroids.wgsl in one module.

@compute @workgroup_size(threads)
fn assign(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * threads + lane;
  // A lane past the end goes along for the barriers and is not counted.
  let point = task.first + min(index, task.count - 1u);
  let cluster = nearest_staged(point, lane);
  if (index < task.count) {
    if (accumulate()) {
      for (var feature = 0u; feature < features; feature++) {
        add_to_sum(cluster, feature, to_fixed(points[point * features + feature], feature), 0u);
      }
      add_to_count(cluster, 1u);
    }
    let changed = note_label(point, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  report_changes(lane);
}

// One thread per point; centroids stay in global memory; d + 1 atomic additions per point.
// Follows task.wgsl and nearest_centroid.wgsl in one module.

@compute @workgroup_size(256)
fn assign(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + lane;
  if (index < task.count) {
    let point = task.first + index;
    let cluster = nearest(point);
    if (accumulate()) {
      for (var feature = 0u; feature < task.d; feature++) {
        add_to_sum(cluster, feature, to_fixed(points[point * task.d + feature], feature), 0u);
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

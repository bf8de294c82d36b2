// One thread per point; centroids stay in global memory; d + 1 atomic additions per point.
// Follows kernels/common/task.wgsl in one module.

fn distance_to(cluster: u32, point: u32) -> f32 {
  let from_point = point * task.d;
  let from_centroid = task.slot * task.centroids_stride + cluster * task.d;
  var distance = 0.0;
  for (var feature = 0u; feature < task.d; feature++) {
    let difference = points[from_point + feature] - centroids[from_centroid + feature];
    distance = fma(difference, difference, distance);
  }
  return distance;
}

// Ties go to the lowest index: only a strictly smaller distance replaces the first candidate.
fn nearest(point: u32) -> u32 {
  var best = 0u;
  var smallest = distance_to(0u, point);
  for (var cluster = 1u; cluster < task.k; cluster++) {
    let distance = distance_to(cluster, point);
    if (distance < smallest) {
      smallest = distance;
      best = cluster;
    }
  }
  return best;
}

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

// Points transposed once to columns, so that neighbouring threads read neighbouring words, and the
// assignment that reads them: one thread per point, centroids the same for all threads at a time,
// specialised for the number of features. Follows task.wgsl in one module.

override features: u32 = 1u;

// (features, points of the part).
@group(0) @binding(7) var<storage, read_write> columns: array<f32>;

fn value_at(point: u32, feature: u32) -> f32 {
  return columns[feature * (arrayLength(&columns) / features) + point];
}

// One thread per value; neighbours write neighbours.
@compute @workgroup_size(256)
fn transpose(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * 256u + lane;
  if (at < task.count * features) {
    columns[at] = points[(at % task.count) * features + at / task.count];
  }
}

fn distance_to(cluster: u32, point: u32) -> f32 {
  let from_centroid = task.slot * task.centroids_stride + cluster * features;
  let stride = arrayLength(&columns) / features;
  var distance = 0.0;
  for (var feature = 0u; feature < features; feature++) {
    let difference = columns[feature * stride + point] - centroids[from_centroid + feature];
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

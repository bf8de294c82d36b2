// The nearest centroid of a point, both read from global memory as often as they are needed.
// Follows task.wgsl in one module.

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

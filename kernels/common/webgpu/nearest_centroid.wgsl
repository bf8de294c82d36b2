// The nearest centroid of a point; centroids are read from global memory as often as they are
// needed. Follows task.wgsl and point_in_registers.wgsl in one module.

fn centroid_value(cluster: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + cluster * features + feature];
}

fn centroid_four(cluster: u32, feature: u32) -> vec4f {
  return vec4f(
    centroid_value(cluster, feature),
    centroid_value(cluster, feature + 1u),
    centroid_value(cluster, feature + 2u),
    centroid_value(cluster, feature + 3u),
  );
}

fn distance_to(cluster: u32, point: u32) -> f32 {
  var distance = 0.0;
  for (var vector = 0u; vector < (features + 3u) / 4u; vector++) {
    var own: vec4f;
    if (features <= 4u * held_vectors) {
      own = held[vector];
    } else {
      own = four_of(point, 4u * vector);
    }
    distance += squares(own - centroid_four(cluster, 4u * vector));
  }
  return distance;
}

// Ties go to the lowest index: only a strictly smaller distance replaces the first candidate.
fn nearest(point: u32) -> u32 {
  hold(point);
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

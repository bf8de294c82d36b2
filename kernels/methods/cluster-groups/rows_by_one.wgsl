// Rows of any length, one feature at a time; 0 past the last.
fn one_of(point: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return points[point * features + feature];
}

fn four_of(point: u32, feature: u32) -> vec4f {
  return vec4f(
    one_of(point, feature),
    one_of(point, feature + 1u),
    one_of(point, feature + 2u),
    one_of(point, feature + 3u),
  );
}

fn centroid_one_of(cluster: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + cluster * features + feature];
}

fn centroid_four_of(cluster: u32, feature: u32) -> vec4f {
  return vec4f(
    centroid_one_of(cluster, feature),
    centroid_one_of(cluster, feature + 1u),
    centroid_one_of(cluster, feature + 2u),
    centroid_one_of(cluster, feature + 3u),
  );
}

// The nearest centroid of a point whose coordinates a thread holds in workgroup memory; centroids
// stay in global memory. Follows task.wgsl in one module.

override features: u32 = 1u;
// Threads of an assigning workgroup, and how many coordinates of each its memory holds.
override holders: u32 = 32u;
override held: u32 = 1u;

// [coordinate][thread]: each thread reads and writes its own column only.
var<workgroup> own: array<f32, held * holders>;

fn distance_to(cluster: u32, point: u32, lane: u32) -> f32 {
  let from_centroid = task.slot * task.centroids_stride + cluster * features;
  var distance = 0.0;
  for (var feature = 0u; feature < held; feature++) {
    let difference = own[feature * holders + lane] - centroids[from_centroid + feature];
    distance = fma(difference, difference, distance);
  }
  for (var feature = held; feature < features; feature++) {
    let difference = points[point * features + feature] - centroids[from_centroid + feature];
    distance = fma(difference, difference, distance);
  }
  return distance;
}

// Ties go to the lowest index: only a strictly smaller distance replaces the first candidate.
fn nearest(point: u32, lane: u32) -> u32 {
  for (var feature = 0u; feature < held; feature++) {
    own[feature * holders + lane] = points[point * features + feature];
  }
  var best = 0u;
  var smallest = distance_to(0u, point, lane);
  for (var cluster = 1u; cluster < task.k; cluster++) {
    let distance = distance_to(cluster, point, lane);
    if (distance < smallest) {
      smallest = distance;
      best = cluster;
    }
  }
  return best;
}

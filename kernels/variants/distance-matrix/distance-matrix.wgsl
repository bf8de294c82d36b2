// All distances of a range of points, then their smallest, then sums by one thread per (point,
// coordinate). Follows task.wgsl in one module.

// (count, k) row-major: squared distances of the points of this dispatch.
@group(0) @binding(7) var<storage, read_write> matrix: array<f32>;

const side = 16u;
const threads = 256u;

// Blocks of 16 points by 16 clusters, numbered along the clusters first, as a grid's side ends at
// 65 535.
@compute @workgroup_size(side, side)
fn distances(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) lane: vec3u,
) {
  let across = (task.k + side - 1u) / side;
  let block = group.y * groups.x + group.x;
  let index = block / across * side + lane.y;
  let cluster = block % across * side + lane.x;
  if (index >= task.count || cluster >= task.k) {
    return;
  }
  let from_point = (task.first + index) * task.d;
  let from_centroid = task.slot * task.centroids_stride + cluster * task.d;
  var distance = 0.0;
  for (var feature = 0u; feature < task.d; feature++) {
    let difference = points[from_point + feature] - centroids[from_centroid + feature];
    distance = fma(difference, difference, distance);
  }
  matrix[index * task.k + cluster] = distance;
}

// The first distance is the first candidate; ties go to the lowest index.
fn smallest_of_row(index: u32) -> u32 {
  var best = 0u;
  var smallest = matrix[index * task.k];
  for (var cluster = 1u; cluster < task.k; cluster++) {
    let distance = matrix[index * task.k + cluster];
    if (distance < smallest) {
      smallest = distance;
      best = cluster;
    }
  }
  return best;
}

@compute @workgroup_size(threads)
fn choose(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * threads + lane;
  if (index < task.count) {
    let changed = note_label(task.first + index, smallest_of_row(index));
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  report_changes(lane);
}

// The thread of the first coordinate counts the point: once, whatever the number of coordinates.
@compute @workgroup_size(threads)
fn add_up(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let entry = (group.y * groups.x + group.x) * threads + lane;
  if (entry >= task.count * task.d) {
    return;
  }
  let point = task.first + entry / task.d;
  let feature = entry % task.d;
  let cluster = labels[point - task.label_origin] - 1u;
  add_to_sum(cluster, feature, to_fixed(points[point * task.d + feature], feature), 0u);
  if (feature == 0u) {
    add_to_count(cluster, 1u);
  }
}

// More than 8 features: 64 points by 64 centroids a workgroup, four by four a thread, features in
// slices of 16. Assignment and sums in one pass over the points; staged-centroids.wgsl is for
// fewer. Follows task.wgsl in one module.

override features: u32 = 9u;

const threads = 256u;
const depth = 16u;
const side = 64u;
// [feature of the slice][four consecutive points or centroids].
var<workgroup> point_slice: array<vec4f, 256>;
var<workgroup> centroid_slice: array<vec4f, 256>;
// [point][column of threads].
var<workgroup> column_smallest: array<f32, 1024>;
var<workgroup> column_best: array<u32, 1024>;
var<workgroup> chosen: array<u32, 64>;

fn point_or_zero(first: u32, row: u32, feature: u32) -> f32 {
  if (first + row >= task.count || feature >= features) {
    return 0.0;
  }
  return points[(task.first + first + row) * features + feature];
}

fn centroid_or_zero(cluster: u32, feature: u32) -> f32 {
  if (cluster >= task.k || feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + cluster * features + feature];
}

// Consecutive lanes read consecutive features, so that a row comes in whole cache lines.
fn stage_slices(first_point: u32, first_cluster: u32, first_feature: u32, lane: u32) {
  let feature = lane % depth;
  let quad = lane / depth;
  var point_values: vec4f;
  var centroid_values: vec4f;
  for (var i = 0u; i < 4u; i++) {
    point_values[i] = point_or_zero(first_point, 4u * quad + i, first_feature + feature);
    centroid_values[i] = centroid_or_zero(first_cluster + 4u * quad + i, first_feature + feature);
  }
  point_slice[feature * 16u + quad] = point_values;
  centroid_slice[feature * 16u + quad] = centroid_values;
}

// Best of the sixteen columns; equal distances go to the lower cluster index.
fn choose(row: u32) -> u32 {
  var best = column_best[row * 16u];
  var smallest = column_smallest[row * 16u];
  for (var column = 1u; column < 16u; column++) {
    let cluster = column_best[row * 16u + column];
    let distance = column_smallest[row * 16u + column];
    if (cluster < task.k && (distance < smallest || (distance == smallest && cluster < best))) {
      smallest = distance;
      best = cluster;
    }
  }
  return best;
}

@compute @workgroup_size(256)
fn tiled(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first_point = (group.y * groups.x + group.x) * side;
  let column = lane % 16u;
  let quad = lane / 16u;
  var smallest = vec4f();
  // A cluster index past the last says that this column has no candidate yet.
  var best = vec4u(0xffffffffu);
  for (var first_cluster = 0u; first_cluster < task.k; first_cluster += side) {
    // Zeroed by hand: SwiftShader keeps the values of the round before in a variable without
    // initialiser.
    var distances = array<vec4f, 4>();
    for (var slice = 0u; slice < features; slice += depth) {
      workgroupBarrier();
      stage_slices(first_point, first_cluster, slice, lane);
      workgroupBarrier();
      for (var feature = 0u; feature < depth; feature++) {
        let values = point_slice[feature * 16u + quad];
        let centres = centroid_slice[feature * 16u + column];
        for (var p = 0u; p < 4u; p++) {
          let difference = vec4f(values[p]) - centres;
          distances[p] = fma(difference, difference, distances[p]);
        }
      }
    }
    for (var i = 0u; i < 4u; i++) {
      let cluster = first_cluster + 4u * column + i;
      for (var p = 0u; p < 4u; p++) {
        if (cluster < task.k && (best[p] == 0xffffffffu || distances[p][i] < smallest[p])) {
          smallest[p] = distances[p][i];
          best[p] = cluster;
        }
      }
    }
  }
  for (var p = 0u; p < 4u; p++) {
    column_smallest[(4u * quad + p) * 16u + column] = smallest[p];
    column_best[(4u * quad + p) * 16u + column] = best[p];
  }
  workgroupBarrier();
  if (lane < side && first_point + lane < task.count) {
    let cluster = choose(lane);
    chosen[lane] = cluster;
    if (accumulate()) {
      add_to_count(cluster, 1u);
    }
    let changed = note_label(task.first + first_point + lane, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  if (accumulate()) {
    workgroupBarrier();
    for (var at = lane; at < side * features; at += threads) {
      let row = at / features;
      if (first_point + row < task.count) {
        let feature = at % features;
        let value = points[(task.first + first_point + row) * features + feature];
        add_to_sum(chosen[row], feature, to_fixed(value, feature), 0u);
      }
    }
  }
  report_changes(lane);
}

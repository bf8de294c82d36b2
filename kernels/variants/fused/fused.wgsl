// Assignment and sums in one pass over the points. Follows kernels/common/task.wgsl in one module.
// `low`: up to 8 features, four points a thread in registers, centroids and sums in workgroup memory.
// `high`: 64 points by 64 centroids a workgroup, four by four a thread, features in slices of 16.

override features: u32 = 2u;
// Centroids staged at a time, each `row_vectors` vec4 wide.
override tile_rows: u32 = 64u;
override row_vectors: u32 = 1u;
// Sums kept per workgroup, `replicas` times so that lanes do not collide; else straight to global memory.
override local_sums: bool = true;
override local_k: u32 = 1u;
override replicas: u32 = 1u;

const threads = 256u;
const points_a_thread = 4u;

var<workgroup> staged: array<vec4f, tile_rows * row_vectors>;
var<workgroup> partial: array<atomic<u32>, local_k * (2u * features + 1u) * replicas>;

fn centroid_value(cluster: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + cluster * features + feature];
}

fn stage(first: u32, rows: u32, lane: u32) {
  for (var at = lane; at < rows * row_vectors; at += threads) {
    let cluster = first + at / row_vectors;
    let feature = 4u * (at % row_vectors);
    staged[at] = vec4f(
      centroid_value(cluster, feature),
      centroid_value(cluster, feature + 1u),
      centroid_value(cluster, feature + 2u),
      centroid_value(cluster, feature + 3u),
    );
  }
}

// Squared distance by the direct difference; features beyond the last are zero on both sides.
fn distance_to_staged(row: u32, front: vec4f, back: vec4f) -> f32 {
  if (features <= 2u) {
    let difference = front.xy - staged[row].xy;
    return fma(difference.x, difference.x, difference.y * difference.y);
  }
  let first = front - staged[row * row_vectors];
  if (features <= 4u) {
    return dot(first, first);
  }
  let second = back - staged[row * row_vectors + 1u];
  return dot(first, first) + dot(second, second);
}

fn point_value(point: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return points[point * features + feature];
}

fn load_four(point: u32, feature: u32) -> vec4f {
  return vec4f(
    point_value(point, feature),
    point_value(point, feature + 1u),
    point_value(point, feature + 2u),
    point_value(point, feature + 3u),
  );
}

fn add_point(cluster: u32, front: vec4f, back: vec4f, lane: u32) {
  let replica = lane % replicas;
  for (var feature = 0u; feature < features; feature++) {
    var value = back[feature & 3u];
    if (feature < 4u) {
      value = front[feature & 3u];
    }
    let fixed = to_fixed(value, feature);
    if (local_sums) {
      let at = 2u * (cluster * features + feature) * replicas + replica;
      let before = atomicAdd(&partial[at], fixed);
      if (before + fixed < before) {
        atomicAdd(&partial[at + replicas], 1u);
      }
    } else {
      add_to_sum(cluster, feature, fixed, 0u);
    }
  }
  if (local_sums) {
    atomicAdd(&partial[(2u * local_k * features + cluster) * replicas + replica], 1u);
  } else {
    add_to_count(cluster, 1u);
  }
}

// The workgroup's sums go to the slot, replicas added first.
fn flush(lane: u32) {
  for (var entry = lane; entry < task.k * features; entry += threads) {
    var low = 0u;
    var high = 0u;
    for (var replica = 0u; replica < replicas; replica++) {
      let part = atomicLoad(&partial[2u * entry * replicas + replica]);
      low += part;
      high += atomicLoad(&partial[(2u * entry + 1u) * replicas + replica]) + select(0u, 1u, low < part);
    }
    if (low != 0u || high != 0u) {
      add_to_sum(entry / features, entry % features, low, high);
    }
  }
  for (var cluster = lane; cluster < task.k; cluster += threads) {
    var members = 0u;
    for (var replica = 0u; replica < replicas; replica++) {
      members += atomicLoad(&partial[(2u * local_k * features + cluster) * replicas + replica]);
    }
    if (members != 0u) {
      add_to_count(cluster, members);
    }
  }
}

// Persistent workgroups: each takes every `groups`-th block of threads * points_a_thread points.
@compute @workgroup_size(256)
fn low(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = threads * points_a_thread;
  let one_tile = task.k <= tile_rows;
  if (one_tile) {
    stage(0u, task.k, lane);
    workgroupBarrier();
  }
  for (var start = group.x * block; start < task.count; start += groups.x * block) {
    var front: array<vec4f, 4>;
    var back: array<vec4f, 4>;
    var best: array<u32, 4>;
    var smallest: array<f32, 4>;
    for (var p = 0u; p < points_a_thread; p++) {
      // A lane past the end repeats the last point and is not counted.
      let point = task.first + min(start + p * threads + lane, task.count - 1u);
      front[p] = load_four(point, 0u);
      if (features > 4u) {
        back[p] = load_four(point, 4u);
      }
    }
    for (var first = 0u; first < task.k; first += tile_rows) {
      let rows = min(tile_rows, task.k - first);
      if (!one_tile) {
        workgroupBarrier();
        stage(first, rows, lane);
        workgroupBarrier();
      }
      if (first == 0u) {
        for (var p = 0u; p < points_a_thread; p++) {
          smallest[p] = distance_to_staged(0u, front[p], back[p]);
          best[p] = 0u;
        }
      }
      for (var row = 0u; row < rows; row++) {
        for (var p = 0u; p < points_a_thread; p++) {
          let distance = distance_to_staged(row, front[p], back[p]);
          if (distance < smallest[p]) {
            smallest[p] = distance;
            best[p] = first + row;
          }
        }
      }
    }
    for (var p = 0u; p < points_a_thread; p++) {
      let index = start + p * threads + lane;
      if (index < task.count) {
        if (accumulate()) {
          add_point(best[p], front[p], back[p], lane);
        }
        let changed = note_label(task.first + index, best[p]);
        if (count_changes()) {
          atomicAdd(&changed_in_group, changed);
        }
      }
    }
  }
  if (accumulate() && local_sums) {
    workgroupBarrier();
    flush(lane);
  }
  report_changes(lane);
}

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
fn high(
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
    // Zeroed by hand: SwiftShader keeps the values of the round before in a variable without initialiser.
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

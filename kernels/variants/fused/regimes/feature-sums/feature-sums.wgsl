// Few clusters of more than 8 features: a lane finds the nearest centroid of its point; then lanes own
// features, four each, and add up the points of the workgroup without atomics. Centroids and sums
// in workgroup memory. Follows task.wgsl and rows_by_four.wgsl or rows_by_one.wgsl in one module.

override features: u32 = 9u;
override local_k: u32 = 1u;
// Sums kept per workgroup, each by lanes of its own.
override copies: u32 = 1u;

const threads = 256u;
// Vectors of four clusters whose distances a lane has in registers at once: one or two.
override vectors: u32 = min(2u, (local_k + 3u) / 4u);
override width: u32 = 4u * vectors;
override rounds: u32 = (local_k + width - 1u) / width;
// At most one for each lane.
override quads_of_row: u32 = (features + 3u) / 4u;
// Coordinates of a row past the last centroid, which is never the nearest.
const far_off: f32 = 1e15;

// [round][feature, up to whole quads][vector of four centroids].
var<workgroup> staged: array<vec4f, rounds * quads_of_row * 4u * vectors>;
// [copy][cluster][quad of features]: sums of biased fixed-point numbers, low and high words.
var<workgroup> lows: array<vec4u, copies * local_k * quads_of_row>;
var<workgroup> highs: array<vec4u, copies * local_k * quads_of_row>;
var<workgroup> members: array<u32, copies * local_k>;
var<workgroup> chosen: array<u32, threads>;

fn staged_four(cluster: u32, feature: u32) -> vec4f {
  if (cluster >= task.k) {
    return vec4f(far_off);
  }
  return centroid_four_of(cluster, feature);
}

// Four clusters by four features, turned.
fn stage(lane: u32) {
  for (var at = lane; at < vectors * rounds * quads_of_row; at += threads) {
    let vector = at % vectors;
    let feature = 4u * (at / vectors % quads_of_row);
    let round = at / vectors / quads_of_row;
    let first = round * width + 4u * vector;
    let turned = transpose(mat4x4f(
      staged_four(first, feature),
      staged_four(first + 1u, feature),
      staged_four(first + 2u, feature),
      staged_four(first + 3u, feature),
    ));
    let to = vectors * (round * 4u * quads_of_row + feature) + vector;
    staged[to] = turned[0];
    staged[to + vectors] = turned[1];
    staged[to + 2u * vectors] = turned[2];
    staged[to + 3u * vectors] = turned[3];
  }
}

struct Distances { front: vec4f, back: vec4f }

// The squared differences of one feature added.
fn with_feature(sums: Distances, x: f32, at: u32) -> Distances {
  let front = vec4f(x) - staged[at];
  if (vectors == 1u) {
    return Distances(fma(front, front, sums.front), sums.back);
  }
  let back = vec4f(x) - staged[at + 1u];
  return Distances(fma(front, front, sums.front), fma(back, back, sums.back));
}

fn distances(point: u32, round: u32) -> Distances {
  var sums = Distances(vec4f(), vec4f());
  var at = round * quads_of_row * 4u * vectors;
  for (var feature = 0u; feature < features; feature += 4u) {
    let x = four_of(point, feature);
    sums = with_feature(sums, x.x, at);
    sums = with_feature(sums, x.y, at + vectors);
    sums = with_feature(sums, x.z, at + 2u * vectors);
    sums = with_feature(sums, x.w, at + 3u * vectors);
    at += 4u * vectors;
  }
  return sums;
}

struct Closest { distance: f32, cluster: u32 }

// Equal distances go to the lower index.
fn try_one(closest: Closest, distance: f32, cluster: u32) -> Closest {
  return Closest(min(closest.distance, distance), select(closest.cluster, cluster, distance < closest.distance));
}

fn try_four(closest: Closest, distance: vec4f, first: u32) -> Closest {
  var best = try_one(closest, distance.x, first);
  best = try_one(best, distance.y, first + 1u);
  best = try_one(best, distance.z, first + 2u);
  return try_one(best, distance.w, first + 3u);
}

fn nearest(point: u32) -> u32 {
  var closest = Closest(3e38, 0u);
  for (var round = 0u; round < rounds; round++) {
    let found = distances(point, round);
    closest = try_four(closest, found.front, round * width);
    if (vectors == 2u) {
      closest = try_four(closest, found.back, round * width + 4u);
    }
  }
  return closest.cluster;
}

fn label_point(index: u32, cluster: u32) {
  let changed = note_label(task.first + index, cluster);
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
}

fn scale_or_zero(feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return scales[feature];
}

fn scales_of(feature: u32) -> vec4f {
  return vec4f(
    scale_or_zero(feature),
    scale_or_zero(feature + 1u),
    scale_or_zero(feature + 2u),
    scale_or_zero(feature + 3u),
  );
}

// Every `copies`-th of `rows` points from `start` on, the features of this lane.
fn add_rows(start: u32, rows: u32, lane: u32) {
  let copy = lane / quads_of_row;
  let quad = lane % quads_of_row;
  if (copy >= copies) {
    return;
  }
  let scale = scales_of(4u * quad);
  for (var row = copy; row < rows; row += copies) {
    let x = four_of(task.first + start + row, 4u * quad);
    let value = vec4u(vec4i(round(x * scale)) + vec4i(bias));
    let cluster = copy * local_k + chosen[row];
    let at = cluster * quads_of_row + quad;
    let low = lows[at] + value;
    lows[at] = low;
    highs[at] += select(vec4u(), vec4u(1u), low < value);
    if (quad == 0u) {
      members[cluster]++;
    }
  }
}

fn members_of(cluster: u32) -> u32 {
  var sum = 0u;
  for (var copy = 0u; copy < copies; copy++) {
    sum += members[copy * local_k + cluster];
  }
  return sum;
}

fn flush_quad(cluster: u32, quad: u32) {
  var low = vec4u();
  var high = vec4u();
  for (var copy = 0u; copy < copies; copy++) {
    let at = (copy * local_k + cluster) * quads_of_row + quad;
    low += lows[at];
    high += highs[at] + select(vec4u(), vec4u(1u), low < lows[at]);
  }
  for (var i = 0u; i < min(4u, features - 4u * quad); i++) {
    add_to_sum(cluster, 4u * quad + i, low[i], high[i]);
  }
}

fn flush(lane: u32) {
  for (var entry = lane; entry < task.k * quads_of_row; entry += threads) {
    if (members_of(entry / quads_of_row) != 0u) {
      flush_quad(entry / quads_of_row, entry % quads_of_row);
    }
  }
  for (var cluster = lane; cluster < task.k; cluster += threads) {
    let count = members_of(cluster);
    if (count != 0u) {
      add_to_count(cluster, count);
    }
  }
}

// Persistent workgroups: each takes every `groups`-th block of points.
@compute @workgroup_size(256)
fn feature_sums(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  stage(lane);
  workgroupBarrier();
  for (var start = group.x * threads; start < task.count; start += groups.x * threads) {
    if (start + lane < task.count) {
      let cluster = nearest(task.first + start + lane);
      chosen[lane] = cluster;
      label_point(start + lane, cluster);
    }
    if (accumulate()) {
      workgroupBarrier();
      add_rows(start, min(threads, task.count - start), lane);
      workgroupBarrier();
    }
  }
  if (accumulate()) {
    flush(lane);
  }
  report_changes(lane);
}

// Few clusters of more than 8 features: a lane finds the nearest centroid of its point; then lanes own
// features, four each, and add up the points of the workgroup without atomics. Centroids and sums
// in workgroup memory. Follows task.wgsl and rows_by_four.wgsl or rows_by_one.wgsl in one module.

override features: u32 = 9u;
override local_k: u32 = 1u;
// Sums kept per workgroup, each by lanes of its own; 0: there is no room, and each point is added to
// those of the slot.
override copies: u32 = 1u;

const threads = 256u;
// Vectors of four clusters whose distances a lane has in registers at once: one or two.
override vectors: u32 = min(2u, (local_k + 3u) / 4u);
override width: u32 = 4u * vectors;
override rounds: u32 = (local_k + width - 1u) / width;
// Rounds whose centroids are staged at a time.
override staged_rounds: u32 = rounds;
// At most one for each lane.
override quads_of_row: u32 = (features + 3u) / 4u;
// Coordinates of a row past the last centroid, which is never the nearest.
const far_off: f32 = 1e15;

override sum_vectors: u32 = max(1u, copies * local_k * quads_of_row);
override sum_members: u32 = max(1u, copies * local_k);
// [round][feature, up to whole quads][vector of four centroids].
var<workgroup> staged: array<vec4f, staged_rounds * quads_of_row * 4u * vectors>;
// [copy][cluster][quad of features]: sums of biased fixed-point numbers, low and high words, and
// their rests.
var<workgroup> lows: array<vec4u, sum_vectors>;
var<workgroup> highs: array<vec4u, sum_vectors>;
var<workgroup> rests: array<vec4u, sum_vectors>;
var<workgroup> members: array<u32, sum_members>;
var<workgroup> chosen: array<u32, threads>;

fn staged_four(cluster: u32, feature: u32) -> vec4f {
  if (cluster >= task.k) {
    return vec4f(far_off);
  }
  return centroid_four_of(cluster, feature);
}

// Four clusters by four features, turned; rounds past the last have no centroids.
fn stage(first_round: u32, lane: u32) {
  for (var at = lane; at < vectors * staged_rounds * quads_of_row; at += threads) {
    let vector = at % vectors;
    let feature = 4u * (at / vectors % quads_of_row);
    let round = at / vectors / quads_of_row;
    let first = (first_round + round) * width + 4u * vector;
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

// Of a round, in blocks of features.
fn distances(point: u32, round: u32) -> Distances {
  var all = Distances(vec4f(), vec4f());
  var at = round * quads_of_row * 4u * vectors;
  for (var first = 0u; first < features; first += block_features) {
    var sums = Distances(vec4f(), vec4f());
    for (var feature = first; feature < min(first + block_features, features); feature += 4u) {
      let x = four_of(point, feature);
      sums = with_feature(sums, x.x, at);
      sums = with_feature(sums, x.y, at + vectors);
      sums = with_feature(sums, x.z, at + 2u * vectors);
      sums = with_feature(sums, x.w, at + 3u * vectors);
      at += 4u * vectors;
    }
    all = Distances(all.front + sums.front, all.back + sums.back);
  }
  return all;
}

// With the smallest distance of the others.
struct Closest { distance: f32, cluster: u32, next: f32 }

fn try_one(closest: Closest, distance: f32, cluster: u32) -> Closest {
  return Closest(
    min(closest.distance, distance),
    select(closest.cluster, cluster, distance < closest.distance),
    min(closest.next, max(closest.distance, distance)),
  );
}

fn try_four(closest: Closest, distance: vec4f, first: u32) -> Closest {
  var best = try_one(closest, distance.x, first);
  best = try_one(best, distance.y, first + 1u);
  best = try_one(best, distance.z, first + 2u);
  return try_one(best, distance.w, first + 3u);
}

// After the rounds staged, of which the first is told.
fn nearest(point: u32, first_round: u32, so_far: Closest) -> Closest {
  var closest = so_far;
  for (var round = 0u; round < min(staged_rounds, rounds - first_round); round++) {
    let found = distances(point, round);
    let first = (first_round + round) * width;
    closest = try_four(closest, found.front, first);
    if (vectors == 2u) {
      closest = try_four(closest, found.back, first + 4u);
    }
  }
  return closest;
}

// Of the point of a lane; all lanes of the workgroup call it.
fn nearest_of_all(point: u32, lane: u32) -> Closest {
  var closest = Closest(3e38, 0u, 3e38);
  for (var first_round = 0u; first_round < rounds; first_round += staged_rounds) {
    if (staged_rounds < rounds) {
      workgroupBarrier();
      stage(first_round, lane);
      workgroupBarrier();
    }
    closest = nearest(point, first_round, closest);
  }
  return closest;
}

// Where no sums are kept.
fn add_to_slot(point: u32, cluster: u32) {
  for (var feature = 0u; feature < features; feature++) {
    let value = points_value(point, feature);
    add_to_sum(cluster, feature, to_fixed(value, feature), 0u);
    add_to_rest(cluster, feature, rest_of(value, feature));
  }
  add_to_count(cluster, 1u);
}

fn points_value(point: u32, feature: u32) -> f32 {
  return four_of(point, feature / 4u * 4u)[feature % 4u];
}

fn label_point(index: u32, cluster: u32) {
  let changed = note_label(task.first + index, cluster);
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
}

// In the place of a cluster: of a point in doubt.
const nobody = 0xffffffffu;

// Every `copies`-th of `rows` points from `start` on, the features of this lane.
fn add_rows(start: u32, rows: u32, lane: u32) {
  let copy = lane / quads_of_row;
  let quad = lane % quads_of_row;
  if (copy >= copies) {
    return;
  }
  let scale = scales_of(4u * quad, 0u);
  let steps = scales_of(4u * quad, 2u);
  for (var row = copy; row < rows; row += copies) {
    let x = four_of(task.first + start + row, 4u * quad);
    if (chosen[row] == nobody) {
      continue;
    }
    let scaled = x * scale;
    let value = vec4u(vec4i(round(scaled)) + vec4i(bias));
    let cluster = copy * local_k + chosen[row];
    let at = cluster * quads_of_row + quad;
    let low = lows[at] + value;
    lows[at] = low;
    highs[at] += select(vec4u(), vec4u(1u), low < value);
    rests[at] += bitcast<vec4u>(vec4i(round((scaled - round(scaled)) * steps)));
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
  var rest = vec4u();
  for (var copy = 0u; copy < copies; copy++) {
    let at = (copy * local_k + cluster) * quads_of_row + quad;
    low += lows[at];
    high += highs[at] + select(vec4u(), vec4u(1u), low < lows[at]);
    rest += rests[at];
  }
  for (var i = 0u; i < min(4u, features - 4u * quad); i++) {
    add_to_sum(cluster, 4u * quad + i, low[i], high[i]);
    add_to_rest(cluster, 4u * quad + i, bitcast<i32>(rest[i]));
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
  stage(0u, lane);
  workgroupBarrier();
  for (var start = group.x * threads; start < task.count; start += groups.x * threads) {
    let point = task.first + min(start + lane, task.count - 1u);
    let closest = nearest_of_all(point, lane);
    if (start + lane < task.count) {
      if (is_in_doubt(closest.distance, closest.next)) {
        chosen[lane] = nobody;
        leave_in_doubt(point);
      } else {
        chosen[lane] = closest.cluster;
        label_point(start + lane, closest.cluster);
        if (copies == 0u && accumulate()) {
          add_to_slot(point, closest.cluster);
        }
      }
    }
    if (copies > 0u && accumulate()) {
      workgroupBarrier();
      add_rows(start, min(threads, task.count - start), lane);
      workgroupBarrier();
    }
  }
  if (copies > 0u && accumulate()) {
    flush(lane);
  }
  report_changes(lane);
}

// Up to 8 features: assignment and sums in one pass over the points, four points a thread in
// registers, centroids and sums in workgroup memory. Follows whole_numbers.wgsl in one module;
// by_distances.wgsl or by_scores.wgsl follows with `begin`, told to every workgroup before its
// first points, and `nearest_four`. Nothing but memory is indexed by a value that is not constant:
// drivers keep such variables out of registers.

override features: u32 = 2u;
override threads: u32 = 256u;
// Groups of eight centroids staged at a time, each centroid `row_vectors` vec4 wide.
override tile_groups: u32 = 8u;
override row_vectors: u32 = 1u;
// Sums kept per workgroup, `replicas` times so that lanes do not collide; else straight to global
// memory.
override local_sums: bool = true;
override local_k: u32 = 1u;
override replicas: u32 = 1u;
// So few points for each copy that the halves of their numbers are added up by themselves: no addition
// is waited for. Else a carry goes from the low word to the high one.
override halves_apart: bool = false;

const group_size = 8u;
// Half norm and coordinates of a row past the last centroid: neither its score nor its distance is
// ever the smallest.
const nowhere: f32 = 1e30;
const far_off: f32 = 1e15;

// A group: eight rows of -c, their half norms in two vectors, and one vector so that groups lie in
// different banks.
override group_vectors: u32 = group_size * row_vectors + 3u;
var<workgroup> staged: array<vec4f, tile_groups * group_vectors>;
var<workgroup> partial: array<atomic<u32>, local_k * (2u * features + 1u) * replicas>;

var<private> finest_front: vec4f;
var<private> finest_back: vec4f;

// The same buffer by twos and fours, for 2 and for 4 or 8 features.
@group(0) @binding(1) var<storage, read> pairs: array<vec2f>;
@group(0) @binding(1) var<storage, read> quads: array<vec4f>;

// Coordinates; 0 beyond the last.
struct Row { front: vec4f, back: vec4f }
struct Four { a: Row, b: Row, c: Row, d: Row }
// Of four points the nearest centroids by computed distances, and whether these tell.
struct Nearest4 { cluster: vec4u, in_doubt: vec4<bool> }

fn centroid_value(cluster: u32, feature: u32) -> f32 {
  if (cluster >= task.k) {
    return far_off;
  }
  if (feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + cluster * features + feature];
}

fn centroid_quad(cluster: u32, feature: u32) -> vec4f {
  return vec4f(
    centroid_value(cluster, feature),
    centroid_value(cluster, feature + 1u),
    centroid_value(cluster, feature + 2u),
    centroid_value(cluster, feature + 3u),
  );
}

fn centroid_row(cluster: u32) -> Row {
  if (features <= 4u) {
    return Row(centroid_quad(cluster, 0u), vec4f());
  }
  return Row(centroid_quad(cluster, 0u), centroid_quad(cluster, 4u));
}

fn half_norm(cluster: u32) -> f32 {
  if (cluster >= task.k) {
    return nowhere;
  }
  let row = centroid_row(cluster);
  return 0.5 * (dot(row.front, row.front) + dot(row.back, row.back));
}

fn stage(first_group: u32, lane: u32) {
  for (var at = lane; at < tile_groups * group_vectors; at += threads) {
    let first = (first_group + at / group_vectors) * group_size;
    let vector = at % group_vectors;
    if (vector < group_size * row_vectors) {
      staged[at] = -centroid_quad(first + vector / row_vectors, 4u * (vector % row_vectors));
    } else {
      let norms_of = first + 4u * (vector - group_size * row_vectors);
      staged[at] = vec4f(half_norm(norms_of), half_norm(norms_of + 1u), half_norm(norms_of + 2u), half_norm(norms_of + 3u));
    }
  }
}

// Squared distance by the direct difference, to a row of -c.
fn distance_to(x: Row, front: vec4f, back: vec4f) -> f32 {
  let first = x.front + front;
  if (features <= 2u) {
    return fma(first.y, first.y, first.x * first.x);
  }
  let low = fma(first.w, first.w, fma(first.z, first.z, fma(first.y, first.y, first.x * first.x)));
  if (features <= 4u) {
    return low;
  }
  let second = x.back + back;
  return fma(second.w, second.w, fma(second.z, second.z, fma(second.y, second.y, fma(second.x, second.x, low))));
}

fn staged_distance(at: u32, x: Row) -> f32 {
  if (features <= 4u) {
    return distance_to(x, staged[at], vec4f());
  }
  return distance_to(x, staged[at], staged[at + 1u]);
}

// By selection and not by index, which would keep the points out of registers.
fn row_of(x: Four, lane_point: u32) -> Row {
  if (lane_point == 0u) { return x.a; }
  if (lane_point == 1u) { return x.b; }
  if (lane_point == 2u) { return x.c; }
  return x.d;
}

fn part_of_u(values: vec4u, lane_point: u32) -> u32 {
  return select(select(values.w, values.z, lane_point == 2u), select(values.y, values.x, lane_point == 0u), lane_point < 2u);
}

// Clusters lie side by side, so that they fall into different banks: [feature][upper and lower half,
// or low and high word][cluster][copy], then members.
override plane: u32 = local_k * replicas;
override members_at: u32 = 2u * features * plane;

fn add_words(cluster: u32, feature: u32, first: u32, second: u32, replica: u32) {
  if (feature >= features) {
    return;
  }
  let at = 2u * feature * plane + cluster * replicas + replica;
  let before = atomicAdd(&partial[at], first);
  let carry = select(0u, 1u, !halves_apart && before + first < before);
  atomicAdd(&partial[at + plane], second + carry);
}

fn add_quad(cluster: u32, first: u32, x: vec4f, finest: vec4f, replica: u32) {
  if (first >= features) {
    return;
  }
  let halves = halves_of(x, finest);
  var words = Whole(bitcast<vec4u>(halves.upper), bitcast<vec4u>(halves.lower));
  if (!halves_apart) {
    words = whole_of_halves(halves);
  }
  add_words(cluster, first, words.low.x, words.high.x, replica);
  add_words(cluster, first + 1u, words.low.y, words.high.y, replica);
  add_words(cluster, first + 2u, words.low.z, words.high.z, replica);
  add_words(cluster, first + 3u, words.low.w, words.high.w, replica);
}

// Straight to global memory.
fn add_value(cluster: u32, feature: u32, value: f32) {
  if (feature < features) {
    add_to_sum(cluster, feature, to_fixed(value, feature), 0u);
    add_to_rest(cluster, feature, rest_of(value, feature));
  }
}

fn add_values(cluster: u32, first: u32, x: vec4f) {
  add_value(cluster, first, x.x);
  add_value(cluster, first + 1u, x.y);
  add_value(cluster, first + 2u, x.z);
  add_value(cluster, first + 3u, x.w);
}

fn add_point(cluster: u32, x: Row, lane: u32) {
  let replica = lane % replicas;
  if (local_sums) {
    add_quad(cluster, 0u, x.front, finest_front, replica);
    add_quad(cluster, 4u, x.back, finest_back, replica);
  } else {
    add_values(cluster, 0u, x.front);
    add_values(cluster, 4u, x.back);
  }
  add_member(cluster, replica);
}

fn add_four(nearest: Nearest4, x: Four, lane: u32) {
  if (!nearest.in_doubt.x) { add_point(nearest.cluster.x, x.a, lane); }
  if (!nearest.in_doubt.y) { add_point(nearest.cluster.y, x.b, lane); }
  if (!nearest.in_doubt.z) { add_point(nearest.cluster.z, x.c, lane); }
  if (!nearest.in_doubt.w) { add_point(nearest.cluster.w, x.d, lane); }
}

fn add_member(cluster: u32, replica: u32) {
  if (local_sums) {
    atomicAdd(&partial[members_at + cluster * replicas + replica], 1u);
  } else {
    add_to_count(cluster, 1u);
  }
}

fn label_point(index: u32, cluster: u32) {
  let changed = note_label(task.first + index, cluster);
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
}

// What is done with a point whose nearest centroid is known, or in doubt; `index` is past the end
// for a lane without a point.
fn add_and_label(index: u32, cluster: u32, in_doubt: bool, x: Row, lane: u32) {
  if (index >= task.count) {
    return;
  }
  if (in_doubt) {
    leave_in_doubt(task.first + index);
    return;
  }
  if (accumulate()) {
    add_point(cluster, x, lane);
  }
  label_point(index, cluster);
}

fn label_or_leave(index: u32, cluster: u32, in_doubt: bool) {
  if (in_doubt) {
    leave_in_doubt(task.first + index);
  } else if (write_labels()) {
    label_point(index, cluster);
  }
}

// The same for four points that are all there.
fn add_and_label_four(index: u32, nearest: Nearest4, x: Four, lane: u32) {
  if (accumulate()) {
    add_four(nearest, x, lane);
  }
  if (write_labels() || any(nearest.in_doubt)) {
    label_or_leave(index, nearest.cluster.x, nearest.in_doubt.x);
    label_or_leave(index + threads, nearest.cluster.y, nearest.in_doubt.y);
    label_or_leave(index + 2u * threads, nearest.cluster.z, nearest.in_doubt.z);
    label_or_leave(index + 3u * threads, nearest.cluster.w, nearest.in_doubt.w);
  }
}

fn members_of(cluster: u32) -> u32 {
  var members = 0u;
  for (var replica = 0u; replica < replicas; replica++) {
    members += atomicLoad(&partial[members_at + cluster * replicas + replica]);
  }
  return members;
}

fn sum_of(cluster: u32, feature: u32) -> vec2u {
  var sum = vec2u();
  for (var replica = 0u; replica < replicas; replica++) {
    let at = 2u * feature * plane + cluster * replicas + replica;
    var words = vec2u(atomicLoad(&partial[at]), atomicLoad(&partial[at + plane]));
    if (halves_apart) {
      let whole = whole_of_halves(Halves(bitcast<vec4i>(words.xxxx), bitcast<vec4i>(words.yyyy)));
      words = vec2u(whole.low.x, whole.high.x);
    }
    sum = plus_words(sum, words);
  }
  return sum;
}

// The workgroup's sums go to the slot, copies added first.
fn flush(lane: u32) {
  for (var entry = lane; entry < task.k * features; entry += threads) {
    let members = members_of(entry % task.k);
    if (members != 0u) {
      add_whole_to_sum(entry % task.k, entry / task.k, sum_of(entry % task.k, entry / task.k), members);
    }
  }
  for (var cluster = lane; cluster < task.k; cluster += threads) {
    let members = members_of(cluster);
    if (members != 0u) {
      add_to_count(cluster, members);
    }
  }
}

fn finest_or_zero(feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return finest_of(feature);
}

// What a workgroup does before its first points; its memory is zero to begin with.
fn prepare(lane: u32) {
  finest_front = vec4f(finest_or_zero(0u), finest_or_zero(1u), finest_or_zero(2u), finest_or_zero(3u));
  finest_back = vec4f(finest_or_zero(4u), finest_or_zero(5u), finest_or_zero(6u), finest_or_zero(7u));
  begin(lane);
  stage(0u, lane);
  workgroupBarrier();
}

// Four points of a lane, `threads` apart, from `index` on.
fn take(index: u32, x: Four, lane: u32) {
  let best = nearest_four(x, lane);
  // The same for all of a workgroup.
  if (index - lane + 4u * threads <= task.count) {
    add_and_label_four(index, best, x, lane);
    return;
  }
  let in_doubt = select(vec4u(), vec4u(1u), best.in_doubt);
  for (var p = 0u; p < 4u; p++) {
    add_and_label(index + p * threads, part_of_u(best.cluster, p), part_of_u(in_doubt, p) != 0u, row_of(x, p), lane);
  }
}

fn finish(lane: u32) {
  if (accumulate() && local_sums) {
    workgroupBarrier();
    flush(lane);
  }
  report_changes(lane);
}

// A lane past the end repeats the last point and is not counted.
fn point_at(index: u32) -> u32 {
  return task.first + min(index, task.count - 1u);
}

fn value_at(point: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return points[point * features + feature];
}

fn load(index: u32) -> Row {
  let p = point_at(index);
  let front = vec4f(value_at(p, 0u), value_at(p, 1u), value_at(p, 2u), value_at(p, 3u));
  return Row(front, vec4f(value_at(p, 4u), value_at(p, 5u), value_at(p, 6u), value_at(p, 7u)));
}

fn load_pair(index: u32) -> Row {
  return Row(vec4f(pairs[point_at(index)], 0.0, 0.0), vec4f());
}

fn load_quads(index: u32) -> Row {
  if (features <= 4u) {
    return Row(quads[point_at(index)], vec4f());
  }
  return Row(quads[2u * point_at(index)], quads[2u * point_at(index) + 1u]);
}

// Persistent workgroups: each takes every `groups`-th block of points, four a thread.
override block: u32 = 4u * threads;

fn four_by_load(at: u32) -> Four {
  return Four(load(at), load(at + threads), load(at + 2u * threads), load(at + 3u * threads));
}

@compute @workgroup_size(threads)
fn staged_rows(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  prepare(lane);
  for (var start = group.x * block; start < task.count; start += groups.x * block) {
    let at = start + lane;
    take(at, four_by_load(at), lane);
  }
  finish(lane);
}

fn four_by_load_pair(at: u32) -> Four {
  return Four(load_pair(at), load_pair(at + threads), load_pair(at + 2u * threads), load_pair(at + 3u * threads));
}

@compute @workgroup_size(threads)
fn staged_pairs(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  prepare(lane);
  for (var start = group.x * block; start < task.count; start += groups.x * block) {
    let at = start + lane;
    take(at, four_by_load_pair(at), lane);
  }
  finish(lane);
}

fn four_by_load_quads(at: u32) -> Four {
  return Four(load_quads(at), load_quads(at + threads), load_quads(at + 2u * threads), load_quads(at + 3u * threads));
}

@compute @workgroup_size(threads)
fn staged_quads(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  prepare(lane);
  for (var start = group.x * block; start < task.count; start += groups.x * block) {
    let at = start + lane;
    take(at, four_by_load_quads(at), lane);
  }
  finish(lane);
}

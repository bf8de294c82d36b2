// Up to 8 features: assignment and sums in one pass over the points, four points a thread in
// registers, centroids and sums in workgroup memory. Follows task.wgsl in one module;
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

const group_size = 8u;
// Half norm and coordinates of a row past the last centroid: neither its score nor its distance is
// ever the smallest.
const nowhere: f32 = 1e30;
const far_off: f32 = 1e15;

// A group: eight rows of -c, their half norms in two vectors, and one vector so that groups lie in
// different banks.
override group_vectors: u32 = group_size * row_vectors + 3u;
var<workgroup> staged: array<vec4f, tile_groups * group_vectors>;
var<workgroup> partial: array<atomic<u32>, local_k * (3u * features + 1u) * replicas>;

var<private> scale_front: vec4f;
var<private> scale_back: vec4f;

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

// A coordinate in fixed point is H * 2^15 + L, |H| <= 2^15 and |L| <= 2^14. Added to `magic`, both
// stand in the last bits of a float, whose bits, magic_bits + H, are what is added up: no
// conversion, nothing carries over among fewer than 2^16 points, no addition is waited for. By
// `fma`, which compilers do not take apart.
const magic: f32 = 12582912.0;
const magic_bits = 0x4b400000u;
const upper_unit: f32 = 32768.0;

// Clusters lie side by side, so that they fall into different banks: [feature][upper, lower,
// rest][cluster][copy], then members.
fn position_of(feature: u32, cluster: u32, replica: u32) -> u32 {
  return (3u * feature * local_k + cluster) * replicas + replica;
}

const plane_of_rests = 2u;

fn add_value(cluster: u32, feature: u32, value: f32, scale: f32, replica: u32) {
  if (feature >= features) {
    return;
  }
  if (local_sums) {
    let upper = fma(value * scale, 1.0 / upper_unit, magic);
    let lower = fma(upper - magic, -upper_unit, value * scale) + magic;
    let at = position_of(feature, cluster, replica);
    atomicAdd(&partial[at], bitcast<u32>(upper));
    atomicAdd(&partial[at + local_k * replicas], bitcast<u32>(lower));
    let rest = rest_of_scaled(value * scale, feature);
    if (rest != 0i) {
      atomicAdd(&partial[at + plane_of_rests * local_k * replicas], bitcast<u32>(rest));
    }
  } else {
    add_to_sum(cluster, feature, u32(i32(round(value * scale)) + bias), 0u);
    add_to_rest(cluster, feature, rest_of_scaled(value * scale, feature));
  }
}

fn add_point(cluster: u32, x: Row, lane: u32) {
  let replica = lane % replicas;
  add_value(cluster, 0u, x.front.x, scale_front.x, replica);
  add_value(cluster, 1u, x.front.y, scale_front.y, replica);
  add_value(cluster, 2u, x.front.z, scale_front.z, replica);
  add_value(cluster, 3u, x.front.w, scale_front.w, replica);
  add_value(cluster, 4u, x.back.x, scale_back.x, replica);
  add_value(cluster, 5u, x.back.y, scale_back.y, replica);
  add_value(cluster, 6u, x.back.z, scale_back.z, replica);
  add_value(cluster, 7u, x.back.w, scale_back.w, replica);
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
    atomicAdd(&partial[(3u * local_k * features + cluster) * replicas + replica], 1u);
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
    members += atomicLoad(&partial[(3u * local_k * features + cluster) * replicas + replica]);
  }
  return members;
}

// members * 2^30 + upper * 2^15 + lower, in two words.
fn flush_sum(cluster: u32, feature: u32, members: u32) {
  var upper = 0u - members * magic_bits;
  var lower = upper;
  var rest = 0u;
  for (var replica = 0u; replica < replicas; replica++) {
    let at = position_of(feature, cluster, replica);
    upper += atomicLoad(&partial[at]);
    lower += atomicLoad(&partial[at + local_k * replicas]);
    rest += atomicLoad(&partial[at + plane_of_rests * local_k * replicas]);
  }
  add_to_rest(cluster, feature, bitcast<i32>(rest));
  let bias_low = members << 30u;
  let sum = bias_low + (upper << 15u);
  let low = sum + lower;
  let carries = select(0u, 1u, sum < bias_low) + select(0u, 1u, low < sum);
  let signs = bitcast<u32>(bitcast<i32>(upper) >> 17u) + bitcast<u32>(bitcast<i32>(lower) >> 31u);
  add_to_sum(cluster, feature, low, (members >> 2u) + signs + carries);
}

// The workgroup's sums go to the slot, copies added first.
fn flush(lane: u32) {
  for (var entry = lane; entry < task.k * features; entry += threads) {
    let members = members_of(entry % task.k);
    if (members != 0u) {
      flush_sum(entry % task.k, entry / task.k, members);
    }
  }
  for (var cluster = lane; cluster < task.k; cluster += threads) {
    let members = members_of(cluster);
    if (members != 0u) {
      add_to_count(cluster, members);
    }
  }
}

fn scale_or_zero(feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return scales[feature];
}

// What a workgroup does before its first points; its memory is zero to begin with.
fn prepare(lane: u32) {
  scale_front = vec4f(scale_or_zero(0u), scale_or_zero(1u), scale_or_zero(2u), scale_or_zero(3u));
  scale_back = vec4f(scale_or_zero(4u), scale_or_zero(5u), scale_or_zero(6u), scale_or_zero(7u));
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

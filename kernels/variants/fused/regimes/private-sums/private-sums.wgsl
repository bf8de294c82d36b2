// Two features and up to sixteen clusters, eight points a thread in registers. Follows
// fresh_centroids.wgsl and plane-cutting.wgsl in one module; all_centroids.wgsl or
// candidate_cells.wgsl follows with `hold`, told once to every workgroup, and `nearest`.

override threads: u32 = 256u;
// Clusters that there is room for, at least k.
override rows: u32 = 4u;

const points_a_lane = 8u;
const far_off: f32 = 1e15;

// -c, two words each; a row past the last centroid is nowhere near any point.
var<workgroup> staged: array<f32, 2u * rows>;

// -c in variables of the thread: an array, or a loop over the centroids, takes twice the time.
// Those from `rows` on, and what is done with them, are left out when the module is compiled.
var<private> c0: vec2f;
var<private> c1: vec2f;
var<private> c2: vec2f;
var<private> c3: vec2f;
var<private> c4: vec2f;
var<private> c5: vec2f;
var<private> c6: vec2f;
var<private> c7: vec2f;
var<private> c8: vec2f;
var<private> c9: vec2f;
var<private> c10: vec2f;
var<private> c11: vec2f;
var<private> c12: vec2f;
var<private> c13: vec2f;
var<private> c14: vec2f;
var<private> c15: vec2f;

fn row_of(row: u32) -> vec2f {
  let at = min(row, rows - 1u);
  return vec2f(staged[2u * at], staged[2u * at + 1u]);
}

fn hold_all() {
  c0 = row_of(0u);
  if (rows > 1u) { c1 = row_of(1u); }
  if (rows > 2u) { c2 = row_of(2u); }
  if (rows > 3u) { c3 = row_of(3u); }
  if (rows > 4u) { c4 = row_of(4u); }
  if (rows > 5u) { c5 = row_of(5u); }
  if (rows > 6u) { c6 = row_of(6u); }
  if (rows > 7u) { c7 = row_of(7u); }
  if (rows > 8u) { c8 = row_of(8u); }
  if (rows > 9u) { c9 = row_of(9u); }
  if (rows > 10u) { c10 = row_of(10u); }
  if (rows > 11u) { c11 = row_of(11u); }
  if (rows > 12u) { c12 = row_of(12u); }
  if (rows > 13u) { c13 = row_of(13u); }
  if (rows > 14u) { c14 = row_of(14u); }
  if (rows > 15u) { c15 = row_of(15u); }
}

// A coordinate in fixed point is H * 2^21 + L, |H| <= 2^9 and |L| <= 2^20. Added to `magic`, both
// stand in the last bits of a float, whose bits, magic_bits + H, are what is added up: no
// conversion, nothing carries over, no addition is waited for. As magic_bits is an odd multiple of
// 2^21, the sum of the H tells how many they are, up to 2047.
const magic: f32 = 10485760.0;
const magic_bits = 0x4b200000u;
const upper_unit: f32 = 2097152.0;
// 1 / (magic_bits / 2^21) modulo 2^11.
const count_factor = 1513u;

// Of a cluster: sums of H and L of the first feature, then of the second. Each word 32 times: lanes
// of a subgroup do not meet.
const words = 4u;
const replicas = 32u;
// As many blocks of points as let each copy take fewer than 2048.
override max_blocks: u32 = 2047u * replicas / (points_a_lane * threads);
var<workgroup> partial: array<atomic<u32>, rows * words * replicas>;

// The points by twos: the buffer is filled up to whole vectors of four.
@group(0) @binding(1) var<storage, read> two_points: array<vec4f>;

var<private> scale: vec2f;

fn add(cluster: u32, point: vec2f, lane: u32) {
  let fixed = point * scale;
  let upper = fma(fixed, vec2f(1.0 / upper_unit), vec2f(magic));
  let lower = fma(upper - magic, vec2f(-upper_unit), fixed) + magic;
  let at = cluster * (words * replicas) + lane % replicas;
  atomicAdd(&partial[at], bitcast<u32>(upper.x));
  atomicAdd(&partial[at + replicas], bitcast<u32>(lower.x));
  atomicAdd(&partial[at + 2u * replicas], bitcast<u32>(upper.y));
  atomicAdd(&partial[at + 3u * replicas], bitcast<u32>(lower.y));
}

fn label_one(index: u32, cluster: u32) {
  let changed = note_label(task.first + index, cluster);
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
}

fn assign_point(index: u32, point: vec2f, lane: u32) {
  let cluster = nearest(point);
  if (index < task.count) {
    if (accumulate()) {
      add(cluster, point, lane);
    }
    if (write_labels()) {
      label_one(index, cluster);
    }
  }
}

fn assign_two(index: u32, two: vec4f, lane: u32) {
  assign_point(index, two.xy, lane);
  assign_point(index + 1u, two.zw, lane);
}

// Both are there, and no label is asked for.
fn sum_two(two: vec4f, lane: u32) {
  let first = nearest(two.xy);
  let second = nearest(two.zw);
  add(first, two.xy, lane);
  add(second, two.zw, lane);
}

// Two points from an even index on; a lane past the end repeats the last ones.
fn load_two(index: u32) -> vec4f {
  return two_points[(task.first + min(index, task.count - 1u)) / 2u];
}

fn stage(lane: u32, writes: bool) {
  if (lane < 2u * rows) {
    staged[lane] = far_off;
    if (lane < 2u * task.k) {
      staged[lane] = -fresh_coordinate(lane, writes);
    }
  }
}

// One lane for a coordinate of a cluster: it puts together what the lanes of all subgroups have
// added up.
fn flush(lane: u32) {
  if (lane >= 2u * task.k) {
    return;
  }
  let at = lane * (2u * replicas);
  var members = 0u;
  var upper = 0i;
  var lower = 0i;
  for (var i = 0u; i < replicas; i++) {
    // Each lane begins with another replica: they lie in different banks.
    let replica = (i + lane) % replicas;
    let uppers = atomicLoad(&partial[at + replica]);
    let added = (((uppers + 0x100000u) >> 21u) * count_factor) & 0x7ffu;
    members += added;
    upper += i32(uppers - added * magic_bits);
    lower += i32(atomicLoad(&partial[at + replicas + replica]) - added * magic_bits);
  }
  if (members == 0u) {
    return;
  }
  // members * 2^30 + upper * 2^21 + lower, in two words.
  let upper_low = bitcast<u32>(upper) << 21u;
  let high = (members >> 2u) + bitcast<u32>(upper >> 11u) + bitcast<u32>(lower >> 31u);
  let bias_low = members << 30u;
  let sum = bias_low + upper_low;
  let all = sum + bitcast<u32>(lower);
  let carries = select(0u, 1u, sum < bias_low) + select(0u, 1u, all < sum);
  add_to_sum(lane / 2u, lane % 2u, all, high + carries);
  if (lane % 2u == 0u) {
    add_to_count(lane / 2u, members);
  }
}

// Persistent workgroups: each takes every `groups`-th block of points.
@compute @workgroup_size(threads)
fn private_sums(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  stage(lane, group.x == 0u);
  scale = vec2f(scales[0], scales[1]);
  workgroupBarrier();
  hold(lane);
  let only_sums = accumulate() && !write_labels();
  let block = points_a_lane * threads;
  var taken = 0u;
  for (var start = group.x * block; start < task.count; start += groups.x * block) {
    let index = start + 2u * lane;
    let a = load_two(index);
    let b = load_two(index + 2u * threads);
    let c = load_two(index + 4u * threads);
    let d = load_two(index + 6u * threads);
    if (only_sums && start + block <= task.count) {
      sum_two(a, lane);
      sum_two(b, lane);
      sum_two(c, lane);
      sum_two(d, lane);
    } else {
      assign_two(index, a, lane);
      assign_two(index + 2u * threads, b, lane);
      assign_two(index + 4u * threads, c, lane);
      assign_two(index + 6u * threads, d, lane);
    }
    taken++;
    if (taken == max_blocks && accumulate()) {
      taken = 0u;
      workgroupBarrier();
      flush(lane);
      workgroupBarrier();
      for (var at = lane; at < rows * words * replicas; at += threads) {
        atomicStore(&partial[at], 0u);
      }
      workgroupBarrier();
    }
  }
  if (accumulate()) {
    workgroupBarrier();
    flush(lane);
  }
  report_changes(lane);
}

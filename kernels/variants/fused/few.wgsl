// Two features and few clusters, eight points a thread in registers. Follows kernels/common/task.wgsl in one module;
// `nearest`, which tries one row after the other without a loop, is written for each number of clusters by the engine.

override threads: u32 = 256u;
// Clusters that there is room for, at least k.
override rows: u32 = 4u;

const points_a_lane = 8u;
const far_off: f32 = 1e15;

// -c; a row past the last centroid is nowhere near any point.
var<workgroup> staged: array<vec2f, rows>;

// Of a cluster: lower and upper 16 bits of the sums of both features, and members. Nothing carries over, so that no addition is
// waited for, as long as a workgroup takes fewer than 2^16 points. Each word 32 times: lanes of a subgroup do not meet.
const words = 5u;
const replicas = 32u;
var<workgroup> partial: array<atomic<u32>, rows * words * replicas>;
var<workgroup> totals: array<u32, rows * words>;

// The points by twos: the buffer is filled up to whole vectors of four.
@group(0) @binding(1) var<storage, read> two_points: array<vec4f>;

var<private> scale: vec2f;

fn distance_to(x: vec2f, row: u32) -> f32 {
  let difference = x + staged[row];
  return fma(difference.y, difference.y, difference.x * difference.x);
}

struct Closest { distance: f32, cluster: u32 }

// Equal distances go to the lower index.
fn nearer(closest: Closest, row: u32, distance: f32) -> Closest {
  let cluster = select(closest.cluster, row, distance < closest.distance);
  return Closest(min(closest.distance, distance), cluster);
}

fn add(cluster: u32, point: vec2f, lane: u32) {
  let fixed = vec2u(vec2i(round(point * scale)) + bias);
  let at = cluster * (words * replicas) + lane % replicas;
  atomicAdd(&partial[at], fixed.x & 0xffffu);
  atomicAdd(&partial[at + replicas], fixed.x >> 16u);
  atomicAdd(&partial[at + 2u * replicas], fixed.y & 0xffffu);
  atomicAdd(&partial[at + 3u * replicas], fixed.y >> 16u);
  atomicAdd(&partial[at + 4u * replicas], 1u);
}

fn label_one(index: u32, cluster: u32) {
  let changed = note_label(task.first + index, cluster);
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
}

fn settle(index: u32, point: vec2f, lane: u32) {
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

fn settle_two(index: u32, points_of_lane: vec4f, lane: u32) {
  settle(index, points_of_lane.xy, lane);
  settle(index + 1u, points_of_lane.zw, lane);
}

// Two points from an even index on; a lane past the end repeats the last ones.
fn load_two(index: u32) -> vec4f {
  return two_points[(task.first + min(index, task.count - 1u)) / 2u];
}

fn flush(lane: u32) {
  for (var word = lane; word < rows * words; word += threads) {
    var sum = 0u;
    for (var i = 0u; i < replicas; i++) {
      // Each lane begins with another replica: they lie in different banks.
      sum += atomicLoad(&partial[word * replicas + (i + lane) % replicas]);
    }
    totals[word] = sum;
  }
  workgroupBarrier();
  if (lane < 2u * task.k) {
    let cluster = lane / 2u;
    let feature = lane % 2u;
    let lower = totals[cluster * words + 2u * feature];
    let upper = totals[cluster * words + 2u * feature + 1u];
    let members = totals[cluster * words + 4u];
    if (members != 0u) {
      let low = lower + (upper << 16u);
      add_to_sum(cluster, feature, low, (upper >> 16u) + select(0u, 1u, low < lower));
      if (feature == 0u) {
        add_to_count(cluster, members);
      }
    }
  }
}

// Persistent workgroups: each takes every `groups`-th block of points.
@compute @workgroup_size(threads)
fn few(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane < rows) {
    let at = task.slot * task.centroids_stride + 2u * lane;
    staged[lane] = select(vec2f(far_off), -vec2f(centroids[at], centroids[at + 1u]), lane < task.k);
  }
  scale = vec2f(scales[0], scales[1]);
  workgroupBarrier();
  for (var start = group.x * points_a_lane * threads; start < task.count; start += groups.x * points_a_lane * threads) {
    let index = start + 2u * lane;
    let a = load_two(index);
    let b = load_two(index + 2u * threads);
    let c = load_two(index + 4u * threads);
    let d = load_two(index + 6u * threads);
    settle_two(index, a, lane);
    settle_two(index + 2u * threads, b, lane);
    settle_two(index + 4u * threads, c, lane);
    settle_two(index + 6u * threads, d, lane);
  }
  if (accumulate()) {
    workgroupBarrier();
    flush(lane);
  }
  report_changes(lane);
}

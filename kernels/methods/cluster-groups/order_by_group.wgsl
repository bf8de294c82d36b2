// Points ordered by group, by counting. The order within a group is any: sums are integers. Follows
// cluster-groups.wgsl.

@group(0) @binding(7) var<storage, read_write> chosen: array<u32>;
@group(0) @binding(8) var<storage, read_write> positions: array<atomic<u32>>;
@group(0) @binding(9) var<storage, read_write> order: array<u32>;

const order_threads = 256u;
const points_a_lane = 8u;
const order_points = 2048u;

// Points of each group in this workgroup; then where the first of them goes.
var<workgroup> members: array<atomic<u32>, all_groups>;

fn forget_members(lane: u32) {
  for (var group = lane; group < all_groups; group += order_threads) {
    atomicStore(&members[group], 0u);
  }
  workgroupBarrier();
}

@compute @workgroup_size(order_threads)
fn count_groups(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.y * groups.x + group.x) * order_points;
  forget_members(lane);
  for (var i = 0u; i < points_a_lane; i++) {
    let at = first + i * order_threads + lane;
    if (at < task.count) {
      atomicAdd(&members[chosen[at] & 0xffffu], 1u);
    }
  }
  workgroupBarrier();
  for (var i = lane; i < all_groups; i += order_threads) {
    let count = atomicLoad(&members[i]);
    if (count != 0u) {
      atomicAdd(&positions[groups_at + i], count);
    }
  }
}

var<workgroup> totals: array<u32, 256>;

// The sum of what the lanes up to this one bring.
fn sum_to(own: u32, lane: u32) -> u32 {
  totals[lane] = own;
  var sum = own;
  for (var step = 1u; step < order_threads; step *= 2u) {
    workgroupBarrier();
    sum += select(0u, totals[max(lane, step) - step], lane >= step);
    workgroupBarrier();
    totals[lane] = sum;
  }
  return sum;
}

// Numbers of points become where a group begins. One workgroup.
@compute @workgroup_size(order_threads)
fn begin_groups(@builtin(local_invocation_index) lane: u32) {
  let share = (all_groups + order_threads - 1u) / order_threads;
  var own = 0u;
  for (var i = 0u; i < share; i++) {
    if (lane * share + i < all_groups) {
      own += atomicLoad(&positions[groups_at + lane * share + i]);
    }
  }
  var begin = sum_to(own, lane) - own;
  for (var i = 0u; i < share; i++) {
    if (lane * share + i < all_groups) {
      let count = atomicLoad(&positions[groups_at + lane * share + i]);
      atomicStore(&positions[groups_at + lane * share + i], begin);
      begin += count;
    }
  }
  if (lane == order_threads - 1u) {
    atomicStore(&positions[entries_at], begin);
  }
}

@compute @workgroup_size(order_threads)
fn scatter_points(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.y * groups.x + group.x) * order_points;
  forget_members(lane);
  var within: array<u32, points_a_lane>;
  for (var i = 0u; i < points_a_lane; i++) {
    let at = first + i * order_threads + lane;
    within[i] = 0u;
    if (at < task.count) {
      within[i] = atomicAdd(&members[chosen[at] & 0xffffu], 1u);
    }
  }
  workgroupBarrier();
  for (var i = lane; i < all_groups; i += order_threads) {
    let count = atomicLoad(&members[i]);
    if (count != 0u) {
      atomicStore(&members[i], atomicAdd(&positions[groups_at + i], count));
    }
  }
  workgroupBarrier();
  for (var i = 0u; i < points_a_lane; i++) {
    let at = first + i * order_threads + lane;
    if (at < task.count) {
      order[atomicLoad(&members[chosen[at] & 0xffffu]) + within[i]] = at;
    }
  }
}

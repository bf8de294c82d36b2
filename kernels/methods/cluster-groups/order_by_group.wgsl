// Points ordered by group, by counting. The order within a group is any: sums are integers. Follows
// cluster-groups.wgsl.

@group(0) @binding(8) var<storage, read_write> positions: array<atomic<u32>>;

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

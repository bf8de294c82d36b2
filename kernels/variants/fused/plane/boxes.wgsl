// Two features, many clusters and few points, in the order of order.wgsl: a workgroup takes the points of one branch, lists the
// centroids that can be the nearest of a point in its box, and looks at these alone. Follows box.wgsl in one module.

// Candidates listed; where there are more, all centroids are looked at, and points go to global memory one by one.
override most_listed: u32 = 64u;
override replicas: u32 = 4u;
const words = 5u;

var<workgroup> nearest_of: atomic<u32>;
var<workgroup> listed: atomic<u32>;
var<workgroup> lists: array<u32, most_listed>;
// (place in the list, 5, copy): both words of x and of y, and the members.
var<workgroup> partial: array<atomic<u32>, words * most_listed * replicas>;

fn add_point(place: u32, point: vec2f, lane: u32) {
  let at = place * (words * replicas) + lane % replicas;
  let added = vec2u(to_fixed(point.x, 0u), to_fixed(point.y, 1u));
  let before = vec2u(atomicAdd(&partial[at], added.x), atomicAdd(&partial[at + 2u * replicas], added.y));
  atomicAdd(&partial[at + 4u * replicas], 1u);
  let carries = before + added < before;
  if (carries.x) { atomicAdd(&partial[at + replicas], 1u); }
  if (carries.y) { atomicAdd(&partial[at + 3u * replicas], 1u); }
}

fn add_to_all(cluster: u32, point: vec2f) {
  add_to_sum(cluster, 0u, to_fixed(point.x, 0u), 0u);
  add_to_sum(cluster, 1u, to_fixed(point.y, 1u), 0u);
  add_to_count(cluster, 1u);
}

// Place in the list of the nearest centroid.
fn nearest_listed(x: vec2f, total: u32) -> u32 {
  var best = 0u;
  var closest = Closest(3e38, rows);
  for (var at = 0u; at < total; at++) {
    let row = lists[at];
    let next = nearer(closest, row, distance(x, negated[row]));
    best = select(best, at, next.cluster != closest.cluster);
    closest = next;
  }
  return best;
}

fn nearest_of_all(x: vec2f) -> u32 {
  var closest = Closest(3e38, 0u);
  for (var row = 0u; row < task.k; row++) {
    closest = nearer(closest, row, distance(x, negated[row]));
  }
  return closest.cluster;
}

fn flush(total: u32, lane: u32) {
  for (var entry = lane; entry < 2u * total; entry += threads) {
    let at = entry / 2u * (words * replicas);
    let first = at + entry % 2u * (2u * replicas);
    var members = 0u;
    var sum = vec2u();
    for (var copy = 0u; copy < replicas; copy++) {
      members += atomicLoad(&partial[at + 4u * replicas + copy]);
      sum = plus(sum.x, sum.y, atomicLoad(&partial[first + copy]), atomicLoad(&partial[first + replicas + copy]));
    }
    if (members != 0u) {
      let cluster = lists[entry / 2u];
      add_to_sum(cluster, entry % 2u, sum.x, sum.y);
      if (entry % 2u == 0u) {
        add_to_count(cluster, members);
      }
    }
  }
}

// Whole parts, without labels.
@compute @workgroup_size(threads)
fn boxes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let leaves = (task.count + leaf_points - 1u) / leaf_points;
  let box = box_of(leaves + group.x);
  let index = group.x * fan * leaf_points + lane;
  let two = by_twos[min(index, max(task.count, 1u) - 1u) / 2u];
  let point = select(two.xy, two.zw, index % 2u == 1u);
  if (lane == 0u) {
    atomicStore(&nearest_of, 0xffffffffu);
  }
  stage(lane, group.x == 0u);
  var least = 0xffffffffu;
  for (var row = lane; row < task.k; row += threads) {
    least = min(least, key_of(distance(box.middle, negated[row]), row));
  }
  atomicMin(&nearest_of, least);
  workgroupBarrier();
  let centre = negated[min(atomicLoad(&nearest_of) & row_mask, rows - 1u)];
  let smallest = distance(box.middle, centre);
  for (var row = lane; row < task.k; row += threads) {
    if (can_win(box, negated[row] - centre, smallest, distance(box.middle, negated[row]))) {
      let at = atomicAdd(&listed, 1u);
      if (at < most_listed) {
        lists[at] = row;
      }
    }
  }
  workgroupBarrier();
  let total = atomicLoad(&listed);
  if (index < task.count && lane < fan * leaf_points) {
    if (total <= most_listed) {
      add_point(nearest_listed(point, total), point, lane);
    } else {
      add_to_all(nearest_of_all(point), point);
    }
  }
  workgroupBarrier();
  if (total <= most_listed) {
    flush(total, lane);
  }
}

// Two features and many points, in the order of order.wgsl: branches and leaves that lie where one centroid is nearest to all of
// their box add their sums as they are; only the points of the other leaves are looked at. Follows box.wgsl in one module.

// Branches that a workgroup looks at together, each by a team of lanes.
override team: u32 = 16u;
override together: u32 = threads / team;
// Copies of the sums: lanes of a subgroup do not meet.
override replicas: u32 = 1u;
// Candidates that a branch lists; where there are more, all centroids are looked at.
const most_listed = 16u;
// Branches whose leaves are looked at together.
override opened_together: u32 = 16u;

// Of a branch of the round: the key of the centroid nearest to its middle, and its candidates, in any order.
var<workgroup> nearest_of: array<atomic<u32>, together>;
var<workgroup> listed: array<atomic<u32>, together>;
var<workgroup> lists: array<u32, together * most_listed>;
// Places within the round of branches with several candidates.
var<workgroup> open_branches: array<u32, together>;
var<workgroup> opened: atomic<u32>;
var<workgroup> opened_total: u32;
// Leaves with several candidates, and these.
var<workgroup> leaves: array<vec2u, opened_together * fan>;
var<workgroup> undecided: atomic<u32>;
var<workgroup> undecided_total: u32;
// (cluster, 5, copy): both words of x and of y, and the members.
const words = 5u;
var<workgroup> partial: array<atomic<u32>, words * rows * replicas>;

// Candidates of a leaf, up to three in order, ten bits each, the last repeated; else the branch's place in the round.
const row_bits = 10u;
const as_branch = 0x80000000u;
const no_row = 0xffffu;

fn add_word(at: u32, low: u32, high: u32) {
  let before = atomicAdd(&partial[at], low);
  let carried = high + select(0u, 1u, before + low < before);
  if (carried != 0u) {
    atomicAdd(&partial[at + replicas], carried);
  }
}

fn add_node(cluster: u32, node: u32, members: u32, lane: u32) {
  let sums = nodes[2u * node + 1u];
  let at = cluster * (words * replicas) + lane % replicas;
  add_word(at, sums.x, sums.y);
  add_word(at + 2u * replicas, sums.z, sums.w);
  atomicAdd(&partial[at + 4u * replicas], members);
}

// Both additions are on their way before a carry is looked at.
fn add_point(cluster: u32, point: vec2f, lane: u32) {
  let at = cluster * (words * replicas) + lane % replicas;
  let added = vec2u(to_fixed(point.x, 0u), to_fixed(point.y, 1u));
  let before = vec2u(atomicAdd(&partial[at], added.x), atomicAdd(&partial[at + 2u * replicas], added.y));
  atomicAdd(&partial[at + 4u * replicas], 1u);
  let carries = before + added < before;
  if (carries.x) { atomicAdd(&partial[at + replicas], 1u); }
  if (carries.y) { atomicAdd(&partial[at + 3u * replicas], 1u); }
}

fn leaves_in_all() -> u32 {
  return (task.count + leaf_points - 1u) / leaf_points;
}

fn points_of(first_leaf: u32, leaves: u32) -> u32 {
  let first = first_leaf * leaf_points;
  return min(first + leaves * leaf_points, task.count) - first;
}

// Candidates of the branches `first`, `first` + `step`, ... of a round.
fn look_at_branches(first: u32, step: u32, box: Box, lane: u32) {
  if (lane < together) {
    atomicStore(&nearest_of[lane], 0xffffffffu);
    atomicStore(&listed[lane], 0u);
  }
  if (lane == 0u) {
    atomicStore(&opened, 0u);
  }
  workgroupBarrier();
  let total = (leaves_in_all() + fan - 1u) / fan;
  let place = lane / team;
  let branch = first + place * step;
  if (branch < total) {
    var least = 0xffffffffu;
    for (var row = lane % team; row < task.k; row += team) {
      least = min(least, key_of(distance(box.middle, negated[row]), row));
    }
    atomicMin(&nearest_of[place], least);
  }
  workgroupBarrier();
  let nearest = atomicLoad(&nearest_of[place]) & row_mask;
  if (branch < total) {
    let centre = negated[min(nearest, rows - 1u)];
    let smallest = distance(box.middle, centre);
    for (var row = lane % team; row < task.k; row += team) {
      if (can_win(box, negated[row] - centre, smallest, distance(box.middle, negated[row]))) {
        let at = atomicAdd(&listed[place], 1u);
        if (at < most_listed) {
          lists[place * most_listed + at] = row;
        }
      }
    }
  }
  workgroupBarrier();
  if (branch < total && lane % team == 0u) {
    if (atomicLoad(&listed[place]) == 1u) {
      add_node(nearest, leaves_in_all() + branch, points_of(branch * fan, fan), lane / team);
    } else {
      open_branches[atomicAdd(&opened, 1u)] = place;
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    opened_total = atomicLoad(&opened);
  }
}

fn row_of(place: u32, at: u32, all: bool) -> u32 {
  if (all) {
    return at;
  }
  return lists[place * most_listed + at];
}

// Decides a leaf, or notes it with its candidates.
fn look_at_leaf(place: u32, leaf: u32, lane: u32) {
  let box = box_of(leaf);
  let all = atomicLoad(&listed[place]) > most_listed;
  let total = select(atomicLoad(&listed[place]), task.k, all);
  var closest = Closest(3e38, row_of(place, 0u, all));
  for (var at = 0u; at < total; at++) {
    let row = row_of(place, at, all);
    closest = nearer(closest, row, distance(box.middle, negated[row]));
  }
  let centre = negated[closest.cluster];
  var count = 0u;
  var three = vec3u(no_row);
  for (var at = 0u; at < total; at++) {
    let row = row_of(place, at, all);
    if (can_win(box, negated[row] - centre, closest.distance, distance(box.middle, negated[row]))) {
      count++;
      // The three lowest, in order.
      let low = min(three, vec3u(row));
      let high = max(three.xy, vec2u(row));
      three = vec3u(low.x, min(high.x, three.y), min(high.y, three.z));
    }
  }
  if (count == 1u) {
    add_node(closest.cluster, leaf, points_of(leaf, 1u), lane);
    return;
  }
  let last = select(three.z, three.y, count == 2u);
  let few = three.x | (three.y << row_bits) | (last << (2u * row_bits));
  leaves[atomicAdd(&undecided, 1u)] = vec2u(leaf, select(as_branch | place, few, count <= 3u));
}

// Of `count` open branches from `begin` on.
fn look_at_leaves(first: u32, step: u32, begin: u32, count: u32, lane: u32) {
  if (lane == 0u) {
    atomicStore(&undecided, 0u);
  }
  workgroupBarrier();
  for (var at = lane; at < count * fan; at += threads) {
    let place = open_branches[begin + at / fan];
    let leaf = (first + place * step) * fan + at % fan;
    if (leaf < leaves_in_all()) {
      look_at_leaf(place, leaf, lane);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    undecided_total = atomicLoad(&undecided);
  }
}

fn nearest_of_branch(x: vec2f, place: u32) -> u32 {
  let all = atomicLoad(&listed[place]) > most_listed;
  let total = select(atomicLoad(&listed[place]), task.k, all);
  var closest = Closest(3e38, row_of(place, 0u, all));
  for (var at = 0u; at < total; at++) {
    let row = row_of(place, at, all);
    closest = nearer(closest, row, distance(x, negated[row]));
  }
  return closest.cluster;
}

fn nearest_of_three(x: vec2f, candidates: u32) -> u32 {
  let a = candidates & row_mask;
  let b = (candidates >> row_bits) & row_mask;
  let c = (candidates >> (2u * row_bits)) & row_mask;
  let first = distance(x, negated[a]);
  let second = distance(x, negated[b]);
  let cluster = select(a, b, second < first);
  return select(cluster, c, distance(x, negated[c]) < min(first, second));
}

fn settle(index: u32, point: vec2f, candidates: u32, lane: u32) {
  if (index >= task.count) {
    return;
  }
  var cluster: u32;
  if (candidates < as_branch) {
    cluster = nearest_of_three(point, candidates);
  } else {
    cluster = nearest_of_branch(point, candidates - as_branch);
  }
  add_point(cluster, point, lane);
}

// A leaf for 32 lanes, two points each; the next one is on its way while this one is looked at.
fn look_at_points(total: u32, lane: u32) {
  var at = lane / 32u;
  if (at >= total) {
    return;
  }
  var entry = leaves[at];
  var two = by_twos[entry.x * 32u + lane % 32u];
  while (at < total) {
    let own = entry;
    let points = two;
    at += threads / 32u;
    entry = leaves[min(at, total - 1u)];
    two = by_twos[entry.x * 32u + lane % 32u];
    let index = own.x * leaf_points + 2u * (lane % 32u);
    settle(index, points.xy, own.y, lane);
    settle(index + 1u, points.zw, own.y, lane);
  }
}

fn flush(lane: u32) {
  for (var entry = lane; entry < 2u * task.k; entry += threads) {
    let at = entry / 2u * (words * replicas);
    let first = at + entry % 2u * (2u * replicas);
    var members = 0u;
    var sum = vec2u();
    for (var i = 0u; i < replicas; i++) {
      // Each lane begins with another copy: they lie in different banks.
      let copy = (i + lane) % replicas;
      members += atomicLoad(&partial[at + 4u * replicas + copy]);
      sum = plus(sum.x, sum.y, atomicLoad(&partial[first + copy]), atomicLoad(&partial[first + replicas + copy]));
    }
    if (members != 0u) {
      add_to_sum(entry / 2u, entry % 2u, sum.x, sum.y);
      if (entry % 2u == 0u) {
        add_to_count(entry / 2u, members);
      }
    }
  }
}

// Whole parts, without labels.
@compute @workgroup_size(threads)
fn regions(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let step = groups.x;
  let total = (leaves_in_all() + fan - 1u) / fan;
  var box = box_of(leaves_in_all() + min(group.x + lane / team * step, max(total, 1u) - 1u));
  stage(lane, group.x == 0u);
  for (var first = group.x; first < total; first += together * step) {
    look_at_branches(first, step, box, lane);
    let open = workgroupUniformLoad(&opened_total);
    for (var begin = 0u; begin < open; begin += opened_together) {
      look_at_leaves(first, step, begin, min(open - begin, opened_together), lane);
      let left = workgroupUniformLoad(&undecided_total);
      look_at_points(left, lane);
      workgroupBarrier();
    }
    box = box_of(leaves_in_all() + min(first + (together + lane / team) * step, total - 1u));
  }
  workgroupBarrier();
  flush(lane);
}

// Two features and many points, in the order of plane-ordering.wgsl: branches and leaves that lie
// where one centroid is nearest to all of their box add their sums as they are; only the points of
// the other leaves are looked at. Follows box_candidates.wgsl in one module.

// Branches that a workgroup looks at together, each by a team of lanes.
override team: u32 = 16u;
override together: u32 = threads / team;
// Copies of the sums: lanes of a subgroup do not meet.
override replicas: u32 = 1u;
// Candidates that a branch lists; where there are more, it is a wide one, and each of its leaves
// looks at all centroids.
const max_listed = 16u;
// Candidates that such a leaf lists; where there are more, its points look at all centroids.
const max_listed_wide = 32u;
override wide_together: u32 = threads / 32u;
// Branches whose leaves are looked at together.
override opened_together: u32 = 16u;

// Of a branch of the round: the key of the centroid nearest to its middle, and its candidates, in
// any order.
var<workgroup> nearest_of: array<atomic<u32>, together>;
var<workgroup> listed: array<atomic<u32>, together>;
var<workgroup> lists: array<u32, together * max_listed>;
// Places within the round of branches with several candidates.
var<workgroup> open_branches: array<u32, together>;
var<workgroup> opened: atomic<u32>;
var<workgroup> opened_total: u32;
var<workgroup> wide_branches: array<u32, together>;
var<workgroup> wide: atomic<u32>;
var<workgroup> wide_total: u32;
// The same as of branches, of leaves of wide ones.
var<workgroup> nearest_of_wide: array<atomic<u32>, wide_together>;
var<workgroup> listed_wide: array<atomic<u32>, wide_together>;
var<workgroup> lists_wide: array<u32, wide_together * max_listed_wide>;
// Leaves with several candidates, and these.
var<workgroup> leaves: array<vec2u, opened_together * fan>;
var<workgroup> undecided: atomic<u32>;
var<workgroup> undecided_total: u32;
// (cluster, 5, copy): both words of x and of y, and the members.
const words = 5u;
var<workgroup> partial: array<atomic<u32>, words * rows * replicas>;

// Candidates of a leaf, up to three in order, ten bits each, the last repeated; else the branch's
// place in the round.
const row_bits = 10u;
const as_branch = 0x80000000u;
const no_row = 0xffffu;

// Both low words are on their way before a carry is looked at.
fn add_words(cluster: u32, added: vec4u, members: u32, lane: u32) {
  let at = cluster * (words * replicas) + lane % replicas;
  let before = vec2u(atomicAdd(&partial[at], added.x), atomicAdd(&partial[at + 2u * replicas], added.z));
  let high = added.yw + select(vec2u(), vec2u(1u), before + added.xz < before);
  atomicAdd(&partial[at + replicas], high.x);
  atomicAdd(&partial[at + 3u * replicas], high.y);
  atomicAdd(&partial[at + 4u * replicas], members);
}

fn leaves_in_all() -> u32 {
  return (task.count + leaf_points - 1u) / leaf_points;
}

fn points_of(first_leaf: u32, leaves: u32) -> u32 {
  let first = first_leaf * leaf_points;
  return min(first + leaves * leaf_points, task.count) - first;
}

// Candidates of the branches `first`, `first` + `step`, ... of a round.
fn look_at_branches(first: u32, step: u32, box: Box, sums: vec4u, lane: u32) {
  if (lane < together) {
    atomicStore(&nearest_of[lane], 0xffffffffu);
    atomicStore(&listed[lane], 0u);
  }
  if (lane == 0u) {
    atomicStore(&opened, 0u);
    atomicStore(&wide, 0u);
  }
  workgroupBarrier();
  let total = (leaves_in_all() + fan - 1u) / fan;
  let position = lane / team;
  let branch = first + position * step;
  if (branch < total) {
    var least = 0xffffffffu;
    for (var row = lane % team; row < task.k; row += team) {
      least = min(least, key_of(distance(box.middle, negated[row]), row));
    }
    atomicMin(&nearest_of[position], least);
  }
  workgroupBarrier();
  let nearest = atomicLoad(&nearest_of[position]) & row_mask;
  if (branch < total) {
    let centre = negated[min(nearest, rows - 1u)];
    let smallest = distance(box.middle, centre);
    for (var row = lane % team; row < task.k; row += team) {
      if (can_win(box, negated[row] - centre, smallest, distance(box.middle, negated[row]))) {
        let at = atomicAdd(&listed[position], 1u);
        if (at < max_listed) {
          lists[position * max_listed + at] = row;
        }
      }
    }
  }
  workgroupBarrier();
  if (branch < total && lane % team == 0u) {
    let candidates = atomicLoad(&listed[position]);
    if (candidates == 1u) {
      add_words(nearest, sums, points_of(branch * fan, fan), lane / team);
    } else if (candidates > max_listed) {
      wide_branches[atomicAdd(&wide, 1u)] = position;
    } else {
      open_branches[atomicAdd(&opened, 1u)] = position;
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    opened_total = atomicLoad(&opened);
    wide_total = atomicLoad(&wide);
  }
}

fn nearest_listed(x: vec2f, list: u32, end: u32) -> Closest {
  var closest = Closest(3e38, lists[list], 3e38);
  for (var at = list; at < end; at++) {
    let row = lists[at];
    closest = nearer(closest, row, distance(x, negated[row]));
  }
  return closest;
}

// Decides a leaf, or notes it with its candidates.
fn look_at_leaf(position: u32, leaf: u32, lane: u32) {
  let box = box_of(leaf);
  let sums = sums_of(leaf);
  let list = position * max_listed;
  let end = list + atomicLoad(&listed[position]);
  let closest = nearest_listed(box.middle, list, end);
  let centre = negated[closest.cluster];
  var count = 0u;
  var three = vec3u(no_row);
  for (var at = list; at < end; at++) {
    let row = lists[at];
    if (can_win(box, negated[row] - centre, closest.distance, distance(box.middle, negated[row]))) {
      count++;
      // The three lowest, in order.
      let low = min(three, vec3u(row));
      let high = max(three.xy, vec2u(row));
      three = vec3u(low.x, min(high.x, three.y), min(high.y, three.z));
    }
  }
  if (count == 1u) {
    add_words(closest.cluster, sums, points_of(leaf, 1u), lane);
    return;
  }
  let last = select(three.z, three.y, count == 2u);
  let few = three.x | (three.y << row_bits) | (last << (2u * row_bits));
  leaves[atomicAdd(&undecided, 1u)] = vec2u(leaf, select(as_branch | position, few, count <= 3u));
}

// Of `count` open branches from `begin` on.
fn look_at_leaves(first: u32, step: u32, begin: u32, count: u32, lane: u32) {
  if (lane == 0u) {
    atomicStore(&undecided, 0u);
  }
  workgroupBarrier();
  for (var at = lane; at < count * fan; at += threads) {
    let position = open_branches[begin + at / fan];
    let leaf = (first + position * step) * fan + at % fan;
    if (leaf < leaves_in_all()) {
      look_at_leaf(position, leaf, lane);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    undecided_total = atomicLoad(&undecided);
  }
}

fn nearest_of_three(x: vec2f, candidates: u32) -> Closest {
  let a = candidates & row_mask;
  let b = (candidates >> row_bits) & row_mask;
  let c = (candidates >> (2u * row_bits)) & row_mask;
  let closest = nearer(Closest(distance(x, negated[a]), a, 3e38), b, distance(x, negated[b]));
  // The last one again where there are two.
  return nearer(closest, c, select(distance(x, negated[c]), 3e38, b == c));
}

fn take_point(index: u32, point: vec2f, closest: Closest, lane: u32) {
  if (is_in_doubt(closest.distance, closest.next)) {
    leave_in_doubt(index);
  } else {
    add_words(closest.cluster, words_of(point), 1u, lane);
  }
}

fn assign_point(index: u32, point: vec2f, candidates: u32, lane: u32) {
  if (index >= task.count) {
    return;
  }
  if (candidates < as_branch) {
    take_point(index, point, nearest_of_three(point, candidates), lane);
  } else {
    let position = candidates - as_branch;
    let list = position * max_listed;
    take_point(index, point, nearest_listed(point, list, list + atomicLoad(&listed[position])), lane);
  }
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
    assign_point(index, points.xy, own.y, lane);
    assign_point(index + 1u, points.zw, own.y, lane);
  }
}

fn nearest_of_wide_leaf(x: vec2f, team_at: u32, total: u32) -> Closest {
  let all = total > max_listed_wide;
  let list = team_at * max_listed_wide;
  var closest = Closest(3e38, select(lists_wide[list], 0u, all), 3e38);
  for (var at = 0u; at < select(total, task.k, all); at++) {
    let row = select(lists_wide[min(list + at, wide_together * max_listed_wide - 1u)], at, all);
    closest = nearer(closest, row, distance(x, negated[row]));
  }
  return closest;
}

fn assign_wide_leaf(leaf: u32, two: vec4f, team_at: u32, lane: u32) {
  let total = atomicLoad(&listed_wide[team_at]);
  if (total == 1u) {
    if (lane % 32u == 0u) {
      add_words(lists_wide[team_at * max_listed_wide], sums_of(leaf), points_of(leaf, 1u), lane / 32u);
    }
    return;
  }
  let index = leaf * leaf_points + 2u * (lane % 32u);
  if (index < task.count) {
    take_point(index, two.xy, nearest_of_wide_leaf(two.xy, team_at, total), lane);
  }
  if (index + 1u < task.count) {
    take_point(index + 1u, two.zw, nearest_of_wide_leaf(two.zw, team_at, total), lane);
  }
}

// The leaves of `count` wide branches, each by 32 lanes: its candidates, then its points.
fn look_at_wide(first: u32, step: u32, count: u32, lane: u32) {
  let team_at = lane / 32u;
  for (var begin = 0u; begin < count * fan; begin += wide_together) {
    let at = begin + team_at;
    let position = wide_branches[min(at / fan, count - 1u)];
    let leaf = (first + position * step) * fan + at % fan;
    let is_there = at < count * fan && leaf < leaves_in_all();
    let node = min(leaf, leaves_in_all() - 1u);
    let box = box_of(node);
    let two = by_twos[node * 32u + lane % 32u];
    if (lane % 32u == 0u) {
      atomicStore(&nearest_of_wide[team_at], 0xffffffffu);
      atomicStore(&listed_wide[team_at], 0u);
    }
    workgroupBarrier();
    var least = 0xffffffffu;
    for (var row = lane % 32u; row < task.k; row += 32u) {
      least = min(least, key_of(distance(box.middle, negated[row]), row));
    }
    atomicMin(&nearest_of_wide[team_at], least);
    workgroupBarrier();
    let centre = negated[min(atomicLoad(&nearest_of_wide[team_at]) & row_mask, rows - 1u)];
    let smallest = distance(box.middle, centre);
    for (var row = lane % 32u; row < task.k; row += 32u) {
      if (can_win(box, negated[row] - centre, smallest, distance(box.middle, negated[row]))) {
        let to = atomicAdd(&listed_wide[team_at], 1u);
        if (to < max_listed_wide) {
          lists_wide[team_at * max_listed_wide + to] = row;
        }
      }
    }
    workgroupBarrier();
    if (is_there) {
      assign_wide_leaf(leaf, two, team_at, lane);
    }
    workgroupBarrier();
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
      sum = plus_words(sum, vec2u(atomicLoad(&partial[first + copy]), atomicLoad(&partial[first + replicas + copy])));
    }
    if (members != 0u) {
      add_whole_to_sum(entry / 2u, entry % 2u, sum, members);
      if (entry % 2u == 0u) {
        add_to_count(entry / 2u, members);
      }
    }
  }
}

// Whole parts, without labels.
@compute @workgroup_size(threads)
fn plane_cells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let step = groups.x;
  let total = (leaves_in_all() + fan - 1u) / fan;
  var node = leaves_in_all() + min(group.x + lane / team * step, max(total, 1u) - 1u);
  // Asked for long before it is needed, as are those of the next round.
  var box = box_of(node);
  var sums = sums_of(node);
  stage(lane);
  for (var first = group.x; first < total; first += together * step) {
    look_at_branches(first, step, box, sums, lane);
    let open = workgroupUniformLoad(&opened_total);
    for (var begin = 0u; begin < open; begin += opened_together) {
      look_at_leaves(first, step, begin, min(open - begin, opened_together), lane);
      let left = workgroupUniformLoad(&undecided_total);
      look_at_points(left, lane);
      workgroupBarrier();
    }
    let unlisted = workgroupUniformLoad(&wide_total);
    if (unlisted > 0u) {
      look_at_wide(first, step, unlisted, lane);
    }
    node = leaves_in_all() + min(first + (together + lane / team) * step, total - 1u);
    box = box_of(node);
    sums = sums_of(node);
  }
  workgroupBarrier();
  flush(lane);
}

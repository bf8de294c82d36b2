// Two features and many clusters, in the order of plane-ordering.wgsl: a workgroup lists the
// centroids that can be the nearest of a point of its branch, of these those of each leaf; points
// look at these alone, and a leaf with only one adds its sums as they are. Follows
// box_candidates.wgsl in one module.

// Candidates of a leaf; where there are more, its points look at those of the branch.
override max_listed: u32 = 32u;
// Points are loaded before it is known whether they must be looked at.
override eager: bool = false;
// Lanes of a leaf.
override crew: u32 = leaf_points;
override crews: u32 = threads / crew;
override lanes_a_leaf: u32 = max(1u, threads / fan);
const words = 5u;

// The cluster of a point of each leaf, one iteration before: centroids are compared with it.
// Another would do, with longer lists.
@group(0) @binding(9) var<storage, read_write> hints: array<u32>;

// x and y of -c, and as bits the row, and its place in the list of the branch.
var<workgroup> of_branch: array<vec4f, rows>;
var<workgroup> listed: atomic<u32>;
var<workgroup> of_leaves: array<vec4f, fan * max_listed>;
var<workgroup> listed_of: array<atomic<u32>, fan>;
// (place, 5, copy): both words of x and of y, and the members. Where a workgroup takes several
// branches, a cluster's place is its number; else that in the list of the branch, which leaves room
// for more copies: lanes of a subgroup meet less often.
override by_row: bool = false;
override max_copies_bits: u32 = 3u;
override room: u32 = 2560u;
override partial_words: u32 = max(room, words * rows);
var<workgroup> partial: array<atomic<u32>, partial_words>;
var<private> copies: u32;

fn leaves_in_all() -> u32 {
  return (task.count + leaf_points - 1u) / leaf_points;
}

// Both low words are on their way before a carry is looked at.
fn add_words(position: u32, added: vec4u, members: u32, lane: u32) {
  let at = position * (words * copies) + lane % copies;
  let before = vec2u(atomicAdd(&partial[at], added.x), atomicAdd(&partial[at + 2u * copies], added.z));
  let high = added.yw + select(vec2u(), vec2u(1u), before + added.xz < before);
  atomicAdd(&partial[at + copies], high.x);
  atomicAdd(&partial[at + 3u * copies], high.y);
  atomicAdd(&partial[at + 4u * copies], members);
}

fn hinted(leaf: u32) -> u32 {
  return min(hints[min(leaf, max(leaves_in_all(), 1u) - 1u)], max(task.k, 1u) - 1u);
}

// The nearest so far: its distance, row and place; and the smallest distance of the others.
struct Found { distance: f32, row: u32, position: u32, next: f32 }

fn found_nearer(found: Found, candidate: vec4f, x: vec2f) -> Found {
  let next = Found(distance(x, candidate.xy), bitcast<u32>(candidate.z), bitcast<u32>(candidate.w), 3e38);
  return better(found, next);
}

// Both may be the same one.
fn better(a: Found, b: Found) -> Found {
  let wins = b.distance < a.distance || (b.distance == a.distance && b.row < a.row);
  let other = select(max(a.distance, b.distance), 3e38, a.row == b.row);
  return Found(
    select(a.distance, b.distance, wins),
    select(a.row, b.row, wins),
    select(a.position, b.position, wins),
    min(min(a.next, b.next), other),
  );
}

fn found_first(candidate: vec4f) -> Found {
  return Found(3e38, bitcast<u32>(candidate.z), bitcast<u32>(candidate.w), 3e38);
}

// By twos, which do not wait for each other; a last one is looked at twice.
fn nearest_of_leaf(x: vec2f, list: u32, total: u32) -> Found {
  var even = found_first(of_leaves[list]);
  var odd = even;
  for (var at = 0u; at < total; at += 2u) {
    even = found_nearer(even, of_leaves[list + at], x);
    odd = found_nearer(odd, of_leaves[list + min(at + 1u, total - 1u)], x);
  }
  return better(even, odd);
}

fn nearest_of_branch(x: vec2f, total: u32) -> Found {
  var even = found_first(of_branch[0]);
  var odd = even;
  for (var at = 0u; at < total; at += 2u) {
    even = found_nearer(even, of_branch[at], x);
    odd = found_nearer(odd, of_branch[min(at + 1u, total - 1u)], x);
  }
  return better(even, odd);
}

fn list_of_branch(box: Box, hint: u32, lane: u32) {
  let centre = negated[hint];
  let smallest = distance(box.middle, centre);
  for (var row = lane; row < task.k; row += threads) {
    let own = negated[row];
    if (can_win(box, own - centre, smallest, distance(box.middle, own))) {
      let to = atomicAdd(&listed, 1u);
      of_branch[to] = vec4f(own, bitcast<f32>(row), bitcast<f32>(select(to, row, by_row)));
    }
  }
}

fn list_of_leaf(position: u32, box: Box, hint: u32, lane: u32) {
  let centre = negated[hint];
  let smallest = distance(box.middle, centre);
  let total = atomicLoad(&listed);
  for (var at = lane % lanes_a_leaf; at < total; at += lanes_a_leaf) {
    let own = of_branch[at];
    if (can_win(box, own.xy - centre, smallest, distance(box.middle, own.xy))) {
      let to = atomicAdd(&listed_of[position], 1u);
      if (to < max_listed) {
        of_leaves[position * max_listed + to] = own;
      }
    }
  }
}

fn point_at(index: u32) -> vec2f {
  let two = by_twos[min(index, max(task.count, 1u) - 1u) / 2u];
  return select(two.xy, two.zw, index % 2u == 1u);
}

fn assign_leaf(position: u32, leaf: u32, early: vec2f, lane: u32) {
  let total = atomicLoad(&listed_of[position]);
  if (total == 1u) {
    if (lane % crew == 0u) {
      let only = of_leaves[position * max_listed];
      let members = min(leaf_points, task.count - leaf * leaf_points);
      add_words(bitcast<u32>(only.w), sums_of(leaf), members, lane);
      hints[leaf] = bitcast<u32>(only.z);
    }
    return;
  }
  let index = leaf * leaf_points + lane % crew;
  if (index >= task.count) {
    return;
  }
  var point = early;
  if (!eager) {
    point = point_at(index);
  }
  var found: Found;
  if (total <= max_listed) {
    found = nearest_of_leaf(point, position * max_listed, total);
  } else {
    found = nearest_of_branch(point, atomicLoad(&listed));
  }
  if (is_in_doubt(found.distance, found.next)) {
    leave_in_doubt(index);
  } else {
    add_words(found.position, words_of(point), 1u, lane);
  }
  // A point in the middle, or the last one.
  if (index == min(leaf * leaf_points + leaf_points / 2u, task.count - 1u)) {
    hints[leaf] = found.row;
  }
}

// To global memory.
fn flush(total: u32, lane: u32) {
  for (var entry = lane; entry < 2u * total; entry += threads) {
    let at = entry / 2u * (words * copies);
    let first = at + entry % 2u * (2u * copies);
    var members = 0u;
    var sum = vec2u();
    for (var i = 0u; i < copies; i++) {
      // Each lane begins with another copy: they lie in different banks.
      let copy = (i + lane) % copies;
      members += atomicLoad(&partial[at + 4u * copies + copy]);
      sum = plus_words(sum, vec2u(atomicLoad(&partial[first + copy]), atomicLoad(&partial[first + copies + copy])));
    }
    if (members != 0u) {
      let cluster = select(bitcast<u32>(of_branch[min(entry / 2u, rows - 1u)].z), entry / 2u, by_row);
      add_whole_to_sum(cluster, entry % 2u, sum, members);
      if (entry % 2u == 0u) {
        add_to_count(cluster, members);
      }
    }
  }
}

// As many copies of a power of two as there is room for.
fn copies_of(total: u32) -> u32 {
  let most = partial_words / (words * max(total, 1u));
  return 1u << min(max_copies_bits, firstLeadingBit(max(most, 1u)));
}

// Whole parts, without labels.
@compute @workgroup_size(threads)
fn plane_boxes(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let leaves = leaves_in_all();
  let total = (leaves + fan - 1u) / fan;
  let position = lane / lanes_a_leaf;
  var branch_box = box_of(leaves + min(group.x, max(total, 1u) - 1u));
  var leaf_box = box_of(min(group.x * fan + position, max(leaves, 1u) - 1u));
  var branch_hint = hinted(group.x * fan + fan / 2u);
  var leaf_hint = hinted(group.x * fan + position);
  var early = vec2f();
  if (eager) {
    early = point_at(group.x * fan * leaf_points + lane);
  }
  stage(lane);
  for (var branch = group.x; branch < total; branch += groups.x) {
    list_of_branch(branch_box, branch_hint, lane);
    workgroupBarrier();
    if (position < fan) {
      list_of_leaf(position, leaf_box, leaf_hint, lane);
    }
    workgroupBarrier();
    copies = copies_of(select(atomicLoad(&listed), rows, by_row));
    let next = min(branch + groups.x, total - 1u);
    branch_box = box_of(leaves + next);
    leaf_box = box_of(min(next * fan + position, leaves - 1u));
    branch_hint = hinted(next * fan + fan / 2u);
    leaf_hint = hinted(next * fan + position);
    for (var own = lane / crew; own < fan; own += crews) {
      if (branch * fan + own < leaves) {
        assign_leaf(own, branch * fan + own, early, lane);
      }
    }
    workgroupBarrier();
    if (branch + groups.x >= total) {
      break;
    }
    if (lane == 0u) {
      atomicStore(&listed, 0u);
    }
    for (var at = lane; at < fan; at += threads) {
      atomicStore(&listed_of[at], 0u);
    }
    workgroupBarrier();
  }
  flush(select(atomicLoad(&listed), task.k, by_row), lane);
}

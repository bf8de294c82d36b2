// Long lists, for neighbour-boxes.wgsl: scores |c|^2 / 2 - x.c, which take half the operations of a
// distance, choose a group of eight candidates, distances decide inside it. Points that scores
// leave open are gathered and looked at by teams of lanes. Lists that are staged tile by tile are read
// where they lie once the group is known.

// The two smallest group scores of four points, and the group of the first.
struct Ranks { first: vec4f, second: vec4f, group: vec4u }

fn rank(ranks: Ranks, least: vec4f, group: u32) -> Ranks {
  return Ranks(
    min(ranks.first, least),
    min(ranks.second, max(ranks.first, least)),
    select(ranks.group, vec4u(group), least < ranks.first),
  );
}

fn group_scores(x: Four, at: u32) -> vec4f {
  let low = staged[at + group_size * row_vectors];
  let high = staged[at + group_size * row_vectors + 1u];
  let first = min(scores(x, at, low.x), scores(x, at + row_vectors, low.y));
  let second = min(scores(x, at + 2u * row_vectors, low.z), scores(x, at + 3u * row_vectors, low.w));
  let third = min(scores(x, at + 4u * row_vectors, high.x), scores(x, at + 5u * row_vectors, high.y));
  let fourth = min(scores(x, at + 6u * row_vectors, high.z), scores(x, at + 7u * row_vectors, high.w));
  return min(min(first, second), min(third, fourth));
}

// Distances inside the group of each point.
fn nearest_in_groups(x: Four, group: vec4u) -> vec4u {
  var nearest = nothing_near();
  let at = group * group_vectors;
  for (var row = 0u; row < group_size; row++) {
    nearest = try_row(nearest, row, distances_apart(x, at + row * row_vectors));
  }
  return rows_of(group * group_size, nearest);
}

// Four features of a row of the list, by its first vector behind the list's head.
fn listed_vector(of_block: Block, at: u32) -> vec4f {
  return bitcast<vec4f>(list_vector(of_block.cell, 1u + at));
}

// Distances of one of a lane's points to four rows of a list, from the first vector of the first on.
fn distances_listed(of_block: Block, block: u32, point: u32, at: u32, lane: u32) -> vec4f {
  var sum = vec4f();
  for (var vector = 0u; vector < row_vectors; vector++) {
    let a = listed_vector(of_block, at + vector);
    let b = listed_vector(of_block, at + row_vectors + vector);
    let c = listed_vector(of_block, at + 2u * row_vectors + vector);
    let d = listed_vector(of_block, at + 3u * row_vectors + vector);
    for (var i = 0u; i < min(4u, features - 4u * vector); i++) {
      let x = ordered_points[(block * features + 4u * vector + i) * threads + lane][point];
      let difference = x + vec4f(a[i], b[i], c[i], d[i]);
      sum = fma(difference, difference, sum);
    }
  }
  return sum;
}

// The same as nearest_in_groups, of a list that is not staged whole.
fn nearest_in_listed_groups(of_block: Block, group: vec4u, block: u32, lane: u32) -> vec4u {
  var nearest = nothing_near();
  for (var point = 0u; point < 4u; point++) {
    let is_own = vec4u(point) == vec4u(0u, 1u, 2u, 3u);
    let at = group[point] * group_vectors;
    for (var row = 0u; row < group_size; row += 4u) {
      let found = distances_listed(of_block, block, point, at + row * row_vectors, lane);
      for (var i = 0u; i < 4u; i++) {
        nearest = try_row(nearest, row + i, select(vec4f(3e38), vec4f(found[i]), is_own));
      }
    }
  }
  return rows_of(group * group_size, nearest);
}

// Scores of two groups closer than this do not tell which of them holds the nearest centroid.
fn margin(x: Four, longest_of: f32) -> vec4f {
  let reach = sqrt(squares(x)) + longest_of;
  return f32(4u * features + 8u) * 1.1920928955078125e-07 * reach * reach + 1e-36;
}

// Points of the block that scores leave open, by lane and number of the lane's points, and the rows
// found for them.
const max_open = 64u;
const team = 32u;
override teams: u32 = threads / team;
var<workgroup> open_points: array<u32, max_open>;
var<workgroup> open_rows: array<atomic<u32>, max_open>;
var<workgroup> open_least: array<atomic<u32>, max_open>;
// Bits of the smallest distance of the others.
var<workgroup> open_next: array<atomic<u32>, max_open>;
var<workgroup> open_found: atomic<u32>;
var<workgroup> open_total: u32;

fn leave_open(is_open: bool, point: u32) {
  if (is_open) {
    let at = atomicAdd(&open_found, 1u);
    if (at < max_open) {
      open_points[at] = point;
    }
  }
}

// Bits of the distance of a point of the block to a row.
fn distance_bits(of_block: Block, block: u32, point: u32, row: u32) -> u32 {
  let at = row / group_size * group_vectors + row % group_size * row_vectors;
  let is_staged = groups_of(of_block.candidates) <= tile_groups;
  var sum = 0.0;
  for (var vector = 0u; vector < row_vectors; vector++) {
    var centroid = vec4f();
    if (is_staged) {
      centroid = staged[at + vector];
    } else {
      centroid = listed_vector(of_block, at + vector);
    }
    for (var i = 0u; i < min(4u, features - 4u * vector); i++) {
      let x = ordered_points[(block * features + 4u * vector + i) * threads + point / 4u][point % 4u];
      let difference = x + centroid[i];
      sum = fma(difference, difference, sum);
    }
  }
  return bitcast<u32>(sum);
}

fn search_open(of_block: Block, block: u32, at: u32, lane: u32) {
  let is_team = at < open_total;
  var least = 0xffffffffu;
  var found = 0xffffffffu;
  var next = 0xffffffffu;
  if (is_team) {
    for (var row = lane % team; row < of_block.candidates; row += team) {
      let bits = distance_bits(of_block, block, open_points[at], row);
      found = select(found, row, bits < least);
      next = min(next, max(least, bits));
      least = min(least, bits);
    }
    atomicMin(&open_least[at], least);
  }
  workgroupBarrier();
  if (is_team && least == atomicLoad(&open_least[at])) {
    atomicMin(&open_rows[at], found);
  }
  workgroupBarrier();
  if (is_team) {
    atomicMin(&open_next[at], select(least, next, found == atomicLoad(&open_rows[at])));
  }
}

// The row found, with the mark where it is in doubt.
fn row_found(at: u32) -> u32 {
  let least = bitcast<f32>(atomicLoad(&open_least[at]));
  // All ones where there is no other.
  let next = bitcast<f32>(min(atomicLoad(&open_next[at]), bitcast<u32>(3e38)));
  return atomicLoad(&open_rows[at]) | select(0u, doubt_mark, is_in_doubt(least, next));
}

// Rows of the points that were left open, of which there are at most `max_open`.
fn resolve_open(of_block: Block, total: u32, decided: vec4u, block: u32, lane: u32) -> vec4u {
  for (var at = lane; at < max_open; at += threads) {
    atomicStore(&open_least[at], 0xffffffffu);
    atomicStore(&open_rows[at], 0xffffffffu);
    atomicStore(&open_next[at], 0xffffffffu);
  }
  workgroupBarrier();
  for (var first = 0u; first < total; first += teams) {
    search_open(of_block, block, first + lane / team, lane);
  }
  workgroupBarrier();
  var rows = decided;
  for (var at = 0u; at < total; at++) {
    let is_own = vec4u(open_points[at]) == vec4u(4u * lane) + vec4u(0u, 1u, 2u, 3u);
    rows = select(rows, vec4u(row_found(at)), is_own);
  }
  return rows;
}

// What scores decide; the others are noted as open.
fn rows_by_scores(x: Four, of_block: Block, wanted: bool, block: u32, lane: u32) -> vec4u {
  var ranks = Ranks(vec4f(3e38), vec4f(3e38), vec4u());
  let groups = groups_of(of_block.candidates);
  for (var first = 0u; first < groups; first += tile_groups) {
    if (groups > tile_groups) {
      workgroupBarrier();
      stage(of_block, first, 0u, lane);
      workgroupBarrier();
    }
    if (wanted) {
      for (var group = 0u; group < min(tile_groups, groups - first); group++) {
        ranks = rank(ranks, group_scores(x, group * group_vectors), first + group);
      }
    }
  }
  if (!wanted) {
    return vec4u();
  }
  let is_open = !(ranks.second - ranks.first > margin(x, of_block.longest));
  leave_open(is_open.x, 4u * lane);
  leave_open(is_open.y, 4u * lane + 1u);
  leave_open(is_open.z, 4u * lane + 2u);
  leave_open(is_open.w, 4u * lane + 3u);
  if (groups > tile_groups) {
    return nearest_in_listed_groups(of_block, ranks.group, block, lane);
  }
  return nearest_in_groups(x, ranks.group);
}

// By scores where the list is long, by distances to all of it where it is short or scores leave
// much open.
fn nearest_of(x: Four, of_block: Block, wanted: bool, block: u32, lane: u32) -> vec4u {
  var rows = vec4u();
  var open = max_open + 1u;
  if (of_block.candidates > max_direct) {
    rows = rows_by_scores(x, of_block, wanted, block, lane);
    workgroupBarrier();
    if (lane == 0u) {
      open_total = atomicExchange(&open_found, 0u);
    }
    open = workgroupUniformLoad(&open_total);
    if (open > 0u && open <= max_open) {
      rows = resolve_open(of_block, open, rows, block, lane);
    }
  }
  if (open > max_open) {
    rows = nearest_of_all(x, of_block, wanted, lane);
  }
  return rows;
}
